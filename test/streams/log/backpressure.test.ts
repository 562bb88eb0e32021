// Backpressure: deltas are merged, only thoughts and internal events are dropped, and each drop is counted.

import fc from 'fast-check'
import { type ContextAnyEvent, eventKinds } from 'turnstream'
import {
  applyBackpressure,
  type Batch,
  compact,
  decideBackpressure,
  emptyView,
  foldEvent,
  type Reset,
} from 'turnstream/streams'
import { describe, expect, it, test } from 'vitest'
import type { BackpressureDecision } from '../../../src/streams/log/backpressure.ts'
import { backpressureRuleOf } from '../../../src/streams/log/backpressure.ts'
import { cursorAfter } from '../../../src/streams/log/batch.ts'
import { runs } from '../../support/runs.ts'
import { emptyFold, fold, MAKERS, mergeAdjacent, pieces, Server } from './delivery-model.ts'
import { delta, thought } from './support.ts'

describe('decideBackpressure', () => {
  test.each<[number, Parameters<typeof decideBackpressure>[1], BackpressureDecision]>([
    [0, undefined, 'send'],
    [31, undefined, 'send'],
    [32, undefined, 'merge'],
    [511, undefined, 'merge'],
    [512, undefined, 'drop-declared'],
    [1e9, undefined, 'drop-declared'],
    [9, { mergeAt: 10, dropAt: 20, resetAt: 30 }, 'send'],
    [10, { mergeAt: 10, dropAt: 20, resetAt: 30 }, 'merge'],
    [20, { mergeAt: 10, dropAt: 20, resetAt: 30 }, 'drop-declared'],
    [30, { mergeAt: 10, dropAt: 20, resetAt: 30 }, 'reset'],
    [0, { mergeAt: 0 }, 'merge'],
    [5, { mergeAt: 10, dropAt: 5 }, 'drop-declared'],
    // From JSON, where null stands for an omitted field.
    [31, JSON.parse('{"mergeAt":null,"dropAt":null,"resetAt":null}'), 'send'],
    [512, JSON.parse('{"resetAt":null}'), 'drop-declared'],
  ])('a lag of %d under %j: %s', (lag, policy, decision) => {
    expect(decideBackpressure(lag, policy)).toBe(decision)
  })
})

describe('backpressureRuleOf', () => {
  it('allows only thoughts and internal events to be dropped', () => {
    const droppable = eventKinds.filter((kind) => backpressureRuleOf(kind).drop === true)
    expect(droppable).toEqual(eventKinds.filter((kind) => /^(thought-|internal:)/.test(kind)))
  })
  it('allows only deltas and superseded values to be merged', () => {
    const mergedBy = (merge: 'append' | 'replace'): string[] =>
      eventKinds.filter((kind) => backpressureRuleOf(kind).merge === merge)
    expect(mergedBy('append').filter((kind) => !/-(delta|write)$/.test(kind))).toEqual([])
    expect(mergedBy('append')).toContain('content-delta')
    expect(mergedBy('replace').filter((kind) => !/-(progress|write)$/.test(kind))).toEqual([])
    expect(mergedBy('replace')).toContain('tool-progress')
  })
  it('never drops unknown kinds, except internal ones', () => {
    expect(backpressureRuleOf('content-spark')).toEqual({})
    expect(backpressureRuleOf('constructor')).toEqual({})
    expect(backpressureRuleOf('internal:dream')).toEqual({ drop: true })
  })
})

function batchOf(...events: Batch['events']): Batch {
  const seqs = events.map((_, i) => i + 1)
  return { type: 'batch', stream: 's', epoch: 'e', after: 0, through: events.length, events, seqs }
}

describe('applyBackpressure', () => {
  const deltas = batchOf(delta(0), delta(1), thought(0), delta(2), delta(3, 'task-2'))

  it('returns resets, and batches to send, unchanged', () => {
    const reset: Reset = { type: 'reset', reason: 'ahead', stream: 's', epoch: 'e', through: 3, earliest: 0 }
    expect(applyBackpressure(deltas, 'send', mergeAdjacent)).toBe(deltas)
    for (const decision of ['merge', 'drop-declared', 'reset'] as const)
      expect(applyBackpressure(reset, decision)).toBe(reset)
  })
  it('gives a merged event the sequence number of its last part', () => {
    expect(applyBackpressure(deltas, 'merge', mergeAdjacent)).toEqual({
      ...deltas,
      events: [{ ...delta(0), delta: '<0><1>', indexEnd: 1 }, thought(0), delta(2), delta(3, 'task-2')],
      seqs: [2, 3, 4, 5],
      merged: true,
    })
  })
  it('merges across dropped events and counts those', () => {
    expect(applyBackpressure(deltas, 'drop-declared', mergeAdjacent)).toEqual({
      ...deltas,
      events: [{ ...delta(0), delta: '<0><1><2>', indexEnd: 2 }, delta(3, 'task-2')],
      seqs: [4, 5],
      merged: true,
      loss: { 'thought-stream': 1 },
    })
  })
  it('adds to an existing loss', () => {
    const lossy: Batch = { ...deltas, loss: { 'thought-stream': 2, 'thought-delta': 1 } }
    expect(applyBackpressure(lossy, 'drop-declared')).toMatchObject({
      loss: { 'thought-stream': 3, 'thought-delta': 1 },
    })
    expect(applyBackpressure(lossy, 'merge')).toBe(lossy)
  })
  it('merges nothing without a merge function, and adds no loss if nothing is dropped', () => {
    expect(applyBackpressure(deltas, 'merge')).toBe(deltas)
    expect(applyBackpressure(batchOf(delta(0), delta(1)), 'drop-declared')).toEqual(
      batchOf(delta(0), delta(1)),
    )
  })
  it('offers only adjacent mergeable events of one kind and task to the merge function', () => {
    const last = <T>(events: readonly T[]): T[] => events.slice(-1)
    const mixed = batchOf(delta(0), delta(1, 'task-2'), delta(2, 'task-2'), thought(3), thought(4), delta(5))
    expect(applyBackpressure(mixed, 'merge', last)).toEqual({
      ...mixed,
      events: [delta(0), delta(2, 'task-2'), thought(3), thought(4), delta(5)],
      seqs: [1, 3, 4, 5, 6],
      merged: true,
    })
  })
  it('drops transient events of an application, and counts them', () => {
    const custom = (more: object) =>
      ({ ...delta(0), kind: 'custom', name: 'acme.hint', data: 1, ...more }) as unknown as ContextAnyEvent
    const hints = batchOf(custom({}), custom({ transient: true }), custom({ transient: false }), {
      ...delta(0),
      transient: true,
    } as ContextAnyEvent)
    expect(applyBackpressure(hints, 'drop-declared')).toEqual({
      ...hints,
      events: [hints.events[0], hints.events[2], hints.events[3]],
      seqs: [1, 3, 4],
      loss: { custom: 1 },
    })
  })
  it('merges what can be merged before and after a pair that cannot', () => {
    const parts = batchOf(delta(0), delta(1), delta(5), delta(6))
    expect(applyBackpressure(parts, 'merge', mergeAdjacent)).toEqual({
      ...parts,
      events: [
        { ...delta(0), delta: '<0><1>', indexEnd: 1 },
        { ...delta(5), delta: '<5><6>', indexEnd: 6 },
      ],
      seqs: [2, 4],
      merged: true,
    })
  })
  it('ignores a merge function that does not return exactly one event', () => {
    const pairwise: typeof mergeAdjacent = (events) =>
      events.length === 2 ? mergeAdjacent(events) : [...events]
    const three = batchOf(delta(0), delta(1), delta(2))
    expect(applyBackpressure(three, 'merge', pairwise)).toBe(three)
    expect(applyBackpressure(three, 'merge', () => [])).toBe(three)
  })
  it('returns a reset to the end of the batch', () => {
    const filtered: Batch = { ...deltas, filter: 'v' }
    expect(applyBackpressure(filtered, 'reset')).toEqual({
      type: 'reset',
      reason: 'evicted',
      stream: 's',
      epoch: 'e',
      filter: 'v',
      through: 5,
      earliest: 1,
    })
    expect(cursorAfter(applyBackpressure(filtered, 'reset'))).toEqual(cursorAfter(filtered))
  })

  it('merges as much as compact, and folds to the same view', () => {
    const emits = fc.array(
      fc.tuple(fc.nat(MAKERS - 1), fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 5 })),
    )
    fc.assert(
      fc.property(emits, (emits) => {
        const server = new Server({ maxEvents: 1000, maxBytes: 1e6, maxAgeMs: 1000 }, pieces)
        for (const [maker, task, times] of emits) for (let i = 0; i < times; i++) server.emit(maker, task)
        const whole = server.answer(undefined, undefined, 'send').part as Batch
        const reduced = applyBackpressure(whole, 'merge', compact) as Batch
        expect(reduced.events.length).toBeLessThanOrEqual(compact(whole.events).length)
        expect(reduced.events.reduce(foldEvent, emptyView)).toEqual(whole.events.reduce(foldEvent, emptyView))
        expect(reduced.seqs.at(-1)).toBe(whole.seqs.at(-1))
      }),
      { numRuns: runs(200) },
    )
  })

  it('folds to the same state except for exactly the counted events, and keeps durable events in order', () => {
    const emits = fc.array(
      fc.tuple(fc.nat(MAKERS - 1), fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 5 })),
    )
    fc.assert(
      fc.property(
        emits,
        fc.constantFrom<BackpressureDecision>('merge', 'drop-declared'),
        (emits, decision) => {
          const server = new Server({ maxEvents: 1000, maxBytes: 1e6, maxAgeMs: 1000 }, pieces)
          for (const [maker, task, times] of emits) for (let i = 0; i < times; i++) server.emit(maker, task)
          const whole = server.answer(undefined, undefined, 'send').part as Batch
          const before = JSON.stringify(whole)
          const reduced = applyBackpressure(whole, decision, mergeAdjacent) as Batch
          expect(JSON.stringify(whole)).toBe(before)
          expect({ after: reduced.after, through: reduced.through }).toEqual({
            after: whole.after,
            through: whole.through,
          })
          expect(reduced.seqs).toHaveLength(reduced.events.length)

          const isKept = (kind: string): boolean =>
            decision === 'merge' || backpressureRuleOf(kind).drop !== true
          const kept = whole.events.filter(({ kind }) => isKept(kind))
          expect(reduced.events.reduce(fold, emptyFold)).toEqual(kept.reduce(fold, emptyFold))
          const lost = Object.values(reduced.loss ?? {}).reduce((sum, count) => sum + count, 0)
          expect(lost).toBe(whole.events.length - kept.length)
          const durable = (batch: Batch): unknown[] =>
            batch.events.filter(({ kind }) => Object.keys(backpressureRuleOf(kind)).length === 0)
          expect(durable(reduced)).toEqual(durable(whole))
          expect(applyBackpressure(reduced, decision, mergeAdjacent)).toEqual(reduced)
        },
      ),
      { numRuns: runs(500) },
    )
  })
})
