// Proves that messages are cut where they end, whatever the chunks and the ends of lines, and over lost connections.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { run } from '../../src/core/machine.ts'
import { SseMessages } from '../../src/live/sse-messages.ts'
import { sseDecoder } from '../../src/sse/index.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const decoded = (text: string): unknown[] => [...run(sseDecoder()).push(text)]

const message = fc.constantFrom(
  'data: a\n\n',
  'id: 7\ndata: é🎉\n\n',
  ': comment\n\n',
  'event: e\ndata: b\ndata:\n\n',
)
const stream = fc
  .tuple(fc.array(message), fc.constantFrom('\n', '\r\n', '\r'))
  .map(([messages, end]) => messages.join('').replaceAll('\n', end))

describe('the messages of a connection', () => {
  it('are those of the stream, each as a whole', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200)), (text, cuts) => {
        const bytes = bytesOf(text)
        const places = [0, ...cuts.filter((at) => at <= bytes.length).sort((a, b) => a - b), bytes.length]
        const messages = new SseMessages()
        let whole = ''
        for (const [i, end] of places.slice(1).entries()) {
          whole += messages.push(bytes.subarray(places[i], end)).text
          // What was given out never ends within a message.
          expect(decoded(`${whole}data: next\n\n`).length).toBe(decoded(whole).length + 1)
        }
        expect(whole + messages.disconnect()).toBe(text)
        expect(decoded(whole)).toEqual(decoded(text))
        expect(messages.lastEventId).toBe(text.includes('id:') ? '7' : '')
      }),
    )
  })
})

describe('the next connection', () => {
  it('begins with a whole message, and keeps the id and the time to reconnect', () => {
    const messages = new SseMessages()
    expect(messages.push(bytesOf('retry: 5\n\nid: 1\ndata: a\n\nid: 2\ndata: é').subarray(0, -1)).text).toBe(
      'retry: 5\n\nid: 1\ndata: a\n\n',
    )
    expect(messages.disconnect()).toBe('id: 2\ndata: \ufffd')
    expect(messages).toMatchObject({ lastEventId: '1', retry: 5 })
    const next = messages.push(bytesOf('id: 2\ndata: é\n\n'))
    expect(next).toEqual({ text: 'id: 2\ndata: é\n\n', count: 1, isRestart: false })
    expect(messages).toMatchObject({ lastEventId: '2', retry: 5 })
  })

  it.each(['1', '2'])('is recognized as a new start after the id %s', (last) => {
    const messages = new SseMessages()
    messages.push(bytesOf(last === '1' ? 'id: 1\ndata: a\n\n' : 'id: 1\ndata: a\n\nid: 2\ndata: b\n\n'))
    messages.disconnect()
    expect(messages.push(bytesOf(': hello\n\n')).isRestart).toBe(false)
    expect(messages.push(bytesOf('id: 1\ndata: a\n\n')).isRestart).toBe(true)
    expect(messages.push(bytesOf('id: 1\ndata: a\n\n')).isRestart).toBe(false)
  })

  it('is no new start without ids', () => {
    const messages = new SseMessages()
    messages.push(bytesOf('data: a\n\n'))
    messages.disconnect()
    expect(messages.push(bytesOf('data: a\n\n')).isRestart).toBe(false)
  })
})
