/** An agent that asks before it pays, for whoever comes. */
import type { EventDraft } from 'turnstream'
import type { AgentTask } from 'turnstream/server'

export const userOf = (): string => 'ann'

export async function* agent({ approve, isResumed }: AgentTask): AsyncGenerator<EventDraft> {
  if (!isResumed) yield { kind: 'content-delta', delta: 'I will pay.' }
  const [approval] = yield* approve([{ toolCallId: 'call-1', toolName: 'pay', arguments: '{"amount":5}' }])
  yield { kind: 'content-delta', delta: approval?.status === 'approved' ? ' Paid.' : ' Not paid.' }
}
