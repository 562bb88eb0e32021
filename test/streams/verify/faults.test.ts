// Tests that the verifier reports lost, repeated and renumbered events of streams with several open things.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { compact } from '../../../src/streams/index.ts'
import { runs } from '../../support/runs.ts'
import { verify } from './support.ts'

type Fields = Readonly<Record<string, unknown>> & { readonly kind: string }

const context = { contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' }

/** The events of one open thing, in order. The names of two things of a type differ. */
const things: Readonly<Record<string, (id: string) => Fields[]>> = {
  text: (contentId) => [
    ...[0, 1, 2].map((index) => ({ kind: 'content-delta', contentId, delta: `d${index}`, index })),
    { kind: 'content-complete', contentId, content: 'd0d1d2' },
  ],
  thought: (thoughtId) =>
    [0, 1, 2].map((index) => ({ kind: 'thought-delta', thoughtId, delta: `d${index}`, index })),
  call: (toolCallId) => [
    ...['{', '"a"', ':1}'].map((delta, index) => ({
      kind: 'tool-arguments-delta',
      toolCallId,
      toolName: 't',
      delta,
      index,
    })),
    { kind: 'tool-start', toolCallId, toolName: 't', arguments: { a: 1 } },
    { kind: 'tool-complete', toolCallId, toolName: 't', success: true },
  ],
  input: (inputId) => [
    { kind: 'input-required', inputId, inputType: 'clarification', prompt: 'p' },
    { kind: 'input-received', inputId, providedBy: 'user', userId: 'u' },
  ],
  auth: (authId) => [
    { kind: 'auth-required', authId, authType: 'api-key', prompt: 'p' },
    { kind: 'auth-completed', authId, userId: 'u' },
  ],
  file: (artifactId) =>
    [0, 1, 2].map((index) => ({
      kind: 'file-write',
      artifactId,
      data: 'a',
      index,
      complete: index === 2,
      ...(index === 0 && { name: 'n', metadata: { totalSize: 3 } }),
    })),
  dataset: (artifactId) =>
    [0, 1, 2].map((index) => ({
      kind: 'dataset-write',
      artifactId,
      rows: [{ index }],
      index,
      complete: index === 2,
      ...(index === 0 && { name: 'n', metadata: { totalRows: 3 } }),
    })),
  record: (artifactId) => [
    { kind: 'data-write', artifactId, data: {}, version: 1 },
    {
      kind: 'artifact-delta',
      artifactId,
      baseVersion: 1,
      version: 2,
      change: { type: 'merge-patch', patch: {} },
    },
  ],
}

/** Two to four things, their events interleaved; the thoughts end with a `thought-stream` in the order of the indexes. */
const streams = fc
  .tuple(
    fc.array(fc.constantFrom(...Object.keys(things)), { minLength: 2, maxLength: 4 }),
    fc.infiniteStream(fc.nat(3)),
  )
  .map(([names, picks]): Fields[] => {
    const queues = names.map((name, n) => things[name]?.(`${name}-${n}`) ?? [])
    const events: Fields[] = []
    // Every thing has begun before one continues.
    for (const queue of queues) events.push(...queue.splice(0, 1))
    while (queues.some((queue) => queue.length > 0)) {
      const open = queues.filter((queue) => queue.length > 0)
      const pick = picks.next().value as number
      events.push(...(open[pick % open.length]?.splice(0, 1) ?? []))
    }
    const thoughts = names.flatMap((name, n) => (name === 'thought' ? [`${name}-${n}`] : []))
    for (const [index, thoughtId] of thoughts.entries()) {
      const labels = { thoughtType: 'planning', verbosity: 'brief' }
      events.push({ kind: 'thought-stream', thoughtId, ...labels, content: 'd0d1d2', index })
    }
    return [
      { kind: 'task-created', initiator: 'user' },
      ...events,
      { kind: 'task-status', status: 'completed' },
    ].map((event) => ({ ...context, ...event }))
  })

const faults = {
  lost: (events: readonly Fields[], at: number) => events.toSpliced(at, 1),
  repeated: (events: readonly Fields[], at: number) => events.toSpliced(at, 0, events[at] as Fields),
  renumbered: (events: readonly Fields[], at: number) => events.with(at, renumbered(events[at] as Fields)),
}

/** An event with another number in its series. */
function renumbered(event: Fields): Fields {
  if (typeof event.index !== 'number') return { ...event, version: ((event.version as number) ?? 1) + 3 }
  const end = typeof event.indexEnd === 'number' ? { indexEnd: event.indexEnd + 5 } : {}
  return { ...event, index: event.index + 5, ...end }
}

/** The faults that no verifier can see, by kind, with the reason. */
const undetectable: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lost: {
    'input-received': 'The end of its task closes a request.',
    'auth-completed': 'The end of its task closes a request.',
    'artifact-delta': 'The version before stays the current one.',
    'thought-stream': 'No rule demands the end of a thought.',
  },
  repeated: {
    'content-complete': 'A text may be sent again, without deltas.',
  },
}

/** Kinds of which an event is the whole of a thing if it is the only one of its series. */
const series: Readonly<Record<string, string>> = {
  'content-delta': 'contentId',
  'thought-delta': 'thoughtId',
  'tool-arguments-delta': 'toolCallId',
  'file-write': 'artifactId',
  'dataset-write': 'artifactId',
}

/**
 * Whether a fault is among the undetectable ones. Texts, thoughts and arguments may come without deltas, and a file or
 * dataset not at all, or again as its next version.
 */
function isUndetectable(fault: string, events: readonly Fields[], event: Fields): boolean {
  if (fault === 'renumbered') return event.index === undefined && event.kind !== 'artifact-delta'
  const id = series[event.kind]
  const isWhole =
    id !== undefined &&
    events.filter(({ kind, [id]: name }) => kind === event.kind && name === event[id]).length === 1
  if (isWhole && (fault === 'lost' || event.complete === true)) return true
  return undetectable[fault]?.[event.kind] !== undefined
}

function check(fault: keyof typeof faults, events: readonly Fields[], n: number): void {
  const at = 1 + (n % (events.length - 2))
  const event = events[at]
  fc.pre(event !== undefined && !isUndetectable(fault, events, event))
  const found = (all: readonly Fields[]) => verify(all as unknown as ContextAnyEvent[], { mode: 'strict' })
  expect(found(events)).toEqual([])
  expect({ at, isFound: found(faults[fault](events, at)).length > 0 }).toEqual({ at, isFound: true })
}

describe.each(['lost', 'repeated', 'renumbered'] as const)('an event that is %s', (fault) => {
  it('is reported while two or more things are open', () => {
    fc.assert(
      fc.property(streams, fc.nat(), (events, n) => check(fault, events, n)),
      { numRuns: runs(300) },
    )
  })

  it('is reported in a stream of merged deltas', () => {
    fc.assert(
      fc.property(streams, fc.nat(), (events, n) => {
        const merged = compact(events as unknown as ContextAnyEvent[]) as unknown as Fields[]
        check(fault, merged, n)
      }),
      { numRuns: runs(300) },
    )
  })

  it('is reported in a stream joined late, between two deltas of its series', () => {
    fc.assert(
      fc.property(streams, fc.nat(), fc.nat(), (events, n, m) => {
        const at = n % events.length
        const event = events[at] as Fields
        const startIndex = 1 + (m % Math.max(1, at))
        const isOfSeries = (other: Fields): boolean => {
          const id = series[event.kind]
          return id !== undefined && other.kind === event.kind && other[id] === event[id]
        }
        fc.pre(events.slice(startIndex, at).some(isOfSeries) && events.slice(at + 1).some(isOfSeries))
        const options = { mode: 'strict', startIndex } as const
        const joined = (all: readonly Fields[]) => all.slice(startIndex) as unknown as ContextAnyEvent[]
        expect(verify(joined(events), options)).toEqual([])
        expect(verify(joined(faults[fault](events, at)), options)).not.toEqual([])
      }),
      { numRuns: runs(100) },
    )
  })
})
