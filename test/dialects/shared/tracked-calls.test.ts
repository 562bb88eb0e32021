// The end of a call whose arguments were cut off is dropped, and a second end of a call.
import { expect, it } from 'vitest'
import { emptyBoundedMap } from '../../../src/core/bounded-map/bounded-map.ts'
import { StepBuilder } from '../../../src/core/step-builder.ts'
import { trackCalls } from '../../../src/dialects/shared/tracked-calls.ts'
import type { AnyEvent } from '../../../src/events/event.ts'
import { expectSentences } from '../../support/mapper-laws.ts'

const streamed = { kind: 'tool-arguments-delta', toolCallId: 'k' }
const started = { kind: 'tool-start', toolCallId: 'k' }
const failed = { kind: 'tool-complete', toolCallId: 'k', success: false }
const succeeded = { kind: 'tool-complete', toolCallId: 'k', success: true }

/** Which events are dropped. */
function droppedOf(events: readonly object[]): boolean[] {
  const builder = new StepBuilder({ calls: emptyBoundedMap })
  const dropped = events.map((event) => trackCalls(builder, event as AnyEvent))
  expectSentences([builder.done() as never].map(({ diagnostics = [] }) => ({ out: [], diagnostics })))
  expect(builder.diagnostics).toHaveLength(dropped.filter(Boolean).length)
  return dropped
}

it.each([
  ['streamed and failed', [streamed, streamed, failed], [false, false, true]],
  ['streamed, started and failed', [streamed, started, failed], [false, false, false]],
  ['streamed and succeeded', [streamed, succeeded], [false, false]],
  ['failed without arguments', [failed], [false]],
  ['succeeded twice', [started, succeeded, succeeded], [false, false, true]],
  ['succeeded, and started again', [succeeded, started, succeeded], [false, false, false]],
  ['succeeded, and streamed again', [succeeded, streamed, failed], [false, false, true]],
  ['failed twice', [streamed, failed, failed], [false, true, true]],
  [
    'other events',
    [{ kind: 'content-delta' }, streamed, { kind: 'task-status' }, failed],
    [false, false, false, true],
  ],
])('%s', (_, events, dropped) => {
  expect(droppedOf(events)).toEqual(dropped)
})

it('stores at least 1024 calls, and at most twice as many', () => {
  const many = (count: number): object[] =>
    Array.from({ length: count }, (_, i) => ({ kind: 'tool-arguments-delta', toolCallId: `k${i}` }))
  const ends = (count: number): boolean =>
    droppedOf([...many(count), { ...failed, toolCallId: 'k0' }]).at(-1) ?? false
  expect(ends(2048)).toBe(true)
  expect(ends(2049)).toBe(false)
})
