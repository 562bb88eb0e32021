/** Reading a recording of any format, cut anywhere. */

import { AwsMessages } from './aws-messages.ts'
import { type Recorded, type RecordedFault, type RecordedValue, TOO_DEEP, tooDeep } from './recorded.ts'
import { TextReader } from './text-reader.ts'
import { unfold } from './unfold.ts'

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
 * a byte order mark is ignored. Memory is bounded by the longest value; of a HAR
 * file, by the longest response.
 *
 * Diagnostics, each with its line: `invalid-line`, `invalid-json`, `invalid-message`, `incomplete`, `too-large`, `too-deep`.
 */
export function recordingReader({ maxValueSize = 2 ** 26 }: RecordingOptions = {}): RecordingReader {
  let out: Recorded[] = []
  const text = new TextReader(receive, maxValueSize, (body) => {
    const inner = recordingReader({ maxValueSize })
    return [...inner.push(body), ...inner.end()]
  })
  let binary: AwsMessages | undefined
  let isStart = true

  function receive(recorded: Recorded): void {
    // The values of an entry were read by a reader of their own.
    if (!('value' in recorded) || recorded.entry !== undefined) out.push(recorded)
    else unfold(recorded, receiveUnfolded)
  }

  function receiveUnfolded(recorded: Recorded): void {
    out.push('value' in recorded && recorded.value === TOO_DEEP ? tooDeep(recorded.line) : recorded)
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

/** Whether a value was read, and not a fault. */
export function isValue(recorded: RecordedValue | RecordedFault): recorded is RecordedValue {
  return 'value' in recorded
}
