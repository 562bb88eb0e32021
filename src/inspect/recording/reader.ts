/** Reading a recording of any format, cut anywhere. */

import { AwsMessages } from './aws-messages.ts'
import { compressionOf, utf16Of } from './byte-text.ts'
import {
  faultAt,
  type HarEntry,
  type Recorded,
  type RecordedFault,
  type RecordedValue,
  TOO_DEEP,
  tooDeep,
} from './recorded.ts'
import { TextReader } from './text-reader.ts'
import { unfold } from './unfold.ts'

/** How much of the body of a response is read at once, in bytes or UTF-16 code units. */
const PIECE = 2 ** 16

/** So many bytes are enough to recognize what they are. */
const ENOUGH = 4

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
  /**
   * Reads one chunk of bytes or text, and returns the values that are complete. The body of a response in a HAR file is read
   * while its values are taken.
   */
  push(chunk: Uint8Array | string): Iterable<Recorded>
  /** Ends the recording. */
  end(): Iterable<Recorded>
}

/**
 * Creates a reader of recordings: Server-Sent Events, JSON Lines, a JSON list, JSON values one after the other, the
 * response bodies of a HAR file, the binary event stream of AWS, and transcripts of such messages. Lines end with LF, CRLF or CR;
 * a byte order mark is ignored. Memory is bounded by the longest value; of a HAR
 * file, by the longest response.
 *
 * Text is UTF-8, or UTF-16 with a byte order mark.
 *
 * Diagnostics, each with its line: `invalid-line`, `invalid-json`, `invalid-message`, `invalid-checksum`, `invalid-utf8`,
 * `incomplete`, `too-large`, `too-deep`, `unknown-sse-field`, and `compressed` and `binary`, after which nothing is read.
 */
export function recordingReader({ maxValueSize = 2 ** 26 }: RecordingOptions = {}): RecordingReader {
  let out: (Recorded | Iterable<Recorded>)[] = []
  const text = new TextReader(receive, maxValueSize, (body, entry) => out.push(valuesOf(body, entry)))
  let binary: AwsMessages | undefined
  let utf16: TextDecoder | undefined
  let isCompressed = false
  /** The first bytes, until there are enough to recognize them. `undefined` afterwards. */
  let first: Uint8Array | undefined = new Uint8Array(0)

  function receive(recorded: Recorded): void {
    if (!('value' in recorded)) out.push(recorded)
    else unfold(recorded, receiveUnfolded)
  }

  function receiveUnfolded(recorded: Recorded): void {
    out.push('value' in recorded && recorded.value === TOO_DEEP ? tooDeep(recorded.line) : recorded)
  }

  /** Reads the body of a response, which has a format of its own. */
  function* valuesOf(body: string | Uint8Array, entry: HarEntry): Generator<Recorded> {
    const { line } = entry
    for (const recorded of readBody(body)) yield { ...recorded, line, entry, bodyLine: recorded.line }
  }

  function* readBody(body: string | Uint8Array): Generator<Recorded> {
    const inner = recordingReader({ maxValueSize })
    for (let at = 0; at < body.length; at += PIECE) yield* inner.push(body.slice(at, at + PIECE))
    yield* inner.end()
  }

  /** Recognizes the bytes by the first ones. */
  function start(bytes: Uint8Array): void {
    first = undefined
    const compression = compressionOf(bytes)
    const encoding = utf16Of(bytes)
    if (compression !== undefined) {
      isCompressed = true
      const message = `Expected text or a binary event stream, got ${compression} data: decompress it first.`
      out.push(faultAt(1, 'compressed', message))
    } else if (encoding !== undefined) utf16 = new TextDecoder(encoding)
    // Text does not begin with a zero byte; the length of a binary message does.
    else if (bytes[0] === 0) binary = new AwsMessages(receive)
    pushBytes(bytes)
  }

  function pushBytes(bytes: Uint8Array): void {
    if (isCompressed) return
    if (utf16 !== undefined) text.push(utf16.decode(bytes, { stream: true }))
    else (binary ?? text).push(bytes)
  }

  return {
    push(chunk) {
      if (typeof chunk === 'string') {
        if (first !== undefined) start(first)
        if (binary === undefined && !isCompressed) text.push(chunk)
      } else if (first === undefined) pushBytes(chunk)
      else {
        const bytes = new Uint8Array(first.length + chunk.length)
        bytes.set(first)
        bytes.set(chunk, first.length)
        first = bytes
        if (bytes.length >= ENOUGH) start(bytes)
      }
      return taken()
    },
    end() {
      if (first !== undefined) start(first)
      if (utf16 !== undefined) text.push(utf16.decode())
      ;(binary ?? text).end()
      return taken()
    },
  }

  function taken(): Iterable<Recorded> {
    const all = out
    out = []
    return flat(all)
  }
}

function* flat(all: readonly (Recorded | Iterable<Recorded>)[]): Generator<Recorded> {
  for (const each of all) {
    if ('line' in each) yield each
    else yield* each
  }
}

/** Whether a value was read, and not a fault. */
export function isValue(recorded: RecordedValue | RecordedFault): recorded is RecordedValue {
  return 'value' in recorded
}
