// Tests that compact merges whatever may be merged, against a model that looks at all earlier events of each pair.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { compact } from '../../../src/streams/index.ts'
import { runs } from '../../support/runs.ts'
import { deltaStreams, soundStreams, strayStreams } from '../verify/support.ts'
import { mergeAll } from './merge-model.ts'

/** Fields that deltas may share: what is sent for a while by one agent. */
const variants: readonly object[] = [
  {},
  { path: ['planner'], parentTaskId: 'parent' },
  { path: ['planner', 'searcher'], parentTaskId: 'parent' },
  { parentTaskId: 'parent' },
  { path: ['planner'] },
]
const labels: readonly object[] = [
  {},
  { thoughtType: 'planning' },
  { thoughtType: 'planning', verbosity: 'brief' },
  { thoughtType: 'decision', verbosity: 'brief' },
]

/** Streams of deltas in which each variant holds for some events. */
const variedStreams = fc
  .tuple(deltaStreams, fc.array(fc.constantFrom(0, 0, 0, 0, 1, 2), { minLength: 40, maxLength: 40 }))
  .map(([events, moves]) => {
    let at = 0
    return events.map((event, i): ContextAnyEvent => {
      at += moves[i] ?? 0
      const label = event.kind === 'thought-delta' ? labels[at % labels.length] : {}
      return { ...event, ...variants[at % variants.length], ...label }
    })
  })

describe('compact', () => {
  it('merges all neighbours that may be merged', () => {
    const stream = fc.oneof(variedStreams, deltaStreams, strayStreams, soundStreams({ maxChoices: 60 }))
    fc.assert(
      fc.property(stream, (events) => {
        expect(compact(events)).toEqual(mergeAll(events))
      }),
      { numRuns: runs(600) },
    )
  })

  const context = { contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' }
  const place = { path: ['planner', 'searcher'], parentTaskId: 'parent' }
  const kinds: readonly (readonly [name: string, delta: object, joined: object])[] = [
    ['a text', { kind: 'content-delta', delta: 'a' }, { delta: 'aa' }],
    [
      'a text with an id and a path',
      { kind: 'content-delta', contentId: 't', delta: 'a', ...place },
      { delta: 'aa' },
    ],
    ['a thought', { kind: 'thought-delta', thoughtId: 'h', delta: 'a' }, { delta: 'aa' }],
    [
      'a thought with labels and a path',
      {
        kind: 'thought-delta',
        thoughtId: 'h',
        delta: 'a',
        thoughtType: 'planning',
        verbosity: 'brief',
        ...place,
      },
      { delta: 'aa' },
    ],
    [
      'arguments with a path',
      { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'a', ...place },
      { delta: 'aa' },
    ],
    [
      'a file that repeats what describes it',
      {
        kind: 'file-write',
        artifactId: 'f',
        data: 'YQ==',
        complete: false,
        encoding: 'base64',
        name: 'n',
        description: 'd',
        mimeType: 'm',
        metadata: { a: [1] },
        ...place,
      },
      { data: 'YWE=' },
    ],
    [
      'a dataset with a schema',
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [{}],
        complete: false,
        schema: { type: 'object' },
        ...place,
      },
      { rows: [{}, {}] },
    ],
  ]
  it.each(kinds)('merges two deltas of %s', (_, delta, joined) => {
    const events = [0, 1].map((index) => ({ ...context, ...structuredClone(delta), index }))
    const merged = { ...context, ...delta, index: 0, indexEnd: 1, ...joined }
    expect(compact(events as unknown as ContextAnyEvent[])).toEqual([merged])
  })

  it.each(kinds)('merges three deltas of %s, also if two of them are merged already', (_, delta) => {
    const [a, b, c] = [0, 1, 2].map((index) => ({
      ...context,
      ...structuredClone(delta),
      index,
      timestamp: `2026-01-01T00:00:0${index}Z`,
    })) as unknown as [ContextAnyEvent, ContextAnyEvent, ContextAnyEvent]
    const merged = compact([a, b, c])
    const [first, last] = [a.timestamp, c.timestamp]
    expect(merged).toMatchObject([{ index: 0, indexEnd: 2, timestamp: first, timestampEnd: last }])
    expect(compact([...compact([a, b]), c])).toEqual(merged)
    expect(compact([a, ...compact([b, c])])).toEqual(merged)
  })

  /** Another value of each field by which two deltas may differ. */
  const others: Readonly<Record<string, unknown>> = {
    contextId: 'other',
    taskId: 'other',
    parentTaskId: 'other',
    path: ['other'],
    contentId: 'other',
    thoughtId: 'other',
    thoughtType: 'decision',
    verbosity: 'detailed',
    toolCallId: 'other',
    toolName: 'other',
    artifactId: 'other',
    name: 'other',
    description: 'other',
    mimeType: 'other',
    metadata: { a: [2] },
    schema: { type: 'array' },
  }
  const different = kinds.flatMap(([name, delta]) =>
    Object.keys({ ...context, ...delta, ...place }).flatMap((field) =>
      field in others ? [[field, name, delta] as const] : [],
    ),
  )
  it.each(different)('merges nothing that differs in %s: %s', (field, _, delta) => {
    const events = [0, 1].map((index) => ({ ...context, ...structuredClone(delta), index }))
    const changed = events.map((event, i) => (i === 0 ? event : { ...event, [field]: others[field] }))
    expect(compact(changed as unknown as ContextAnyEvent[])).toEqual(changed)
  })

  const complete = { ...context, kind: 'content-complete', content: '' }
  const replace = { ...context, kind: 'content-replace', content: '' }
  const delta = (index: number, indexEnd = index): object => ({
    ...context,
    kind: 'content-delta',
    delta: '',
    index,
    ...(indexEnd !== index && { indexEnd }),
  })
  const chunk = (index: number): object => ({
    ...{ ...context, kind: 'file-write', artifactId: 'f' },
    ...{ data: 'a', index, complete: false },
  })
  const record = { ...context, kind: 'data-write', artifactId: 'f', data: {} }
  it.each([
    ['after the end of its text', [delta(0), delta(1), complete, delta(0), delta(1)], 3],
    ['after one that repeats a part', [delta(0, 1), delta(1, 2), delta(3), delta(4)], 3],
    ['after its text was replaced', [delta(0), delta(1), replace, delta(1), delta(2)], 3],
    ['but not after one that is repeated', [delta(0, 1), delta(1), delta(2)], 3],
    ['after a record with the id of its file', [chunk(0), record, chunk(1), chunk(2)], 3],
  ])('merges a delta %s', (_, events, count) => {
    const stream = events as ContextAnyEvent[]
    expect(compact(stream)).toHaveLength(count)
    expect(compact(stream)).toEqual(mergeAll(stream))
  })
})
