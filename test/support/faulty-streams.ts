/**
 * Streams with any faults: events that are lost, come again, late or early, merged, invalid or unknown, before the start and after
 * the end; and of two tasks that use the same ids. Their texts are coded, so that readers' texts tell what they have of which item.
 */
import fc from 'fast-check'
import type { ContextAnyEvent } from '../../src/events/event.ts'
import { aboutCalls } from './about-calls.ts'
import { codeOf } from './legal-streams/agent.ts'
import { OWN } from './legal-streams/content.ts'
import { type LegalStreamOptions, legalStreams } from './legal-streams.ts'
import { withUnknownFields } from './mapper-laws.ts'

type Fields = Readonly<Record<string, unknown>>

/** Items of the second stream have other numbers. */
const SECOND = 256

interface Fault {
  readonly name: 'lost' | 'again' | 'moved' | 'merged' | 'invalid' | 'unknown' | 'late join' | 'cut'
  readonly at: number
  readonly to: number
  readonly count: number
}

const fault: fc.Arbitrary<Fault> = fc.record({
  name: fc.constantFrom(
    ...(['lost', 'lost', 'again', 'again', 'moved', 'moved', 'merged', 'merged'] as const),
    ...(['invalid', 'unknown', 'late join', 'cut'] as const),
  ),
  at: fc.nat(999),
  to: fc.nat(999),
  count: fc.constantFrom(1, 1, 1, 2, 5),
})

function streamOf(options: LegalStreamOptions): fc.Arbitrary<readonly ContextAnyEvent[]> {
  return withUnknownFields(
    fc
      .tuple(legalStreams({ revisions: true, ...options }), fc.array(fc.nat(99), { maxLength: 4 }))
      .map(([events, picks]) => aboutCalls(events, picks)),
  )
}

const first = fc.oneof(
  { weight: 2, arbitrary: streamOf({ coded: 0, maxChoices: 30 }) },
  { weight: 2, arbitrary: streamOf({ coded: 0, maxChoices: 30, focus: 'texts' }) },
  { weight: 1, arbitrary: streamOf({ coded: 0, maxChoices: 30, ended: false }) },
)
const second = fc.option(streamOf({ coded: SECOND, maxChoices: 12 }), { freq: 3, nil: [] })

/** Streams with faults. Not all that is in them is an event. */
export const faultyStreams: fc.Arbitrary<readonly ContextAnyEvent[]> = fc
  .tuple(first, second, fc.array(fc.boolean(), { maxLength: 20 }), fc.array(fault, { maxLength: 6 }))
  .map(([events, others, turns, faults]) => {
    const all = interleaved(events, ofOtherTasks(others), turns)
    for (const each of faults) apply(all, each)
    // As it comes from a wire.
    return JSON.parse(JSON.stringify(all)) as ContextAnyEvent[]
  })

/** The events of other tasks with the same ids. */
function ofOtherTasks(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const text = JSON.stringify(events).replaceAll(/"(task-1|subtask-\d+)"/g, '"$1-b"')
  return JSON.parse(text) as ContextAnyEvent[]
}

function interleaved<T>(list: readonly T[], others: readonly T[], turns: readonly boolean[]): T[] {
  if (turns.length === 0) return [...list, ...others]
  const all: T[] = []
  for (let i = 0, j = 0, turn = 0; i + j < list.length + others.length; turn++) {
    const isOther = (turns[turn % turns.length] && j < others.length) || i === list.length
    all.push((isOther ? others[j++] : list[i++]) as T)
  }
  return all
}

/** Adds a fault to a stream. */
function apply(events: ContextAnyEvent[], { name, at, to, count }: Fault): void {
  const place = at % Math.max(1, events.length)
  const some = events.slice(place, place + count)
  const [event] = some
  if (event === undefined) return
  switch (name) {
    case 'lost':
      events.splice(place, count)
      break
    case 'again':
      events.splice(place + 1 + (to % (events.length - place)), 0, ...some)
      break
    case 'moved':
      events.splice(place, count)
      events.splice(to % (events.length + 1), 0, ...some)
      break
    case 'merged':
      merge(events, place, count, to % 2 === 0)
      break
    case 'invalid': {
      const keys = Object.keys(event)
      const values = [undefined, null, 7, {}, [null]]
      const value = values[to % values.length]
      events[place] = { ...event, [keys[(at + to) % keys.length] as string]: value } as never
      break
    }
    case 'unknown':
      events.splice(place, 0, { ...event, kind: 'x-later' } as never)
      break
    case 'late join':
      events.splice(0, Math.min(place, count * 4))
      break
    case 'cut':
      events.splice(place + 1)
      break
  }
}

/** What tells the item of a delta. */
const itemOf = (event: ContextAnyEvent): string | undefined => {
  const { kind, taskId, contentId, thoughtId, toolCallId, iteration, delta } = event as unknown as Fields
  return typeof kind === 'string' && kind.endsWith('-delta') && typeof delta === 'string'
    ? JSON.stringify([kind, taskId, contentId, thoughtId, toolCallId, iteration])
    : undefined
}

/** Merges a delta with those after it, which are removed or come as well. */
function merge(events: ContextAnyEvent[], place: number, count: number, isRemoved: boolean): void {
  const start = events.findIndex((event, i) => i >= place && itemOf(event) !== undefined)
  const merged = events[start] as Fields | undefined
  if (merged === undefined) return
  let { delta, index, indexEnd = index } = merged
  let last = start
  for (let i = start + 1; i < events.length && count > 0; i++) {
    const next = events[i] as unknown as Fields
    if (itemOf(next as never) !== itemOf(merged as never)) continue
    // The id of a text may be used again.
    if (next.index !== Number(indexEnd) + 1 || !areOfOneItem(delta, next.delta)) break
    delta = `${delta}${next.delta}`
    indexEnd = next.indexEnd ?? next.index
    last = i
    if (isRemoved) events.splice(i--, 1)
    if (isRemoved) last = start
    count--
  }
  events.splice(last, isRemoved ? 1 : 0, { ...merged, delta, index, indexEnd } as never)
}

/** Whether coded texts are of the same item, as far as they tell. */
function areOfOneItem(...texts: readonly unknown[]): boolean {
  const items = texts.flatMap((text) => {
    const [item] = codeOf([...String(text)].at(-1) ?? ' ') ?? []
    return item ?? []
  })
  return new Set(items).size < 2
}

/** How much of each item texts have, by its number: texts by the item, in the order of their characters. */
export function codedItems(texts: readonly string[]): ReadonlyMap<number, readonly (readonly number[])[]> {
  const all = new Map<number, number[][]>()
  for (const text of texts) {
    const own = new Map<number, number[]>()
    for (const character of text) {
      const [item, place] = codeOf(character) ?? []
      if (item === undefined || place === undefined) continue
      own.set(item, [...(own.get(item) ?? []), place])
    }
    for (const [item, places] of own) all.set(item, [...(all.get(item) ?? []), places])
  }
  return all
}

/** The id of an item in its stream, and what an event has of it. */
function partOf(event: ContextAnyEvent): readonly [key: string, text: string] | undefined {
  const { kind, taskId, contentId, thoughtId, toolCallId, delta, content, ...rest } =
    event as unknown as Fields
  const text = rest.arguments === undefined ? (delta ?? content) : JSON.stringify(rest.arguments)
  if (typeof kind !== 'string' || typeof text !== 'string') return undefined
  const type = kind.startsWith('content-') ? 'text' : kind.startsWith('thought-') ? 'thought' : 'call'
  return [JSON.stringify([type, taskId, contentId, thoughtId, toolCallId]), text]
}

/** The items that events are of. */
export function itemsIn(events: readonly ContextAnyEvent[]): readonly number[] {
  return [...codedItems(events.flatMap((event) => partOf(event)?.[1] ?? [])).keys()]
}

/**
 * The items that others with the same id may be taken for once something between them is lost: those of texts that are replaced or
 * have a name, and of model responses that are discarded. Also those whose deltas follow each other without the beginning of the
 * text: what replaced it is lost. And calls that were refused: pages show that, and the call again if it runs all the same.
 */
export function ambiguousItems(events: readonly ContextAnyEvent[]): ReadonlySet<number> {
  const keys = new Map<number, string>()
  const ambiguous = new Set<number>()
  const fields = events as unknown as readonly Fields[]
  const reset = new Set(
    fields.flatMap(({ kind, taskId, iteration }) =>
      kind === 'iteration-reset' ? `${taskId} ${iteration}` : [],
    ),
  )
  const replaced = new Set(
    fields.flatMap(({ kind, taskId, contentId }) =>
      kind === 'content-replace' ? `${taskId} ${contentId}` : [],
    ),
  )
  const items = new Map<string, number>()
  for (const event of events) {
    const { kind, taskId, iteration, contentId } = event as unknown as Fields
    const [key, text] = partOf(event) ?? ['', '']
    const [item] = codedItems([text]).keys()
    if (item === undefined) continue
    const isNamed = String(kind).startsWith('content-') && !String(contentId).startsWith(OWN)
    const isOther = (keys.get(item) ?? key) !== key || (items.get(key) ?? item) !== item
    if (isNamed || isOther || reset.has(`${taskId} ${iteration}`) || replaced.has(`${taskId} ${contentId}`)) {
      for (const one of [item, items.get(key) ?? item]) ambiguous.add(one)
    }
    keys.set(item, key)
    items.set(key, item)
  }
  for (const item of [...withoutBeginning(events), ...refused(events)]) ambiguous.add(item)
  return ambiguous
}

/** The calls that a request asked about and that were not approved. */
function refused(events: readonly ContextAnyEvent[]): readonly number[] {
  const requests = new Map<string, string>()
  return (events as unknown as readonly Fields[]).flatMap((event) => {
    const { kind, taskId, inputId, metadata, outcome } = event
    const key = JSON.stringify([taskId, inputId])
    if (kind === 'input-required') requests.set(key, JSON.stringify(metadata ?? {}))
    const isOver = kind === 'input-canceled' || (kind === 'input-received' && outcome !== undefined)
    return isOver ? [...codedItems([requests.get(key) ?? '']).keys()] : []
  })
}

/** The items whose deltas from index 0 on, none of which is missing, do not have the beginning of the item. */
function withoutBeginning(events: readonly ContextAnyEvent[]): readonly number[] {
  const known = new Map<string, { next: number; text: string }>()
  return events.flatMap((event) => {
    const { kind, index, indexEnd = index } = event as unknown as Fields
    const [key, text] = partOf(event) ?? ['', '']
    const { next, text: before } = known.get(key) ?? { next: 0, text: '' }
    if (typeof kind !== 'string' || !kind.endsWith('-delta')) known.delete(key)
    else if (index === next) known.set(key, { next: Number(indexEnd) + 1, text: before + text })
    return [...codedItems([known.get(key)?.text ?? ''])].flatMap(([item, [places = []]]) =>
      places.some((place, i) => place !== i) ? [item] : [],
    )
  })
}

/**
 * The texts, thoughts and arguments that come whole, by the number of the event: those that are neither replaced nor discarded
 * after that.
 */
export function wholesOf(events: readonly ContextAnyEvent[]): ReadonlyMap<number, string> {
  const wholes = new Map<number, string>()
  // An item is of the model response that its deltas state, also if its whole states none.
  const iterations = new Map<string, unknown>()
  for (const [i, event] of events.entries()) {
    const { kind, taskId, contentId, iteration: stated } = event as unknown as Fields
    const [key = '', text = ''] = partOf(event) ?? []
    const iteration = stated ?? iterations.get(key)
    iterations.set(key, iteration)
    if (kind !== 'content-complete' && kind !== 'thought-stream' && kind !== 'tool-start') continue
    iterations.delete(key)
    const isUndone = events.slice(i).some((later) => {
      const fields = later as unknown as Fields
      if (fields.taskId !== taskId) return false
      if (fields.kind === 'content-replace')
        return kind === 'content-complete' && fields.contentId === contentId
      return fields.kind === 'iteration-reset' && fields.iteration === iteration && kind !== 'tool-start'
    })
    if (!isUndone) wholes.set(i, text)
  }
  return wholes
}
