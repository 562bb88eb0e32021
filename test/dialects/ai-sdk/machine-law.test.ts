// Every machine of this dialect has plain JSON state and mutates nothing.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  fromUiMessageStream,
  toUiMessageStream,
  type UiMessageChunk,
} from '../../../src/dialects/ai-sdk/index.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { chunkStreams } from './chunk-streams.ts'

const event = legalStreams({ revisions: true }).chain((events) => fc.constantFrom(...events))
const chunk = chunkStreams.chain((chunks) => fc.constantFrom<UiMessageChunk>(...chunks))

describe('the machine law', () => {
  test.each([
    [5, false],
    [7, false],
    [7, true],
  ] as const)('toUiMessageStream in version %i, extension: %s', (version, extension) =>
    expectMachineLaw(toUiMessageStream({ version, extension }), event, {
      reason: fc.constantFrom(undefined, { unfinished: 'keep' as const }),
    }),
  )
  test('fromUiMessageStream', () =>
    expectMachineLaw(fromUiMessageStream({ now: () => 0, newId: () => 'm' }), chunk))
})
