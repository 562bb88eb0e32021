import type { EventDraft } from 'turnstream'
import type { AgentTask } from 'turnstream/server'

/** An agent without a model. It asks before it pays. */
export async function* agent({ input, approve, isResumed }: AgentTask): AsyncGenerator<EventDraft> {
  if (!isResumed) yield { kind: 'content-delta', delta: `I will pay for ${input}.` }
  const [approval] = yield* approve([{ toolCallId: 'pay', toolName: 'pay', arguments: '{"amount":5}' }])
  if (approval?.status !== 'approved') return
  const { toolCallId, toolName, arguments: approved } = approval.call
  yield { kind: 'tool-start', toolCallId, toolName, arguments: JSON.parse(approved) }
  yield { kind: 'tool-complete', toolCallId, toolName, success: true, result: 'Paid.' }
}
