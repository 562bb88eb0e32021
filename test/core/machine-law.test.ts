// Proves that the state of every machine of the core is plain JSON and that nothing is mutated.

import { eventDecoder, pipe } from 'agentwire'
import { type SseMessage, sseDecoder } from 'agentwire/sse'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import type { Machine } from '../../src/core/machine.ts'
import { bytesOf, streamText } from '../sse/streams.ts'
import { expectMachineLaw } from '../support/law.ts'

const chunk: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  streamText,
  streamText.map(bytesOf),
  fc.uint8Array({ maxLength: 6 }),
)

/** The data of each message: what stands between two machines of different kinds. */
const dataOf: Machine<null, SseMessage, string> = {
  initial: null,
  step: (state, message) => ({ state, out: [message.data] }),
  end: (state) => ({ state, out: [] }),
}

describe('the machine law', () => {
  it('sseDecoder', () => expectMachineLaw(sseDecoder({ maxMessageSize: 20 }), chunk))
  it('eventDecoder', () => expectMachineLaw(eventDecoder({ maxMessageSize: 20 }), chunk))
  it('pipe', () => expectMachineLaw(pipe(sseDecoder(), dataOf, sseDecoder()), chunk))
})
