/** What differs between the events of two recordings, besides times, and ids that stand for each other. */
import type { ContextAnyEvent } from '../../events/event.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { isFields } from '../../validation/predicates.ts'
import { align } from './align.ts'
import { type FieldChange, fieldChanges } from './field-changes.ts'

/** An event, or the deltas of one item that follow each other, as one. */
export interface Entry {
  event: ContextAnyEvent
  /** The line of the first of its events. */
  readonly line: number
}

/** An event that is only on one side, or differs. */
export interface Difference {
  /** Omitted if it is only in the second recording. */
  readonly a?: Entry
  /** Omitted if it is only in the first recording. */
  readonly b?: Entry
  /** What differs. Empty if the event is only on one side. */
  readonly changes: readonly FieldChange[]
}

type Fields = Readonly<Record<string, unknown>>

const TIMES = new Set([
  ...['timestamp', 'timestampEnd', 'index', 'indexEnd', 'duration'],
  ...['expiresAt', 'expiresIn', 'remainingMs', 'retryAfterMs'],
])
/** What the ids in a field name. Fields of one kind have the same ids. */
const KINDS: Readonly<Record<string, string>> = { parentTaskId: 'taskId', subtaskId: 'taskId' }
/** Users, agents and documents are the same in each run. */
const OTHER_IDS = new Set(['agentId', 'userId', 'documentId'])

/** Adds an event. How a text is cut into deltas is no difference. */
export function addEntry(entries: Entry[], event: ContextAnyEvent, line: number): void {
  const last = entries.at(-1)
  const { delta } = event as { readonly delta?: unknown }
  const before = (last?.event as { readonly delta?: unknown } | undefined)?.delta
  const isNext =
    typeof delta === 'string' &&
    typeof before === 'string' &&
    fieldChanges(plain({ ...last?.event, delta }), plain(event)).length === 0
  if (last !== undefined && isNext) last.event = { ...event, delta: before + delta } as ContextAnyEvent
  else entries.push({ event, line })
}

/** Compares the events of two recordings in order: with their ids as they are, or renamed, whichever leaves fewer differences. */
export function compare(a: readonly Entry[], b: readonly Entry[]): Difference[] {
  const same = compareAs(a, b, (_, id) => id)
  if (same.length === 0) return same
  const renamed = compareAs(a, b, counterparts(a, b))
  return renamed.length < same.length ? renamed : same
}

type Rename = (kind: string, id: string, path: string) => string

function compareAs(a: readonly Entry[], b: readonly Entry[], rename: Rename): Difference[] {
  const [of, as] = [a.map(({ event }) => plain(event)), b.map(({ event }) => plain(event, rename))]
  const differences: Difference[] = []
  let [i, j] = [0, 0]
  for (const [nextA, nextB] of [...align(of.map(textOf), as.map(textOf)), [a.length, b.length] as const]) {
    // Events of one kind that have no equal one are the same event, changed.
    const places = new Map<unknown, number[]>()
    for (let at = nextB - 1; at >= j; at--) {
      const { kind } = as[at] as Fields
      const known = places.get(kind)
      if (known === undefined) places.set(kind, [at])
      else known.push(at)
    }
    for (; i < nextA; i++) {
      const left = places.get(of[i]?.kind) ?? []
      let at = left.pop() ?? -1
      while (at >= 0 && at < j) at = left.pop() ?? -1
      if (at < 0) {
        differences.push({ a: a[i] as Entry, changes: [] })
        continue
      }
      for (; j < at; j++) differences.push({ b: b[j] as Entry, changes: [] })
      differences.push({ a: a[i] as Entry, b: b[j] as Entry, changes: fieldChanges(of[i], as[j]) })
      j++
    }
    for (; j < nextB; j++) differences.push({ b: b[j] as Entry, changes: [] })
    i++
    j++
  }
  return differences
}

/** For each id of the second recording, that of the first one in whose place it is, by events that are equal but for their ids. */
function counterparts(a: readonly Entry[], b: readonly Entry[]): Rename {
  const blind = ({ event }: Entry): string => textOf(plain(event, () => ''))
  const [of, as] = [a.map(blind), b.map(blind)]
  const counts = new Map<string, number>()
  for (const text of [...of, ...as]) counts.set(text, (counts.get(text) ?? 0) + 1)
  const votes = new Map<string, { kind: string; from: string; to: string; weight: number }>()
  for (const [i, j] of align(of, as)) {
    const ids = idsOf(b[j]?.event)
    for (const [path, [kind, to]] of idsOf(a[i]?.event)) {
      const from = ids.get(path)?.[1] ?? ''
      const key = JSON.stringify([kind, from, to])
      const vote = votes.get(key) ?? { kind, from, to, weight: 0 }
      // What is there once is more certain.
      vote.weight += 1 / (counts.get(of[i] ?? '') ?? 1)
      votes.set(key, vote)
    }
  }
  const found = new Map<string, string>()
  const taken = new Set<string>()
  for (const { kind, from, to } of [...votes.values()].sort((one, other) => other.weight - one.weight)) {
    const [key, place] = [`${kind} ${from}`, `${kind} ${to}`]
    if (found.has(key) || taken.has(place)) continue
    found.set(key, to)
    taken.add(place)
  }
  return (kind, id) => found.get(`${kind} ${id}`) ?? id
}

function idsOf(event: ContextAnyEvent | undefined): Map<string, readonly [kind: string, id: string]> {
  const ids = new Map<string, readonly [string, string]>()
  plain(event ?? {}, (kind, id, path) => {
    ids.set(path, [kind, id])
    return ''
  })
  return ids
}

/** An event without its times. `rename` gives each id another. */
function plain(event: object, rename: Rename = (_, id) => id, path = ''): Fields {
  const fields = Object.entries(event).filter(([name, value]) => !TIMES.has(name) && value !== undefined)
  return Object.fromEntries(
    fields.map(([name, value]) => {
      const isId = typeof value === 'string' && /(?:Id|^relatedTo)$/.test(name) && !OTHER_IDS.has(name)
      if (isId) return [name, rename(KINDS[name] ?? name, value, path + name)]
      return [name, name === 'metadata' && isFields(value) ? plain(value, rename, '/metadata/') : value]
    }),
  )
}

function textOf(value: unknown): string {
  return canonicalJson(value) ?? ''
}
