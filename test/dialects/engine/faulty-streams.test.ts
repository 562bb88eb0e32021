// Proves the laws of every writer, of streams with any faults; and that the same idea has the same limit in every format.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Machine } from '../../../src/core/machine.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { eventOf } from '../../support/event-of.ts'
import { faultyStreams } from '../../support/faulty-streams.ts'
import { inputsUntilEvicted } from '../../support/mapper-laws.ts'
import { runs, someOf } from '../../support/runs.ts'
import { type Format, formats } from '../formats.ts'
import { expectWriterLaws } from '../writer-laws.ts'

describe.each([...new Set(formats.map(({ format }) => format))])('%s', (name) => {
  // By their names, which a counterexample shows.
  const variants = new Map(
    formats.flatMap((each) => (each.format === name ? [[each.name, each] as const] : [])),
  )

  it(`faulty streams: ${name}`, () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...variants.keys()), faultyStreams, (variant, events) =>
        expectWriterLaws(variants.get(variant) as Format, events),
      ),
      { numRuns: runs(700) },
    ))
})

const items: readonly (readonly [string, (i: number) => object])[] = [
  ['open texts', (i) => ({ kind: 'content-delta', contentId: `x${i}`, delta: 'a', index: 0 })],
  ['open thoughts', (i) => ({ kind: 'thought-delta', thoughtId: `x${i}`, delta: 'a', index: 0 })],
  [
    'calls without a result',
    (i) => ({ kind: 'tool-start', toolCallId: `x${i}`, toolName: 'f', arguments: {} }),
  ],
]

describe.each(items)('%s', (_, itemOf) => {
  const { kind } = itemOf(0) as ContextAnyEvent
  const place = items.findIndex(([, other]) => other === itemOf)
  // Each format with one of the items, and all of them with `FC_SCALE=1`.
  const having = someOf(formats, 2 * items.length, place).filter(
    ({ coverage }) => coverage[kind] !== 'omitted',
  )
  it.each(having)('are at most 2048 in $name', ({ writer }) => {
    const machine = writer() as Machine<unknown, ContextAnyEvent, unknown, never>
    expect(inputsUntilEvicted(machine, (i) => eventOf(itemOf(i) as never))).toBe(2 * 1024 + 1)
  })
})
