/** Reading one connection. */
import { messageOf } from '../../../live/index.ts'
import type { LiveReading } from '../../model/live-reading.ts'

/** After so many milliseconds without more, what came is shown, also if its protocol is not certain. */
const QUIET_MS = 300

/**
 * Reads a body to its end. Resolves to why the connection was lost; `undefined` at the end, and when `signal` is aborted.
 *
 * @param push - Receives each chunk, and returns the reading that it went to.
 * @param grown - Called after each chunk.
 */
export async function readBody(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  push: (chunk: Uint8Array) => Promise<LiveReading>,
  grown: () => void,
): Promise<string | undefined> {
  const source = body.getReader()
  let undecided: LiveReading | undefined
  try {
    let next = source.read()
    for (;;) {
      const part = await (undecided === undefined ? next : Promise.race([next, quiet()]))
      if (signal.aborted) return undefined
      if (part === undefined) {
        await undecided?.decide()
        undecided = undefined
      } else if (part.done) return undefined
      else {
        const reading = await push(part.value)
        undecided = reading.isUndecided ? reading : undefined
        next = source.read()
      }
      grown()
    }
  } catch (error) {
    return signal.aborted ? undefined : messageOf(error)
  }
}

function quiet(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, QUIET_MS)
  })
}
