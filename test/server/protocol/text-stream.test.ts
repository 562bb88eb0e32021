// Proves that the response of a protocol is kept open by comments, at the pace of its reader, and is left for good.
import { expect, it, vi } from 'vitest'
import { textStream } from '../../../src/server/protocol/text-stream.ts'

/** Texts that a test sends. */
function texts() {
  let wake: ((text: string | undefined) => void) | undefined
  let isLeft = false
  async function* read(): AsyncGenerator<string, void, undefined> {
    try {
      for (;;) {
        const text = await new Promise<string | undefined>((resolve) => {
          wake = resolve
        })
        if (text === undefined) return
        yield text
      }
    } finally {
      isLeft = true
    }
  }
  return { read, send: (text?: string) => wake?.(text), isLeft: () => isLeft }
}

const decoded = (value: Uint8Array | undefined): string => new TextDecoder().decode(value)

it('sends a comment whenever nothing has come for a while, and no more than its reader takes', async () => {
  vi.useFakeTimers()
  const started = vi.spyOn(globalThis, 'setTimeout')
  const stopped = vi.spyOn(globalThis, 'clearTimeout')
  try {
    const { read, send } = texts()
    const reader = textStream(read(), 1001).getReader()
    const first = reader.read()
    await vi.advanceTimersByTimeAsync(1001)
    expect(decoded((await first).value)).toBe(': ping\n\n')
    // Nobody reads.
    await vi.advanceTimersByTimeAsync(10_000)
    expect(decoded((await reader.read()).value)).toBe(': ping\n\n')
    const next = reader.read()
    send('data: 1\n\n')
    expect(decoded((await next).value)).toBe('data: 1\n\n')
    const last = reader.read()
    await vi.advanceTimersByTimeAsync(0)
    send()
    expect((await last).done).toBe(true)
    const own = started.mock.results.filter((_, i) => started.mock.calls[i]?.[1] === 1001)
    expect(stopped.mock.calls.map(([timer]) => timer)).toContain(own.at(-1)?.value)
  } finally {
    vi.restoreAllMocks()
    vi.useRealTimers()
  }
})

it('leaves what it reads when its reader leaves, and has no timer then', async () => {
  const { read, send, isLeft } = texts()
  const body = textStream(read())
  const reader = body.getReader()
  const reading = reader.read()
  await Promise.resolve()
  send('data: 1\n\n')
  await reading
  await reader.cancel()
  send()
  await vi.waitFor(() => expect(isLeft()).toBe(true))
})

it('fails as what it reads does', async () => {
  async function* broken(): AsyncGenerator<string, void, undefined> {
    yield 'data: 1\n\n'
    throw new Error('broken')
  }
  const reader = textStream(broken()).getReader()
  await reader.read()
  await expect(reader.read()).rejects.toThrow('broken')
})
