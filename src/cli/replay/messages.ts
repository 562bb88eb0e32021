/** The messages of a replay, and when each is due. */
import { detectDialect } from '../../inspect/detect/detect.ts'
import type { Dialect } from '../../inspect/dialects.ts'
import { isTime, timeOf } from '../../inspect/read/event-reader.ts'
import { toCoreEvents } from '../../inspect/read/to-core-events.ts'
import { isValue, recordingReader } from '../../inspect/recording/reader.ts'
import type { RecordedValue } from '../../inspect/recording/recorded.ts'

/** One message of a stream. */
export interface ReplayMessage {
  /** The id by which a client resumes after it. */
  readonly id: string
  /** As it is sent. */
  readonly text: string
  /** When it is due, in milliseconds after the first. */
  readonly atMs: number
}

/** The messages of a recording. */
export interface Replay {
  readonly messages: readonly ReplayMessage[]
  /** What is sent after the last message, such as `[DONE]`. Empty for most formats. */
  readonly end: string
  /** How many values could not be read. */
  readonly faults: number
  /** The first of these faults. `undefined` if there is none. */
  readonly firstFault: { readonly line: number; readonly message: string } | undefined
}

/** Dialects whose clients wait for `[DONE]`. */
const withDone: ReadonlySet<Dialect> = new Set<Dialect>(['openai-chat', 'ai-sdk'])

/**
 * Reads a recording whole.
 *
 * @param intervalMs - The time between two messages of a recording that states no times.
 */
export async function readReplay(
  chunks: AsyncIterable<Uint8Array>,
  from: Dialect | undefined,
  intervalMs: number,
): Promise<Replay> {
  const reader = recordingReader()
  const values: RecordedValue[] = []
  let faults = 0
  let firstFault: Replay['firstFault']
  const add = (all: ReturnType<typeof reader.push>): void => {
    for (const recorded of all) {
      if (isValue(recorded)) values.push(recorded)
      else {
        faults++
        firstFault ??= { line: recorded.line, message: recorded.diagnostic.message }
      }
    }
  }
  for await (const chunk of chunks) add(reader.push(chunk))
  add(reader.end())
  const dialect = from ?? detectDialect(values).dialect
  const times = await dueTimes(values, dialect, intervalMs)
  const ids = values.map(({ id }) => id)
  const hasIds = ids.every((id) => id !== undefined) && new Set(ids).size === ids.length
  const messages = values.map(({ value, event, id }, i) => {
    const own = hasIds ? String(id) : String(i + 1)
    const name = event === undefined ? '' : `event: ${event}\n`
    return { id: own, text: `${name}id: ${own}\ndata: ${JSON.stringify(value)}\n\n`, atMs: times[i] ?? 0 }
  })
  return {
    messages,
    firstFault,
    end: dialect !== undefined && withDone.has(dialect) ? 'data: [DONE]\n\n' : '',
    faults,
  }
}

/** When each value is due: by the times that it states, or one after the other. Never before the value before it. */
async function dueTimes(
  values: readonly RecordedValue[],
  dialect: Dialect | undefined,
  intervalMs: number,
): Promise<number[]> {
  const reader = dialect === undefined ? undefined : await toCoreEvents(dialect)
  let start: number | undefined
  let last = 0
  let isStated = false
  const due = (time: number): void => {
    start ??= time
    last = Math.max(last, time - start)
    if (last > 0) isStated = true
  }
  const stated = values.map((recorded) => {
    const { at } = recorded
    const outputs = reader?.push(recorded) ?? []
    // The times of events are those of another clock.
    if (at !== undefined && isTime(at)) {
      due(typeof at === 'number' ? at : Date.parse(at))
      isStated = true
    } else {
      for (const output of outputs) {
        const time = 'event' in output ? timeOf(output) : undefined
        if (time !== undefined) due(time)
      }
    }
    return last
  })
  return isStated ? stated : values.map((_, i) => i * intervalMs)
}
