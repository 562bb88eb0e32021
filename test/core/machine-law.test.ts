// Proves that the state of every decoder and of pipe is plain JSON, and that machines mutate nothing.

import fc from 'fast-check'
import { eventDecoder, pipe } from 'turnstream'
import { type SseMessage, sseDecoder } from 'turnstream/sse'
import { describe, it } from 'vitest'
import type { Machine } from '../../src/core/machine.ts'
import { bytesOf, streamText } from '../sse/streams.ts'
import { expectMachineLaw } from '../support/law.ts'

const chunk: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  streamText,
  streamText.map(bytesOf),
  fc.uint8Array({ maxLength: 6 }),
)

/** Maps each message to its data, to connect two decoders. */
const dataOf: Machine<null, SseMessage, string> = {
  initial: null,
  step: (state, message) => ({ state, out: [message.data] }),
  end: (state) => ({ state, out: [] }),
}

describe('state is plain JSON and nothing is mutated', () => {
  it('by sseDecoder', () => expectMachineLaw(sseDecoder({ maxMessageSize: 20 }), chunk))
  it('by eventDecoder', () => expectMachineLaw(eventDecoder({ maxMessageSize: 20 }), chunk))
  it('by pipe', () => expectMachineLaw(pipe(sseDecoder(), dataOf, sseDecoder()), chunk))
})
