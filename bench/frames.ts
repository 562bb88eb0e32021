/** Frames: decoding, verifying and encoding a log, and mapping it to events and back. */
import { deepStrictEqual, strictEqual } from 'node:assert'
import {
  type AnyFrame,
  decodeFrame,
  encodeFrame,
  type FrameV1,
  frameVerifier,
  fromFrames,
  toFrames,
} from '../src/dialects/frames/index.ts'
import { type ContextAnyEvent, run } from '../src/index.ts'
import { wordsFrom } from './data.ts'
import { difference, nsPer, type Row, race, ratio } from './harness.ts'

const FRAMES = 50_000
const PER_SESSION = 500

/** Consecutive sessions: mostly text, each delta after its provider event, and tool calls. */
function makeLog(): FrameV1[] {
  const words = wordsFrom(5)
  return Array.from({ length: FRAMES }, (_, i) => {
    const seq = i % PER_SESSION
    const session = Math.floor(i / PER_SESSION)
    const frame = {
      id: `0b7d4c1e-5a10-4f6b-9c2e-${String(i).padStart(12, '0')}`,
      session_id: `6f1d2c3b-4a59-4687-8b7c-${String(session).padStart(12, '0')}`,
      timestamp_ms: 1_767_225_600_000 + i * 7,
      seq,
    }
    return { ...frame, ...bodyAt(seq, words) } as FrameV1
  })
}

function bodyAt(seq: number, words: (count: number) => string): object {
  if (seq === 0) return { type: 'session_started', input: words(8) }
  if (seq === PER_SESSION - 1) return { type: 'session_ended', reason: 'completed' }
  const tool_id = `call-${Math.floor(seq / 20)}`
  switch (seq % 20) {
    case 1:
      return { type: 'tool_started', tool_id, name: 'grep', args: { pattern: words(1) }, timeout_ms: null }
    case 2:
      return { type: 'tool_stdout', tool_id, chunk: words(12) }
    case 3:
      return { type: 'tool_ended', tool_id, exit_code: 0, duration_ms: 12, artifacts: null }
    default:
      return seq % 2 === 0 ? providerEvent(words(2)) : { type: 'output_text_delta', delta: words(2) }
  }
}

function providerEvent(delta: string): object {
  return {
    type: 'provider_event',
    provider: 'openresponses',
    status: 'event',
    event_name: 'response.output_text.delta',
    data: { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, delta },
    raw: null,
    errors: [],
    response_errors: [],
  }
}

const version = 'v1'

export async function bench(rounds: number): Promise<Row[]> {
  const log = makeLog()
  const lines = log.map((frame) => JSON.stringify(frame))
  const parse = (line: string): FrameV1 => JSON.parse(line)
  const decode = (line: string): FrameV1 | undefined => {
    const decoded = decodeFrame(JSON.parse(line), { version })
    return decoded.status === 'known' ? decoded.event : undefined
  }
  const toEvents = (): ContextAnyEvent[] => {
    const { push } = run(fromFrames({ contextId: 'c' }))
    return log.flatMap((frame) => push(frame) as ContextAnyEvent[])
  }
  const events = toEvents()
  const back = (): AnyFrame[] => {
    const sessionId = log[0]?.session_id ?? ''
    let i = 0
    const { push } = run(toFrames({ version, sessionId, newId: () => log[i++]?.id ?? '' }))
    return events.flatMap((event) => push(event) as AnyFrame[])
  }
  const violations = (): unknown[] => {
    const { push, end } = run(frameVerifier({ version }))
    return [...log.flatMap((frame) => push(frame) as unknown[]), ...end()]
  }
  deepStrictEqual(lines.map(decode), log)
  strictEqual(log.map(encodeFrame).join('\n'), lines.join('\n'))
  strictEqual(back().map(encodeFrame).join('\n'), lines.join('\n'))
  deepStrictEqual(violations(), [])

  const sum = (way: (line: string) => FrameV1 | undefined): number =>
    lines.reduce((total, line) => total + (way(line)?.seq ?? 0), 0)
  const length = (way: (frame: FrameV1) => string): number =>
    log.reduce((total, frame) => total + way(frame).length, 0)
  const times = await race(rounds, {
    parse: () => sum(parse),
    decode: () => sum(decode),
    plain: () => length((frame) => JSON.stringify(frame)),
    encode: () => length(encodeFrame),
    verify: () => violations().length,
    from: () => toEvents().length,
    to: () => back().length,
  })
  return [
    {
      what: 'validating one freshly parsed frame',
      measured: `${nsPer('frame', difference(times.decode, times.parse), FRAMES)}; parsing it ${nsPer('frame', times.parse, FRAMES)}`,
      ratio: { ...ratio(times.decode, times.parse), against: 'JSON.parse, which is included' },
    },
    {
      what: '`encodeFrame`',
      measured: nsPer('frame', times.encode, FRAMES),
      ratio: { ...ratio(times.encode, times.plain), against: 'JSON.stringify alone' },
    },
    { what: '`frameVerifier`', measured: nsPer('frame', times.verify, FRAMES) },
    { what: '`fromFrames`', measured: nsPer('frame', times.from, FRAMES) },
    { what: '`toFrames`', measured: nsPer('event', times.to, events.length) },
  ]
}
