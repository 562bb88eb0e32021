// Proves that neither direction throws on values that are nested deeper than any recursion can follow.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { fromUiMessageStream, toUiMessageStream, uiMessages } from '../../../src/dialects/ai-sdk/index.ts'
import { expectDeepTaken, ofView } from '../../support/deep-leaves.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { withUnknownFields } from '../../support/mapper-laws.ts'
import { chunkStreams } from './chunk-streams.ts'
import { shapedChunks } from './shaped-chunks.ts'

describe('a value nested 100 000 levels deep', () => {
  test.each([false, true])('of an event, with extension %s', (extension) =>
    expectDeepTaken(
      () => toUiMessageStream({ extension, viewer: { audience: 'operator' } }) as never,
      withUnknownFields(legalStreams()),
    ),
  )

  test('of a chunk', () =>
    expectDeepTaken(() => fromUiMessageStream() as never, fc.oneof(chunkStreams, shapedChunks)))

  test('of the events of a view', () =>
    expectDeepTaken(
      () => ofView((view) => uiMessages(view, { viewer: { audience: 'operator' } })) as never,
      withUnknownFields(legalStreams()),
    ))
})
