// Proves what is done for a slow reader: deltas joined, only thoughts and internal events dropped, and each drop counted.

import { eventKinds } from 'agentwire'
import {
  applyBackpressure,
  type Batch,
  compact,
  cursorAfter,
  decideBackpressure,
  emptyView,
  type FlowDecision,
  flowRuleOf,
  flowRules,
  foldEvent,
  type Reset,
} from 'agentwire/streams'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { runs } from '../../support/runs.ts'
import { emptyFold, fold, MAKERS, mergeAdjacent, pieces, Server } from './delivery-model.ts'
import { delta, thought } from './support.ts'

describe('decide', () => {
  test.each<[number, Parameters<typeof decideBackpressure>[1], FlowDecision]>([
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
    // From JSON, which has no infinity.
    [31, JSON.parse('{"mergeAt":null,"dropAt":null,"resetAt":null}'), 'send'],
    [512, JSON.parse('{"resetAt":null}'), 'drop-declared'],
  ])('a lag of %d under %j: %s', (lag, policy, decision) => {
    expect(decideBackpressure(lag, policy)).toBe(decision)
  })
})

describe('the table of kinds', () => {
  it('lets only thoughts and internal events be dropped', () => {
    const droppable = eventKinds.filter((kind) => flowRules[kind].drop === true)
    expect(droppable).toEqual([
      'thought-delta',
      'thought-stream',
      'internal:thought-process',
      'internal:llm-call',
      'internal:checkpoint',
      'internal:tool-start',
      'internal:tool-complete',
    ])
  })
  it('lets only what adds to or replaces what came before be merged', () => {
    expect(eventKinds.filter((kind) => flowRules[kind].merge === 'append')).toEqual([
      'content-delta',
      'tool-arguments-delta',
      'file-write',
      'dataset-write',
      'artifact-delta',
      'thought-delta',
    ])
    expect(eventKinds.filter((kind) => flowRules[kind].merge === 'replace')).toEqual([
      'tool-progress',
      'data-write',
    ])
  })
  it('keeps what it does not know, but for internal kinds', () => {
    expect(flowRuleOf('content-spark')).toEqual({})
    expect(flowRuleOf('constructor')).toEqual({})
    expect(flowRuleOf('internal:dream')).toEqual({ drop: true })
  })
})

function batchOf(...events: Batch['events']): Batch {
  const seqs = events.map((_, i) => i + 1)
  return { type: 'batch', stream: 's', epoch: 'e', after: 0, through: events.length, events, seqs }
}

describe('pace', () => {
  const deltas = batchOf(delta(0), delta(1), thought(0), delta(2), delta(3, 'task-2'))

  it('leaves alone what is to be sent, and resets', () => {
    const reset: Reset = { type: 'reset', reason: 'ahead', stream: 's', epoch: 'e', through: 3, earliest: 0 }
    expect(applyBackpressure(deltas, 'send', mergeAdjacent)).toBe(deltas)
    for (const decision of ['merge', 'drop-declared', 'reset'] as const)
      expect(applyBackpressure(reset, decision)).toBe(reset)
  })
  it('gives what is joined the place of its last', () => {
    expect(applyBackpressure(deltas, 'merge', mergeAdjacent)).toEqual({
      ...deltas,
      events: [{ ...delta(0), delta: '<0><1>', indexEnd: 1 }, thought(0), delta(2), delta(3, 'task-2')],
      seqs: [2, 3, 4, 5],
      merged: true,
    })
  })
  it('joins over what it drops, and counts that', () => {
    expect(applyBackpressure(deltas, 'drop-declared', mergeAdjacent)).toEqual({
      ...deltas,
      events: [{ ...delta(0), delta: '<0><1><2>', indexEnd: 2 }, delta(3, 'task-2')],
      seqs: [4, 5],
      merged: true,
      loss: { 'thought-stream': 1 },
    })
  })
  it('adds to a loss there is', () => {
    const lossy: Batch = { ...deltas, loss: { 'thought-stream': 2, 'thought-delta': 1 } }
    expect(applyBackpressure(lossy, 'drop-declared')).toMatchObject({
      loss: { 'thought-stream': 3, 'thought-delta': 1 },
    })
    expect(applyBackpressure(lossy, 'merge')).toBe(lossy)
  })
  it('joins nothing without being told how, and says nothing of a loss where there is none', () => {
    expect(applyBackpressure(deltas, 'merge')).toBe(deltas)
    expect(applyBackpressure(batchOf(delta(0), delta(1)), 'drop-declared')).toEqual(
      batchOf(delta(0), delta(1)),
    )
  })
  it('asks for nothing to be joined but neighbours of one kind and task that may be', () => {
    const last = <T>(events: readonly T[]): T[] => events.slice(-1)
    const mixed = batchOf(delta(0), delta(1, 'task-2'), delta(2, 'task-2'), thought(3), thought(4), delta(5))
    expect(applyBackpressure(mixed, 'merge', last)).toEqual({
      ...mixed,
      events: [delta(0), delta(2, 'task-2'), thought(3), thought(4), delta(5)],
      seqs: [1, 3, 4, 5, 6],
      merged: true,
    })
  })
  it('takes nothing from a merge that does not make one of a run', () => {
    const pairwise: typeof mergeAdjacent = (events) =>
      events.length === 2 ? mergeAdjacent(events) : [...events]
    const three = batchOf(delta(0), delta(1), delta(2))
    expect(applyBackpressure(three, 'merge', pairwise)).toBe(three)
    expect(applyBackpressure(three, 'merge', () => [])).toBe(three)
  })
  it('resets to where the batch would have led', () => {
    const viewed: Batch = { ...deltas, filter: 'v' }
    expect(applyBackpressure(viewed, 'reset')).toEqual({
      type: 'reset',
      reason: 'evicted',
      stream: 's',
      epoch: 'e',
      filter: 'v',
      through: 5,
      earliest: 1,
    })
    expect(cursorAfter(applyBackpressure(viewed, 'reset'))).toEqual(cursorAfter(viewed))
  })

  it('joins with compact all that compact joins, and the view stays the same', () => {
    const emits = fc.array(
      fc.tuple(fc.nat(MAKERS - 1), fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 5 })),
    )
    fc.assert(
      fc.property(emits, (emits) => {
        const server = new Server({ maxEvents: 1000, maxBytes: 1e6, maxAgeMs: 1000 }, pieces)
        for (const [maker, task, times] of emits) for (let i = 0; i < times; i++) server.emit(maker, task)
        const whole = server.answer(undefined, undefined, 'send').part as Batch
        const paced = applyBackpressure(whole, 'merge', compact) as Batch
        expect(paced.events.length).toBeLessThanOrEqual(compact(whole.events).length)
        expect(paced.events.reduce(foldEvent, emptyView)).toEqual(whole.events.reduce(foldEvent, emptyView))
        expect(paced.seqs.at(-1)).toBe(whole.seqs.at(-1))
      }),
      { numRuns: runs(200) },
    )
  })

  it('folds to the same, less exactly what it counts, and keeps everything durable in order', () => {
    const emits = fc.array(
      fc.tuple(fc.nat(MAKERS - 1), fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 5 })),
    )
    fc.assert(
      fc.property(emits, fc.constantFrom<FlowDecision>('merge', 'drop-declared'), (emits, decision) => {
        const server = new Server({ maxEvents: 1000, maxBytes: 1e6, maxAgeMs: 1000 }, pieces)
        for (const [maker, task, times] of emits) for (let i = 0; i < times; i++) server.emit(maker, task)
        const whole = server.answer(undefined, undefined, 'send').part as Batch
        const before = JSON.stringify(whole)
        const paced = applyBackpressure(whole, decision, mergeAdjacent) as Batch
        expect(JSON.stringify(whole)).toBe(before)
        expect({ after: paced.after, through: paced.through }).toEqual({
          after: whole.after,
          through: whole.through,
        })
        expect(paced.seqs).toHaveLength(paced.events.length)

        const isKept = (kind: string): boolean => decision === 'merge' || flowRuleOf(kind).drop !== true
        const kept = whole.events.filter(({ kind }) => isKept(kind))
        expect(paced.events.reduce(fold, emptyFold)).toEqual(kept.reduce(fold, emptyFold))
        const lost = Object.values(paced.loss ?? {}).reduce((sum, count) => sum + count, 0)
        expect(lost).toBe(whole.events.length - kept.length)
        const durable = (batch: Batch): unknown[] =>
          batch.events.filter(({ kind }) => Object.keys(flowRuleOf(kind)).length === 0)
        expect(durable(paced)).toEqual(durable(whole))
        expect(applyBackpressure(paced, decision, mergeAdjacent)).toEqual(paced)
      }),
      { numRuns: runs(500) },
    )
  })
})
