// The examples of docs/providers.md read what a server sends.
import { readFileSync } from 'node:fs'
import OpenAI from 'openai'
import type { EventDraft } from 'turnstream'
import { afterEach, describe, expect, it } from 'vitest'
import { callModel } from '../../examples/docs/model-turn.ts'
import { draftsOfFetch, draftsOfSdk } from '../../examples/docs/providers.ts'
import { recordingOf } from '../../examples/recording.ts'
import { type ModelServer, modelServer } from '../support/providers/model-server.ts'

const body = readFileSync(recordingOf('openai'))
let server: ModelServer | undefined
afterEach(() => server?.close())

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('docs/providers.md', () => {
  it('reads the same from the body of fetch and from the SDK', async () => {
    server = await modelServer([{ body }])
    const client = new OpenAI({ apiKey: 'none', baseURL: server.url })
    const { signal } = new AbortController()
    const drafts = await all(draftsOfFetch(server.url, signal))
    expect(await all(draftsOfSdk(client, signal))).toEqual(drafts)
    expect(new Set(drafts.map(({ kind }) => kind))).toEqual(
      new Set([
        'internal:llm-call',
        'thought-delta',
        'thought-stream',
        'content-delta',
        'content-complete',
        'tool-arguments-delta',
        'task-error',
        'tool-complete',
      ]),
    )
    expect(server.requests[0]).toEqual(server.requests[1])
  })

  it('throws on an HTTP error', async () => {
    server = await modelServer([{ status: 401, body: '{}' }])
    const { url } = server
    await expect(all(draftsOfFetch(url, new AbortController().signal))).rejects.toThrow('401')
  })

  it('stops when it is aborted', async () => {
    server = await modelServer([{ body: body.subarray(0, 2000), after: 'hang' }])
    const controller = new AbortController()
    const read = async (): Promise<void> => {
      for await (const { kind } of draftsOfFetch(server?.url ?? '', controller.signal)) {
        if (kind === 'thought-delta') controller.abort()
      }
    }
    await expect(read()).rejects.toThrow(/abort/)
    await server.left
  })

  it('returns the turn, and starts the calls that are complete', async () => {
    server = await modelServer([{ body }])
    const client = new OpenAI({ apiKey: 'none', baseURL: server.url })
    const stream = await client.chat.completions.create({ model: 'm-1', messages: [], stream: true })
    const emitted: EventDraft[] = []
    const turn = await callModel(stream, (draft) => emitted.push(draft))
    expect(turn.calls.map(({ status }) => status)).toEqual(['complete', 'complete', 'incomplete'])
    expect(turn.finishReason).toBe('length')
    expect(emitted.filter(({ kind }) => kind === 'tool-start')).toHaveLength(2)
  })
})
