// Ids of read filters: equal however a viewer and a filter are written, different where they select differently.

import fc from 'fast-check'
import { type EventFilter, readFilter, redactions, type Viewer } from 'turnstream/streams'
import { describe, expect, it, test } from 'vitest'
import { externalKinds } from '../../../src/events/kinds.ts'
import { defaultThoughts } from '../../../src/streams/access/redactions.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { eventFilters, viewers } from './viewers.ts'

/** Returns the numbers in turn, again and again. */
function cycleOf(numbers: readonly number[]): () => number {
  let at = 0
  return () => numbers[at++ % numbers.length] ?? 0
}

/** The same value written in another way: other order of keys and of sets, repeated items, null for omitted. */
function rewritten(value: unknown, next: () => number, isSet = true): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => rewritten(item, next))
    if (!isSet) return items
    const order = items.map((item) => [next(), item] as const).sort(([a], [b]) => a - b)
    return [...order.map(([, item]) => item), ...items.slice(0, next() % 3)]
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    return [next(), key, rewritten(inner, next, isSet && key !== 'removed')] as const
  })
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, key, inner]) => [key, inner]))
}

const idOf = (viewer: Viewer, filter?: EventFilter): string => readFilter(viewer, filter).id

describe('the id of a read filter', () => {
  it('does not depend on the order of keys and sets, repetition, or null for omitted', () => {
    const numbers = fc.array(fc.nat(99), { minLength: 1 })
    fc.assert(
      fc.property(viewers, eventFilters, numbers, (viewer, filter, numbers) => {
        const next = cycleOf(numbers)
        const nulls = { tasks: null, kinds: null, thoughts: null, internal: null }
        const otherViewer = { thoughts: null, removed: null, subtasks: null, ...viewer }
        const other = [rewritten(otherViewer, next), rewritten({ ...nulls, ...filter }, next)]
        expect(idOf(other[0] as Viewer, other[1] as EventFilter)).toBe(idOf(viewer, filter))
      }),
      { numRuns: runs(500) },
    )
  })

  it('is that of a filter with the same results', () => {
    fc.assert(
      fc.property(
        viewers,
        eventFilters,
        viewers,
        eventFilters,
        legalStreams(),
        (viewer, filter, viewer2, filter2, events) => {
          const [one, two] = [readFilter(viewer, filter), readFilter(viewer2, filter2)]
          if (one.id !== two.id) return
          for (const event of events) expect(two.apply(event)).toEqual(one.apply(event))
        },
      ),
      { numRuns: runs(300) },
    )
  })

  const user: Viewer = { audience: 'user' }
  const kinds = ['content-delta'] as const
  test.each<[string, [Viewer, EventFilter?], [Viewer, EventFilter?]]>([
    ['the default filter', [user], [user, { internal: true }]],
    ['internal: true', [user, {}], [user, { internal: true }]],
    ['kinds of a group', [user, { kinds: ['tool-*'] }], [user, { kinds: ['tool-start', 'tool-*'] }]],
    ['internal beside kinds', [user, { kinds }], [user, { kinds, internal: false }]],
    ['the default policy of the audience', [user], [{ ...user, thoughts: { maxVerbosity: 'normal' } }]],
    ['the default of maxVerbosity', [user, {}], [user, { thoughts: { maxVerbosity: 'detailed' } }]],
    ['unknownConfidence alone', [user, {}], [user, { thoughts: { unknownConfidence: 'drop' } }]],
    [
      'the default of unknownConfidence',
      [user, { thoughts: { minConfidence: 0.5 } }],
      [user, { thoughts: { minConfidence: 0.5, unknownConfidence: 'keep' } }],
    ],
    ['empty removed', [user], [{ ...user, removed: { 'tool-start': [] } }]],
    ['subtasks of a parent', [{ audience: 'parent' }], [{ audience: 'parent', subtasks: 'all' }]],
  ])('is the same with %s', (_, one, two) => {
    expect(idOf(...two)).toBe(idOf(...one))
  })

  const forms: readonly [Viewer, EventFilter?][] = [
    [user],
    [{ audience: 'observer' }],
    [{ audience: 'operator' }],
    [{ audience: 'coordinator' }],
    [{ ...user, subtasks: 'all' }],
    [{ ...user, thoughts: {} }],
    [{ ...user, thoughts: { maxVerbosity: 'brief' } }],
    [{ ...user, thoughts: { verbosities: ['brief'] } }],
    [{ ...user, thoughts: { verbosities: [] } }],
    [{ ...user, thoughts: { types: [] } }],
    [{ ...user, thoughts: { types: ['planning'] } }],
    [{ ...user, thoughts: { minConfidence: 0 } }],
    [{ ...user, thoughts: { minConfidence: 0, unknownConfidence: 'drop' } }],
    [{ ...user, thoughts: { minConfidence: 1 } }],
    [{ ...user, removed: { 'tool-start': ['/arguments'] } }],
    [{ ...user, removed: { 'tool-complete': ['/arguments'] } }],
    [{ ...user, removed: { 'tool-start': ['/arguments', '/metadata'] } }],
    [{ ...user, removed: { 'tool-start': ['/metadata', '/arguments'] } }],
    [user, { internal: false }],
    [user, { kinds: [] }],
    [user, { kinds: ['tool-*'] }],
    [user, { kinds: ['tool-start'] }],
    [user, { tasks: [] }],
    [user, { tasks: ['tool-start'] }],
    [user, { thoughts: { maxVerbosity: 'normal' } }],
  ]
  it('differs for everything that selects differently', () => {
    expect(new Set(forms.map((form) => idOf(...form))).size).toBe(forms.length)
    for (const form of forms) expect(idOf(...form)).toMatch(/^[0-9a-z]{2,14}$/)
  })
})

describe('another version of the library', () => {
  const audiences = ['user', 'coordinator', 'parent', 'observer', 'operator'] as const
  const ids = (): string[] => audiences.map((audience) => idOf({ audience }))

  test.each<[string, table: object, changes: object, changed: boolean[]]>([
    ['nothing else', redactions, {}, [false, false, false, false, false]],
    [
      'a field of the user',
      redactions,
      { custom: { removed: { '/data': ['user'] } } },
      [true, false, false, false, false],
    ],
    [
      'a kind from observers',
      redactions,
      { 'task-status': { hidden: ['observer'] } },
      [true, false, false, true, false],
    ],
    [
      'other thoughts of parents',
      defaultThoughts,
      { parent: { maxVerbosity: 'brief' } },
      [false, false, true, false, false],
    ],
    ['another kind, being known', externalKinds, { 0: 'task-made' }, [true, true, true, true, false]],
  ])('that hides %s has other ids for the audiences that see a difference', (_, table, changes, changed) => {
    const before = ids()
    const original = { ...table }
    try {
      Object.assign(table, changes)
      expect(ids().map((id, i) => id !== before[i])).toEqual(changed)
    } finally {
      // Test files share their modules.
      for (const key of Object.keys(changes)) Reflect.deleteProperty(table, key)
      Object.assign(table, original)
    }
    expect(ids()).toEqual(before)
  })
})
