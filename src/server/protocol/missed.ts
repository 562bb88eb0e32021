/** How a response continues when its client was slower than the log keeps: with a snapshot, without what was sent. */

import type { ContextAnyEvent, TaskName } from '../../events/event.ts'
import { isEqualJson } from '../../json/value.ts'
import { contextKey } from '../../streams/context-key.ts'
import { foldEvents } from '../../streams/view/fold/fold.ts'
import type { PartView, TextPart } from '../../streams/view/parts.ts'
import { snapshotEvents } from '../../streams/view/snapshot/snapshot-events.ts'
import { emptyView, type TaskView, type View } from '../../streams/view/view.ts'
import { answeredId } from './open-requests.ts'

/**
 * The events that lead from a view to that of a snapshot. What has changed comes as a whole: a writer leaves out what it has of it.
 *
 * @returns `undefined` if the snapshot has not all that was there: something was withdrawn, which it does not state.
 */
export function missedEvents(
  known: View,
  snapshot: readonly ContextAnyEvent[],
): ContextAnyEvent[] | undefined {
  const before = new Map(known.tasks.map((task) => [keyOf(task), task]))
  const now = foldEvents(emptyView, snapshot)
  const tasks: TaskView[] = []
  for (const task of now.tasks) {
    const old = before.get(keyOf(task))
    const parts = changedParts(old?.parts ?? [], task.parts)
    if (parts === undefined) return undefined
    tasks.push({ ...task, parts })
  }
  const isNews = (event: ContextAnyEvent): boolean => {
    const old = before.get(keyOf(event))
    if (event.kind === 'task-created') return old === undefined
    return event.kind !== 'task-status' || event.status !== old?.status
  }
  const events = snapshotEvents({ ...now, tasks }).filter(isNews)
  return answeredAtOnce(continuedTexts(events, before, tasks))
}

/** A text of which something is known. */
interface ContinuedText {
  /** How many characters of it are left out. */
  left: number
  /** The index of its next delta. */
  next: number
  /** The index that follows its last delta. */
  readonly end: number
  /** Its last delta among the events. */
  last: ContextAnyEvent | undefined
}

/**
 * The same events, with deltas of what is new of the texts that were known, which continue those that were sent: a snapshot numbers
 * the deltas of a complete text anew.
 */
function continuedTexts(
  events: readonly ContextAnyEvent[],
  before: ReadonlyMap<string, TaskView>,
  tasks: readonly TaskView[],
): ContextAnyEvent[] {
  const texts = new Map<string, (ContinuedText | undefined)[]>()
  for (const task of tasks) {
    const segments = new Map<number, TextPart[]>()
    for (const part of task.parts)
      if (part.type === 'text') segments.set(part.segment, [...(segments.get(part.segment) ?? []), part])
    for (const stretches of segments.values()) {
      const key = textKey(task, stretches[0])
      texts.set(key, [...(texts.get(key) ?? []), continuedText(before.get(keyOf(task)), stretches)])
    }
  }
  const ofEvent = new Map<ContextAnyEvent, ContinuedText>()
  for (const event of events) {
    if (event.kind !== 'content-delta' && event.kind !== 'content-complete') continue
    const queue = texts.get(textKey(event, event)) ?? []
    const [text] = queue
    if (event.kind === 'content-complete') queue.shift()
    else if (text !== undefined) {
      ofEvent.set(event, text)
      text.last = event
    }
  }
  return events.flatMap((event): ContextAnyEvent[] => {
    const text = ofEvent.get(event)
    if (text === undefined || event.kind !== 'content-delta') return [event]
    const { indexEnd: _, ...others } = event
    const delta = event.delta.slice(text.left)
    text.left -= event.delta.length - delta.length
    const index = text.next
    const isLast = text.last === event
    if (delta === '' && (!isLast || text.end <= index)) return []
    const end = isLast ? Math.max(text.end - 1, index) : index
    text.next = end + 1
    return [{ ...others, delta, index, ...(end > index && { indexEnd: end }) }]
  })
}

function textKey(task: TaskName, part: { readonly contentId?: string } | undefined): string {
  return JSON.stringify([keyOf(task), part?.contentId ?? null])
}

/** `undefined` if nothing of the text was known, or not its beginning. */
function continuedText(
  before: TaskView | undefined,
  stretches: readonly TextPart[],
): ContinuedText | undefined {
  const [{ segment } = { segment: -1 }] = stretches
  const old = (before?.parts ?? []).filter(
    (part) => part.type === 'text' && part.segment === segment,
  ) as TextPart[]
  const [known, whole] = [old, stretches].map((parts) => parts.map(({ text }) => text).join('')) as [
    string,
    string,
  ]
  const hasGap = [...old, ...stretches].some((part) => part.hasGap)
  if (old.length === 0 || hasGap || !whole.startsWith(known)) return undefined
  const next = old.at(-1)?.nextIndex ?? 0
  return { left: known.length, next, end: stretches.at(-1)?.nextIndex ?? next, last: undefined }
}

function keyOf({ contextId, taskId }: TaskName): string {
  return contextKey(contextId, taskId)
}

/** The parts that are new or have changed, of a text all of it; `undefined` if one is gone. */
function changedParts(before: readonly PartView[], now: readonly PartView[]): PartView[] | undefined {
  const isGone = before.some((part, i) => part.type !== now[i]?.type || idOf(part) !== idOf(now[i]))
  if (isGone) return undefined
  const changed = now.filter((part, i) => !isEqualJson(part, before[i]))
  const texts = new Set(changed.flatMap((part) => (part.type === 'text' ? [part.segment] : [])))
  return now.filter((part) => (part.type === 'text' ? texts.has(part.segment) : changed.includes(part)))
}

function idOf(part: PartView): unknown {
  switch (part.type) {
    case 'text':
      return part.segment
    case 'thought':
      return part.thoughtId
    case 'tool':
      return part.toolCallId
    case 'input':
      return part.inputId
    case 'auth':
      return part.authId
    default:
      return part.at
  }
}

/** The same events, with each answer behind its question: no writer is to ask again what was answered. */
function answeredAtOnce(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const name = ({ taskId }: ContextAnyEvent, id: string): string => JSON.stringify([taskId, id])
  const answers = new Map<string, ContextAnyEvent>()
  for (const event of events) {
    const id = answeredId(event)
    if (id !== undefined) answers.set(name(event, id), event)
  }
  const asked = (event: ContextAnyEvent): ContextAnyEvent[] => {
    if (answeredId(event) !== undefined) return []
    const id =
      event.kind === 'input-required'
        ? event.inputId
        : event.kind === 'auth-required'
          ? event.authId
          : undefined
    const answer = id === undefined ? undefined : answers.get(name(event, id))
    return answer === undefined ? [event] : [event, answer]
  }
  return events.flatMap(asked)
}
