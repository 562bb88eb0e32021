/** Reading a recording of any format, cut anywhere. */

import { AwsMessages } from './aws-messages.ts'
import { type Recorded, type RecordedFault, type RecordedValue, TOO_DEEP, tooDeep } from './recorded.ts'
import { TextReader } from './text-reader.ts'
import { harBodies, unfold } from './unfold.ts'

/** Options of {@link recordingReader}. */
export interface RecordingOptions {
  /**
   * The maximum length of one value in UTF-16 code units. A longer one is reported as `too-large`.
   * @defaultValue 64 Mi
   */
  readonly maxValueSize?: number
}

/** Reads a recording chunk by chunk. */
export interface RecordingReader {
  /** Reads one chunk of bytes or text, and returns the values that are complete. */
  push(chunk: Uint8Array | string): Recorded[]
  /** Ends the recording. */
  end(): Recorded[]
}

/**
 * Creates a reader of recordings: Server-Sent Events, JSON Lines, a JSON list, JSON values one after the other, the
 * response bodies of a HAR file, the binary event stream of AWS, and transcripts of such messages. Lines end with LF, CRLF or CR;
 * a byte order mark is ignored. Memory is bounded by the longest value.
 *
 * Diagnostics, each with its line: `invalid-line`, `invalid-json`, `invalid-message`, `incomplete`, `too-large`, `too-deep`.
 */
export function recordingReader({ maxValueSize = 2 ** 26 }: RecordingOptions = {}): RecordingReader {
  let out: Recorded[] = []
  const text = new TextReader((recorded) => receive(recorded), maxValueSize)
  let binary: AwsMessages | undefined
  let isStart = true

  function receive(recorded: Recorded): void {
    if (!('value' in recorded)) out.push(recorded)
    else unfold(recorded, receiveUnfolded)
  }

  function receiveUnfolded(recorded: Recorded): void {
    if ('value' in recorded && recorded.value === TOO_DEEP) {
      out.push(tooDeep(recorded.line))
      return
    }
    const bodies = 'value' in recorded ? harBodies(recorded.value) : undefined
    if (bodies === undefined) out.push(recorded)
    else for (const body of bodies) readBody(body, maxValueSize, out)
  }

  return {
    push(chunk) {
      if (chunk.length === 0) return []
      if (isStart) {
        isStart = false
        // Text does not begin with a zero byte; the length of a binary message does.
        if (typeof chunk !== 'string' && chunk[0] === 0) binary = new AwsMessages(receive)
      }
      if (binary === undefined) text.push(chunk)
      else if (typeof chunk !== 'string') binary.push(chunk)
      return taken()
    },
    end() {
      ;(binary ?? text).end()
      return taken()
    },
  }

  function taken(): Recorded[] {
    const all = out
    out = []
    return all
  }
}

/** Reads the body of a response. Lines are those of the body. */
function readBody(body: string | Uint8Array, maxValueSize: number, out: Recorded[]): void {
  const inner = recordingReader({ maxValueSize })
  for (const recorded of [...inner.push(body), ...inner.end()]) out.push(recorded)
}

/** Whether a value was read, and not a fault. */
export function isValue(recorded: RecordedValue | RecordedFault): recorded is RecordedValue {
  return 'value' in recorded
}
