// Proves that the transport of a page resumes as long as it takes, ends a resume when the page answers itself, and takes nothing from a cache.
import { chatTransport } from 'turnstream/ai-sdk'
import { describe, expect, it, vi } from 'vitest'
import type { SendRequest } from '../../../../src/dialects/ai-sdk/serve/chat-transport.ts'

/** A class of transports that shows what it was created with. */
class Options {
  readonly api: string
  readonly fetch: SendRequest
  constructor({ api, fetch }: { api: string; fetch: SendRequest }) {
    this.api = api
    this.fetch = fetch
  }
}

const post = { method: 'POST', body: '{"id":"a"}' }

/** A transport whose requests are answered by a function; and what it has sent. */
function transported(answer: (url: string, init: RequestInit) => Promise<Response>) {
  const sent: string[] = []
  const send: SendRequest = (url, init = {}) => {
    sent.push(`${init.method ?? 'GET'} ${String(url)} ${init.cache}`)
    return answer(String(url), init)
  }
  return { sent, ...chatTransport(Options, '/chat', { fetch: send }) }
}

/** Answers when the request is aborted. */
const held = (_: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

describe('a resume', () => {
  it('is sent again when a proxy or the network ends it', async () => {
    vi.useFakeTimers()
    try {
      const answers = [
        () => Promise.reject(new TypeError('fetch failed')),
        () => Promise.resolve(new Response('late', { status: 504 })),
        () => Promise.resolve(new Response('data: 1\n\n')),
      ]
      const { fetch, sent } = transported(() => answers.shift()?.() ?? Promise.reject(new Error('none')))
      const response = fetch('/chat/a/stream')
      await vi.advanceTimersByTimeAsync(2000)
      expect(await (await response).text()).toBe('data: 1\n\n')
      expect(sent).toEqual(Array(3).fill('GET /chat/a/stream no-store'))
    } finally {
      vi.useRealTimers()
    }
  })

  it('fails as the request does, if that is no failure of the network', async () => {
    const { fetch } = transported(() => Promise.reject(new Error('broken')))
    await expect(fetch('/chat/a/stream')).rejects.toThrow('broken')
    const refused = transported(async () => new Response('', { status: 401 }))
    expect((await refused.fetch('/chat/a/stream')).status).toBe(401)
  })

  it('ends with 204 when the page posts something in the same chat, and not in another', async () => {
    const { fetch } = transported((url, init) =>
      init.method === 'POST' ? Promise.resolve(new Response('')) : held(url, init),
    )
    const other = vi.fn()
    const resume = fetch('/chat/a/stream')
    void fetch('/chat/b/stream').then(other)
    await fetch('/chat', post)
    expect((await resume).status).toBe(204)
    expect(other).not.toHaveBeenCalled()
  })

  it('stays pending until it is stopped if it can be: the page is not to be ready meanwhile', async () => {
    const { fetch } = transported((url, init) =>
      init.method === 'POST' ? Promise.resolve(new Response('')) : held(url, init),
    )
    const stop = new AbortController()
    const settled = vi.fn()
    const resume = fetch('/chat/a/stream', { signal: stop.signal })
    resume.then(settled, settled)
    await fetch('/chat', post)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(settled).not.toHaveBeenCalled()
    stop.abort()
    await expect(resume).rejects.toThrow()
  })

  it('names the task that the page has left waiting, once', async () => {
    const { fetch, sent } = transported(async (_, { method }) =>
      method === 'POST'
        ? new Response('data: {}\n\n: waiting task 1\n\ndata: [DONE]\n\n')
        : new Response(null, { status: 204 }),
    )
    await (await fetch('/chat', post)).text()
    await fetch('/chat/a/stream')
    await fetch('/chat/a/stream')
    expect(sent.slice(1)).toEqual([
      'GET /chat/a/stream?task=task%201 no-store',
      'GET /chat/a/stream no-store',
    ])
  })
})
