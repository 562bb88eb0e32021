// Proves that an agent that speaks ACP, on the official SDK, has a page: its permission is asked and approved there, and a reload shows all.
import { agent, methods, ndJsonStream, type RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { acpAgent } from 'turnstream/acp'
import { expect, it } from 'vitest'
import { openShop } from '../client/pages.ts'
import { hastenWaits } from '../support/fake-time.ts'

hastenWaits()

/** A coder that writes a file, with the permission of the user. */
const coder = agent({ name: 'coder' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: 's' }))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
    const toolCall = { toolCallId: 'c1', title: 'Write', rawInput: { path: '/answer.txt' } }
    const notify = (update: object): Promise<void> =>
      client.notify(methods.client.session.update, { sessionId, update: update as never })
    await notify({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I write.' } })
    await notify({ sessionUpdate: 'tool_call', status: 'pending', ...toolCall })
    const { outcome } = (await client.request(methods.client.session.requestPermission, {
      ...{ sessionId, toolCall },
      options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
    })) as RequestPermissionResponse
    const status = outcome.outcome === 'selected' ? 'completed' : 'failed'
    await notify({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status, rawOutput: 'written' })
    return { stopReason: 'end_turn' }
  })

it('asks for its permission on the page, and survives a reload', async () => {
  const connect = () => {
    const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
    coder.connect(ndJsonStream(back.writable, there.readable))
    return ndJsonStream(there.writable, back.readable)
  }
  const { page } = await openShop({ agent: acpAgent({ connect }) })
  const first = page('ann')
  await first.client.send('Write it.')
  const { requests } = await first.until((state) => state.requests.length > 0)
  expect(requests[0]).toMatchObject({ call: { toolName: 'Write', arguments: '{"path":"/answer.txt"}' } })
  first.leave()

  const reloaded = page('ann')
  const asked = await reloaded.until((state) => state.requests.length > 0)
  expect(JSON.stringify(asked.view.tasks)).toContain('I write.')
  expect(await reloaded.client.approve(asked.requests[0]?.id ?? '')).toMatchObject({ status: 'accepted' })
  await reloaded.until(({ view }) => view.tasks[0]?.status === 'completed')

  const later = page('ann')
  const { view } = await later.until((state) => state.view.tasks[0]?.status === 'completed')
  expect(view.tasks[0]?.parts).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: 'tool', toolName: 'Write', result: 'written' })]),
  )
})
