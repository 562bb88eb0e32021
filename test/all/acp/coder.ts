/**
 * A coding agent on the official SDK of ACP, in a process of its own: it thinks, runs two tools at the same time, of which one fails,
 * writes in pieces, asks to write a file, and says how that ended.
 */

import { Readable, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { agent, methods, ndJsonStream, type RequestPermissionResponse } from '@agentclientprotocol/sdk'

const toolCall = { toolCallId: 'c1', title: 'Write', rawInput: { path: '/answer.txt' } }
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' as const },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' as const },
]

agent({ name: 'coder' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: 's' }))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
    const update = (fields: object): Promise<void> =>
      client.notify(methods.client.session.update, { sessionId, update: fields as never })
    const say = async (text: string): Promise<void> => {
      for (const word of text.match(/\S+\s*/g) ?? []) {
        await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: word } })
        await setTimeout(50)
      }
    }
    const thought = { type: 'text', text: 'Where may it be?' }
    await update({ sessionUpdate: 'agent_thought_chunk', content: thought })
    const reads = ['/old.txt', '/notes.txt'].map((path, i) => ({
      toolCallId: `r${i}`,
      title: 'Read',
      rawInput: { path },
    }))
    for (const read of reads) await update({ sessionUpdate: 'tool_call', status: 'in_progress', ...read })
    for (const [i, end] of [{ status: 'completed', rawOutput: '42' }, { status: 'failed' }].entries())
      await update({ sessionUpdate: 'tool_call_update', toolCallId: `r${1 - i}`, ...end })
    await say('I write the answer to a file, once I may.')
    await update({ sessionUpdate: 'tool_call', status: 'pending', ...toolCall })
    const { outcome } = (await client.request(methods.client.session.requestPermission, {
      ...{ sessionId, toolCall, options },
    })) as RequestPermissionResponse
    const isAllowed = outcome.outcome === 'selected' && outcome.optionId === 'yes'
    const { toolCallId } = toolCall
    const end = isAllowed ? { status: 'completed', rawOutput: 'written' } : { status: 'failed' }
    await update({ sessionUpdate: 'tool_call_update', toolCallId, ...end })
    await say(isAllowed ? 'It is written.' : 'I leave it.')
    return { stopReason: 'end_turn' }
  })
  .connect(
    ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
  )
