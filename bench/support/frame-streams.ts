/** Frames of many streams and tools at once: time per input, and whether it grows with their number. */
import { ok } from 'node:assert'
import { run } from 'turnstream'
import { type AnyFrame, frameReceiver, frameVerifier, fromFrames, toFrames } from 'turnstream/frames'
import { race } from './race.ts'
import { atMost, type Effort, nsEach, type Row } from './row.ts'

const COUNT = 1000

/** A machine with its state. */
interface Running {
  push(input: never): readonly unknown[]
}

/** The rows of the mappers, the receiver and the verifier; growth: against a tenth of the streams or tools. */
export async function frameStreamRows({ rounds, scale }: Effort): Promise<Row[]> {
  const count = Math.ceil(COUNT * scale)
  const logs = { [`${COUNT} streams, interleaved`]: interleaved, [`${COUNT} open tools`]: openTools }
  const rows: Row[] = []
  for (const [what, logOf] of Object.entries(logs)) {
    const [many, few] = [logOf(count), logOf(Math.ceil(count / 10))]
    const machines: Record<string, () => Running> = {
      fromFrames: () => run(fromFrames()),
      frameReceiver: () => run(frameReceiver()),
      frameVerifier: () => run(frameVerifier({ version: 'v1' })),
    }
    for (const [name, make] of Object.entries(machines)) {
      rows.push(await rowOf(rounds, `\`${name}\`, ${what}`, make, many, few))
    }
    const writer = (): Running => run(toFrames({ version: 'v1', sessionId: 's', newId: () => 'id' }))
    rows.push(await rowOf(rounds, `\`toFrames\`, ${what}`, writer, eventsOf(many), eventsOf(few)))
  }
  return rows
}

async function rowOf(
  rounds: number,
  what: string,
  make: () => Running,
  many: readonly unknown[],
  few: readonly unknown[],
): Promise<Row> {
  const times = await race(Math.ceil(rounds / 2), {
    many: () => outputsOf(make(), many),
    few: () => outputsOf(make(), few),
  })
  const ns = nsEach(times.many, many.length)
  const growth = ns / nsEach(times.few, few.length)
  return { what, figure: ns / 1e3, unit: 'µs', budget: atMost(5), detail: `growth ${growth.toFixed(2)}×` }
}

function outputsOf({ push }: Running, inputs: readonly unknown[]): number {
  let count = 0
  for (const input of inputs) count += push(input as never).length
  return count
}

function eventsOf(log: readonly AnyFrame[]): readonly unknown[] {
  const { push } = run(fromFrames())
  const events = log.flatMap((frame) => push(frame))
  ok(events.length >= log.length, 'Frames are lost.')
  return events
}

/** Sessions that advance in turn, each with a text and a tool. */
function interleaved(count: number): AnyFrame[] {
  const text = { type: 'output_text_delta', delta: 'Hi ' }
  const bodies = [
    { type: 'session_started', input: 'Hi' },
    ...Array.from({ length: 4 }, () => text),
    { type: 'tool_started', tool_id: 't', name: 'bash', args: { command: 'ls' }, timeout_ms: null },
    { type: 'tool_stdout', tool_id: 't', chunk: 'README.md' },
    { type: 'tool_ended', tool_id: 't', exit_code: 0, duration_ms: 5, artifacts: null },
    text,
    { type: 'session_ended', reason: 'completed' },
  ]
  return bodies.flatMap((body, seq) => Array.from({ length: count }, (_, i) => inStream(`s${i}`, seq, body)))
}

/** One session, whose tools all run at once. */
function openTools(count: number): AnyFrame[] {
  const ids = Array.from({ length: count }, (_, i) => `t${i}`)
  const bodies = [
    { type: 'session_started', input: 'Hi' },
    ...ids.map((tool_id) => ({ type: 'tool_started', tool_id, name: 'bash', args: {}, timeout_ms: null })),
    ...ids.map((tool_id) => ({ type: 'tool_stdout', tool_id, chunk: 'README.md' })),
    ...ids.map((tool_id) => ({ type: 'tool_ended', tool_id, exit_code: 0, duration_ms: 5, artifacts: null })),
    { type: 'session_ended', reason: 'completed' },
  ]
  return bodies.map((body, seq) => inStream('s', seq, body))
}

function inStream(session_id: string, seq: number, body: { type: string }): AnyFrame {
  return { id: `${session_id}-${seq}`, session_id, timestamp_ms: 1_769_855_400_000 + seq, seq, ...body }
}
