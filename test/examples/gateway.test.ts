// The gateway of examples/gateway serves one AG-UI run to clients of three protocols at once.
import { run } from 'turnstream'
import { a2aVerifier } from 'turnstream/a2a'
import { emptyView, taskOf, watchStream } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { gateway } from '../../examples/gateway/gateway.ts'
import { type Part, readMessage } from '../dialects/ai-sdk/readers.ts'
import { aiSdkAsMessage, shown, valuesOf } from '../dialects/pairs/pair.ts'
import { agUiServer, aiSdkServer, type ModelResponse } from '../dialects/pairs/servers.ts'

const responses: readonly ModelResponse[] = [
  {
    reasoning: ['I have to ', 'look it up.'],
    text: ['One moment.'],
    calls: [{ id: 'call-1', name: 'get_capital', pieces: ['{"country":', '"France"}'] }],
  },
  { text: ['It is ', 'Paris.'] },
]

/** The bytes of an AG-UI agent, a few at a time. */
async function* agent(): AsyncGenerator<Uint8Array> {
  const text = agUiServer(responses).map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const bytes = new TextEncoder().encode(text.join(''))
  for (let at = 0; at < bytes.length; at += 50) {
    await new Promise((resolve) => setImmediate(resolve))
    yield bytes.subarray(at, at + 50)
  }
}

async function textOf(source: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of source) text += piece
  return text
}

describe('the gateway', () => {
  it('serves a run to clients of three protocols at once', async () => {
    const served = gateway(agent())
    const view = async () => {
      let last = emptyView
      const connect = (lastEventId?: string) => served.turnstream(lastEventId).body ?? []
      for await (const { view } of watchStream(connect)) last = view
      return last
    }
    const [aiSdk, a2a, shownByView] = await Promise.all([
      textOf(served.aiSdk()),
      textOf(served.a2a('request-1')),
      view(),
      served.done,
    ])

    const { message, errors } = await readMessage(7, valuesOf(aiSdk) as never)
    expect(errors).toEqual([])
    const parts = shown((message?.parts ?? []) as Part[])
    expect(parts).toEqual(await aiSdkAsMessage(await aiSdkServer(responses)))

    const items = valuesOf(a2a).map((response) => (response as { result: never }).result)
    const { push, end } = run(a2aVerifier({ version: '1.0' }))
    expect(
      [...items.flatMap((item) => [...push(item)]), ...end()].filter(({ severity }) => severity === 'error'),
    ).toEqual([])
    expect(a2a).toContain('Paris.')

    const task = taskOf(shownByView, 'run-1')
    expect(task?.status).toBe('completed')
    expect(task?.parts.map(({ type }) => type)).toEqual(['thought', 'text', 'tool', 'text'])
  })
})
