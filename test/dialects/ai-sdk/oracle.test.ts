// What toUiMessageStream writes is accepted and shown by the AI SDK, in each version.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toUiMessageStream, type UiMessageChunk } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { eventStreams } from './event-streams.ts'
import { expectAccepted, readMessage } from './readers.ts'

/** The chunks of a stream of events. */
export function chunksOf(
  events: readonly ContextAnyEvent[],
  options: Parameters<typeof toUiMessageStream>[0] = {},
): UiMessageChunk[] {
  const machine = toUiMessageStream(options)
  return resultsOf(machine as never, events, { unfinished: 'keep' } as never).flatMap(
    ({ out }) => out as UiMessageChunk[],
  )
}

describe.each([5, 6, 7] as const)('AI SDK %i', (version) => {
  it.each([false, true])('accepts every chunk, with extension: %s', async (extension) => {
    await fc.assert(
      fc.asyncProperty(eventStreams(), async (events) => {
        await expectAccepted(version, chunksOf(events, { version, extension }))
      }),
      { numRuns: runs(60) },
    )
  })

  it.each([[], ['search']])('shows every stream without an error, with types for %j', async (...tools) => {
    await fc.assert(
      fc.asyncProperty(eventStreams({ ended: false }), async (events) => {
        const chunks = chunksOf(events, { version, tools })
        const { errors } = await readMessage(version, chunks)
        const failures = chunks.filter(({ type }) => type === 'error')
        expect({ chunks, errors }).toEqual({
          chunks,
          errors: failures.map((chunk) => (chunk as { errorText: string }).errorText),
        })
      }),
      { numRuns: runs(60) },
    )
  })
})
