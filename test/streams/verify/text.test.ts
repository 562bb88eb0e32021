// Tests the rules of texts and thoughts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { context, created, describeCases, ended, start, status } from './cases.ts'
import { verify } from './support.ts'

describeCases('texts and thoughts', {
  'reports thoughts that differ from their deltas, continue after their end, or skip an index': {
    events: [
      created,
      { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 },
      { kind: 'thought-delta', thoughtId: 'h', delta: 'c', index: 2 },
      ...['h', 'k'].map((thoughtId, index) => ({
        kind: 'thought-stream',
        thoughtId,
        thoughtType: 'planning',
        verbosity: 'brief',
        content: 'abc',
        index,
      })),
      { kind: 'thought-delta', thoughtId: 'k', delta: 'a', index: 0 },
      { kind: 'thought-delta', thoughtId: 'l', delta: 'a', index: 0 },
      {
        kind: 'thought-stream',
        thoughtId: 'l',
        thoughtType: 'planning',
        verbosity: 'brief',
        content: 'b',
        index: 2,
      },
      status('completed'),
    ],
    rules: ['delta-index', 'thought-once', 'whole-repeats-deltas'],
  },
  'reports a merged delta whose indexEnd is less than its index': {
    events: [
      created,
      { kind: 'content-delta', delta: '', index: 0 },
      { kind: 'content-delta', delta: '', index: 1, indexEnd: 0 },
      status('failed'),
    ],
    options: { mode: 'standard' },
    rules: ['delta-index'],
  },
  'reports content after empty deltas': {
    events: [
      created,
      { kind: 'content-delta', delta: '', index: 0 },
      { kind: 'content-complete', content: 'a' },
      status('completed'),
    ],
    rules: ['whole-repeats-deltas'],
  },
  'accepts texts with different ids at the same time, and a result that joins them as they began': {
    events: [
      created,
      { kind: 'content-complete', content: 'Before.' },
      { kind: 'content-delta', contentId: 'a', delta: 'A', index: 0 },
      { kind: 'content-delta', delta: 'B', index: 0 },
      { kind: 'content-delta', contentId: 'a', delta: 'a', index: 1 },
      { kind: 'content-complete', content: 'B' },
      { kind: 'content-complete', contentId: 'c', content: 'C' },
      { kind: 'content-complete', contentId: 'a', content: 'Aa' },
      { kind: 'task-complete', content: 'AaBC' },
      status('completed'),
    ],
    rules: [],
  },
  'accepts a result that repeats the last of several texts': {
    events: [
      created,
      { kind: 'content-delta', contentId: 'a', delta: 'A', index: 0 },
      { kind: 'content-complete', contentId: 'b', content: 'B' },
      { kind: 'content-complete', contentId: 'a', content: 'A' },
      { kind: 'task-complete', content: 'A' },
      status('completed'),
    ],
    rules: [],
  },
  'reports a result that joins texts of which none were open together, or in another order': {
    events: [
      created,
      { kind: 'content-complete', content: 'A' },
      { kind: 'content-complete', contentId: 'b', content: 'B' },
      { kind: 'task-complete', content: 'AB' },
      status('completed'),
      { ...created, taskId: 'two' },
      { taskId: 'two', kind: 'content-delta', contentId: 'a', delta: 'A', index: 0 },
      { taskId: 'two', kind: 'content-complete', contentId: 'b', content: 'B' },
      { taskId: 'two', kind: 'content-complete', contentId: 'a', content: 'A' },
      { taskId: 'two', kind: 'task-complete', content: 'BA' },
      { ...status('completed'), taskId: 'two' },
    ],
    rules: ['result-repeats-content', 'result-repeats-content'],
  },
  'counts the deltas of each text, also when its id is used again': {
    events: [
      created,
      { kind: 'content-delta', contentId: 'a', delta: 'A', index: 0 },
      { kind: 'content-delta', contentId: 'b', delta: 'B', index: 1 },
      { kind: 'content-complete', contentId: 'a', content: 'A' },
      { kind: 'content-delta', contentId: 'a', delta: 'A', index: 1 },
      { kind: 'content-complete', contentId: 'a', content: 'A' },
      { kind: 'content-complete', contentId: 'b', content: 'C' },
      { kind: 'content-delta', contentId: 'b', delta: 'B', index: 0 },
      { kind: 'content-complete', contentId: 'b', content: 'C' },
      status('completed'),
    ],
    rules: ['delta-index', 'segment-restarts', 'whole-repeats-deltas'],
  },
  'reports each text that is open at the end': {
    events: [
      created,
      ...['a', 'b', 'c'].map((contentId) => ({ kind: 'content-delta', contentId, delta: 'A', index: 0 })),
      { kind: 'content-complete', contentId: 'b', content: 'A' },
      status('completed'),
    ],
    rules: ['segment-open-at-success', 'segment-open-at-success'],
  },
  'reports nothing that follows from having forgotten open texts': {
    events: [
      created,
      ...[0, 1].flatMap((index) =>
        Array.from({ length: 400 }, (_, n) => ({
          kind: 'content-delta',
          contentId: `text-${n}`,
          delta: 'A',
          index,
        })),
      ),
      ...Array.from({ length: 400 }, (_, n) => ({
        kind: 'content-complete',
        contentId: `text-${n}`,
        content: 'AA',
      })),
      { kind: 'task-complete', content: 'AA'.repeat(400) },
      status('completed'),
    ],
    rules: [],
  },
  'accepts a result that joins more open texts than are stored': {
    events: [
      created,
      ...Array.from({ length: 300 }, (_, n) => ({
        kind: 'content-delta',
        contentId: `text-${n}`,
        delta: 'A',
        index: 0,
      })),
      { kind: 'task-complete', content: 'A'.repeat(300) },
      status('completed'),
    ],
    rules: [],
  },
  'accepts references to thoughts and tool calls, also to later ones, and reports others': {
    events: [
      created,
      start('c'),
      ...['c', 'd', 'h0', 'h5', 'x', 'task'].map((relatedTo, index) => ({
        kind: 'thought-stream',
        thoughtId: `h${index}`,
        thoughtType: 'planning',
        verbosity: 'brief',
        content: '',
        index,
        metadata: { relatedTo },
      })),
      ended('c'),
      start('d'),
      ended('d'),
      status('completed'),
    ],
    rules: ['related-known', 'related-known'],
  },
  'accepts references that may be to thoughts from before the stream was joined': {
    events: [
      {
        kind: 'thought-stream',
        thoughtId: 'h',
        thoughtType: 'planning',
        verbosity: 'brief',
        content: '',
        index: 3,
        metadata: { relatedTo: 'x' },
      },
      status('completed'),
    ],
    options: { startIndex: 5 },
    rules: [],
  },
  'reports the latest 64 unknown references of thoughts': {
    events: [
      created,
      ...Array.from({ length: 70 }, (_, index) => ({
        kind: 'thought-stream',
        thoughtId: `h${index}`,
        thoughtType: 'planning',
        verbosity: 'brief',
        content: '',
        index,
        metadata: { relatedTo: `x${index}` },
      })),
      status('completed'),
    ],
    rules: Array.from({ length: 64 }, () => 'related-known'),
  },
})

describe('labels of a thought', () => {
  const thoughtType = fc.constantFrom('planning', 'reasoning', undefined)
  const verbosity = fc.constantFrom('brief', 'detailed', undefined)
  const deltas = fc.array(fc.record({ thoughtType, verbosity }), { maxLength: 5 })
  const whole = fc.record({
    thoughtType: fc.constantFrom('planning', 'reasoning'),
    verbosity: fc.constantFrom('brief', 'detailed'),
  })

  it('are compared with the latest delta that has them', () => {
    fc.assert(
      fc.property(deltas, whole, (parts, end) => {
        const known: Record<string, string> = {}
        const differences = [...parts, end].flatMap((labels, at) =>
          (['thoughtType', 'verbosity'] as const).flatMap((field) => {
            const { [field]: actual } = labels
            const { [field]: expected } = known
            if (actual !== undefined) known[field] = actual
            if (actual === undefined || expected === undefined || actual === expected) return []
            return [{ rule: 'thought-labels', eventIndex: at + 1, path: `/${field}`, expected, actual }]
          }),
        )
        const thought = { ...context, thoughtId: 'h' }
        const defined = (labels: object) =>
          Object.fromEntries(Object.entries(labels).filter(([, label]) => label !== undefined))
        const events = [
          created,
          ...parts.map((labels, index) => ({
            ...thought,
            kind: 'thought-delta',
            delta: 'a',
            index,
            ...defined(labels),
          })),
          { ...thought, kind: 'thought-stream', content: 'a'.repeat(parts.length), index: 0, ...end },
          status('completed'),
        ] as ContextAnyEvent[]
        expect(verify(events, { mode: 'strict' })).toMatchObject(differences)
      }),
    )
  })
})
