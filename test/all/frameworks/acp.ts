/** An agent on the official SDK of ACP, run by `acpAgent`: a message, a tool that asks for a permission, and the end. */
import { deepStrictEqual } from 'node:assert/strict'
import type { EventDraft } from 'turnstream'
import { acpAgent } from 'turnstream/acp'
import type { AgentTask } from 'turnstream/server'
import { installed, type Untyped } from './installed.ts'

export async function checkAcp(): Promise<string> {
  const { agent, ndJsonStream, methods } = await installed('@agentclientprotocol/sdk')
  const peer = agent({ name: 'coder' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: 's' }))
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }: Untyped) => {
      const update = (fields: object): Promise<void> =>
        client.notify(methods.client.session.update, { sessionId, update: fields })
      const toolCall = { toolCallId: 'c1', title: 'Write', rawInput: { path: '/answer.txt' } }
      await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I write.' } })
      await update({ sessionUpdate: 'tool_call', status: 'pending', ...toolCall })
      const options = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }]
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall,
        options,
      })
      await update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 'c1',
        status: 'completed',
        rawOutput: outcome,
      })
      return { stopReason: 'end_turn' }
    })
  const connect = (): { readable: ReadableStream; writable: WritableStream } => {
    const [there, back] = [new TransformStream(), new TransformStream()]
    peer.connect(ndJsonStream(back.writable, there.readable))
    return ndJsonStream(there.writable, back.readable)
  }
  const approve: AgentTask['approve'] = async function* (calls) {
    return calls.map((call) => ({ status: 'approved', call: { ...call, isEdited: false } }))
  }
  const task = { input: 'Write it.', signal: new AbortController().signal, approve } as AgentTask
  const drafts: EventDraft[] = []
  for await (const draft of acpAgent({ connect })(task)) drafts.push(draft as EventDraft)
  const kinds = ['content-delta', 'content-complete', 'tool-start', 'tool-complete', 'task-complete']
  deepStrictEqual(
    drafts.map(({ kind }) => kind),
    kinds,
  )
  return `${drafts.length} drafts`
}
