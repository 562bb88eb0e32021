/** The binary event stream of AWS, as Bedrock sends it. */

import { crc32 } from '../../encoding/crc32.ts'
import { notJson } from './json-fault.ts'
import { faultAt, parseJson, type Receive, TOO_DEEP } from './recorded.ts'

/** The lengths and the checksum before the headers. */
const PRELUDE = 12
/** The checksum after the payload. */
const CHECKSUM = 4
const SHORTEST = PRELUDE + CHECKSUM
/** No message is longer, by the specification: 16 MiB of payload and 128 KiB of headers. */
const LONGEST = 2 ** 24 + 2 ** 17 + SHORTEST
/** The type of a header that is text. */
const TEXT = 7

/**
 * Reads the messages of a binary event stream: the event type and the payload as an object of one member. A message with
 * another checksum is reported, and read.
 */
export class AwsMessages {
  readonly #receive: Receive
  #bytes = new Uint8Array(0)
  #count = 0
  #isBroken = false

  constructor(receive: Receive) {
    this.#receive = receive
  }

  push(chunk: Uint8Array): void {
    if (this.#isBroken) return
    const bytes = new Uint8Array(this.#bytes.length + chunk.length)
    bytes.set(this.#bytes)
    bytes.set(chunk, this.#bytes.length)
    let at = 0
    while (bytes.length - at >= PRELUDE) {
      const view = new DataView(bytes.buffer, at)
      const length = view.getUint32(0)
      const headers = view.getUint32(4)
      if (length < SHORTEST || length > LONGEST || headers > length - SHORTEST) {
        this.#isBroken = true
        const message = `Expected a message of ${SHORTEST} to ${LONGEST} bytes with its headers, got one of ${length} with ${headers} of headers; the rest cannot be read.`
        this.#receive(faultAt(this.#count + 1, 'invalid-message', message))
        return
      }
      if (bytes.length - at < length) break
      this.#check(bytes.subarray(at, at + length), view)
      this.#message(bytes.subarray(at + PRELUDE, at + length - CHECKSUM), headers)
      at += length
    }
    this.#bytes = bytes.slice(at)
  }

  /** Compares the checksums: that of the lengths, and that of the whole message. */
  #check(message: Uint8Array, view: DataView): void {
    const end = message.length - CHECKSUM
    const isRight =
      crc32(message.subarray(0, PRELUDE - CHECKSUM)) === view.getUint32(PRELUDE - CHECKSUM) &&
      crc32(message.subarray(0, end)) === view.getUint32(end)
    if (isRight) return
    const text = 'Expected a message that fits its checksum, got one whose bytes were changed.'
    this.#receive(faultAt(this.#count + 1, 'invalid-checksum', text))
  }

  end(): void {
    if (this.#bytes.length === 0 || this.#isBroken) return
    const message = `Expected the rest of a message, got the end of the recording after ${this.#bytes.length} bytes of it.`
    this.#receive(faultAt(this.#count + 1, 'incomplete', message))
  }

  #message(message: Uint8Array, headersLength: number): void {
    const line = ++this.#count
    const type = eventTypeIn(message.subarray(0, headersLength))
    const text = new TextDecoder().decode(message.subarray(headersLength))
    const payload = parseJson(text)
    if (type === undefined || payload === undefined) {
      const wrong =
        type === undefined ? 'the header :event-type, got none' : `JSON as its payload, got ${notJson(text)}`
      this.#receive(faultAt(line, 'invalid-message', `Expected a message with ${wrong}.`))
    } else this.#receive({ value: payload === TOO_DEEP ? payload : { [type]: payload }, line })
  }
}

/** The type of the event or exception that the headers state. */
function eventTypeIn(headers: Uint8Array): string | undefined {
  const decoder = new TextDecoder()
  let at = 0
  while (at < headers.length) {
    const nameEnd = at + 1 + (headers[at] ?? 0)
    const name = decoder.decode(headers.subarray(at + 1, nameEnd))
    // All headers of Bedrock are text.
    if (headers[nameEnd] !== TEXT) return undefined
    const valueStart = nameEnd + 3
    const valueEnd = valueStart + (headers[nameEnd + 1] ?? 0) * 256 + (headers[nameEnd + 2] ?? 0)
    if (name === ':event-type' || name === ':exception-type') {
      return decoder.decode(headers.subarray(valueStart, valueEnd))
    }
    at = valueEnd
  }
  return undefined
}
