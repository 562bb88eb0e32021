/** The binary event stream of AWS, as Bedrock sends it. */

import { awsMessage } from '../../encoding/aws-message.ts'
import { notJson } from './json-fault.ts'
import { faultAt, parseJson, type Receive, TOO_DEEP } from './recorded.ts'

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
    for (;;) {
      const message = awsMessage(bytes.subarray(at))
      if (message.status === 'incomplete') break
      if (message.status === 'broken') {
        this.#isBroken = true
        this.#receive(faultAt(this.#count + 1, message.code, message.fault))
        return
      }
      if (!message.isIntact) {
        const text = 'Expected a message that fits its checksum, got one whose bytes were changed.'
        this.#receive(faultAt(this.#count + 1, 'invalid-checksum', text))
      }
      this.#message(message.headers, message.payload)
      at += message.length
    }
    this.#bytes = bytes.slice(at)
  }

  end(): void {
    if (this.#bytes.length === 0 || this.#isBroken) return
    const message = `Expected the rest of a message, got the end of the recording after ${this.#bytes.length} bytes of it.`
    this.#receive(faultAt(this.#count + 1, 'incomplete', message))
  }

  #message(headers: ReadonlyMap<string, string>, payload: Uint8Array): void {
    const line = ++this.#count
    const type = headers.get(':event-type') ?? headers.get(':exception-type')
    const text = new TextDecoder().decode(payload)
    const value = parseJson(text)
    if (type === undefined || value === undefined) {
      const wrong =
        type === undefined ? 'the header :event-type, got none' : `JSON as its payload, got ${notJson(text)}`
      this.#receive(faultAt(line, 'invalid-message', `Expected a message with ${wrong}.`))
    } else this.#receive({ value: value === TOO_DEEP ? value : { [type]: value }, line })
  }
}
