/**
 * How a response continues when its client was slower than the log keeps: with a snapshot, without what was sent. By events, as a view
 * would double the code of a protocol.
 */

import { FNV_OFFSET_BASIS, fnv1a, shortHash } from '../../encoding/fnv1a.ts'
import { isStartOf } from '../../encoding/text-mark.ts'
import type { ContextAnyEvent, TaskName } from '../../events/event.ts'
import { isTaskEnd } from '../../events/task-end.ts'
import { contextKey } from '../../streams/context-key.ts'
import { answeredId } from './open-requests.ts'

type OfKind<K extends ContextAnyEvent['kind']> = Extract<ContextAnyEvent, { kind: K }>
type Delta = OfKind<'content-delta'>

/** A text that was sent, as far as it was. */
interface SentText {
  length: number
  hash: number
  /** The index of its next delta. */
  next: number
  isComplete: boolean
  hasGap: boolean
}

/** A text of a snapshot. */
interface Text {
  readonly deltas: Delta[]
  whole: string
  isComplete: boolean
}

/** What was sent of a task and its subtasks. */
export class Sent {
  /** The latest status of each task. */
  readonly #statuses = new Map<string, string>()
  /** By which events each task has ended. */
  readonly #ends = new Map<string, string[]>()
  /** By task and id, in the order in which they began. */
  readonly #texts = new Map<string, SentText[]>()
  /** Thoughts, calls and requests by task and id, and whether they are closed. */
  readonly #items = new Map<string, boolean>()
  /** How many characters of the output of each call, by its stream. */
  readonly #outputs = new Map<string, number>()
  /** How often what has no id was sent. */
  readonly #others = new Map<string, number>()
  /** Whether something was withdrawn: its ids are used again. */
  #isUncertain = false

  follow(event: ContextAnyEvent): void {
    const { kind } = event
    const [item, isClosed = false] = itemOf(event)
    if (kind === 'task-created') this.#statuses.set(keyOf(event), this.#statuses.get(keyOf(event)) ?? '')
    else if (kind === 'task-status') this.#statuses.set(keyOf(event), event.status)
    else if (kind === 'content-delta' || kind === 'content-complete' || kind === 'content-replace')
      this.#followText(event)
    else if (kind === 'iteration-reset') this.#isUncertain = true
    else if (item !== undefined) this.#items.set(item, isClosed || this.#items.get(item) === true)
    if (isTaskEnd(event)) this.#ends.set(keyOf(event), [...(this.#ends.get(keyOf(event)) ?? []), kind])
    const other = otherOf(event)
    if (other !== undefined) this.#others.set(other, (this.#others.get(other) ?? 0) + 1)
    if (kind === 'tool-progress' && event.metadata?.chunk !== undefined) {
      const output = outputOf(event)
      this.#outputs.set(output, (this.#outputs.get(output) ?? 0) + event.metadata.chunk.length)
    }
  }

  #followText(event: Delta | OfKind<'content-complete'> | OfKind<'content-replace'>): void {
    const key = textKey(event)
    const all = this.#texts.get(key) ?? []
    this.#texts.set(key, all)
    let text = all.at(-1)
    if (text === undefined || (text.isComplete && event.kind !== 'content-replace')) {
      text = { length: 0, hash: FNV_OFFSET_BASIS, next: 0, isComplete: false, hasGap: false }
      all.push(text)
    }
    if (event.kind === 'content-delta') {
      const { index, indexEnd = index, delta } = event
      if (indexEnd < text.next) return
      text.hasGap ||= index !== text.next
      text.length += delta.length
      text.hash = fnv1a(text.hash, delta)
      text.next = indexEnd + 1
      return
    }
    const { content } = event
    text.length = content.length
    text.hash = fnv1a(FNV_OFFSET_BASIS, content)
    if (event.kind === 'content-complete') text.isComplete = true
    else text.next = 1
  }

  /**
   * The events of a snapshot of the same task, without what was sent. Of what was sent in part, the rest; where a writer leaves out what
   * it has, the whole.
   *
   * @returns `undefined` if something that was sent has been withdrawn since, which a snapshot does not state.
   */
  missed(snapshot: readonly ContextAnyEvent[]): ContextAnyEvent[] | undefined {
    const texts = textsIn(snapshot)
    const places = new Map<string, number>()
    const items = new Set<string>()
    const others = new Map(this.#others)
    const left = new Map<Text, number>()
    const news = snapshot.flatMap((event): ContextAnyEvent[] => {
      const { kind } = event
      const ends = this.#ends.get(keyOf(event))
      const [item] = itemOf(event)
      if (item !== undefined) items.add(item)
      if (ends !== undefined) return isTaskEnd(event) && !ends.includes(kind) ? [event] : []
      const status = this.#statuses.get(keyOf(event))
      if (kind === 'task-created') return status === undefined ? [event] : []
      if (kind === 'task-status') return event.status === status ? [] : [event]
      if (kind === 'content-delta' || kind === 'content-complete') {
        const key = textKey(event)
        const place = places.get(key) ?? 0
        if (kind === 'content-complete') places.set(key, place + 1)
        const [sent, text] = [this.#texts.get(key)?.[place], texts.get(key)?.[place]]
        return sent === undefined || text === undefined ? [event] : restOf(event, text, sent, left)
      }
      if (item !== undefined && this.#items.get(item) === true) return []
      if (kind === 'tool-progress' && event.metadata?.chunk !== undefined) {
        const chunk = event.metadata.chunk.slice(this.#outputs.get(outputOf(event)) ?? 0)
        return [{ ...event, metadata: { ...event.metadata, chunk } }]
      }
      const other = otherOf(event)
      const count = other === undefined ? 0 : (others.get(other) ?? 0)
      if (other === undefined || count === 0) return [event]
      others.set(other, count - 1)
      return []
    })
    const isGone =
      [...this.#texts].some(([key, sent]) => sent.length > (texts.get(key)?.length ?? 0)) ||
      [...this.#items.keys()].some((item) => !items.has(item))
    return this.#isUncertain || isGone ? undefined : answeredAtOnce(news)
  }
}

/** What is new of a text that was sent in part: a snapshot numbers the deltas of a complete text anew. */
function restOf(
  event: Delta | OfKind<'content-complete'>,
  text: Text,
  sent: SentText,
  left: Map<Text, number>,
): ContextAnyEvent[] {
  const { whole, isComplete, deltas } = text
  const isPrefix = isStartOf(sent, whole)
  if (sent.isComplete && isComplete && isPrefix && whole.length === sent.length) return []
  if (event.kind === 'content-complete' || sent.hasGap || !isPrefix) return [event]
  const skipped = left.get(text) ?? sent.length
  const delta = event.delta.slice(skipped)
  left.set(text, skipped - event.delta.length + delta.length)
  const index = sent.next
  const last = deltas.at(-1)
  const end = isComplete ? index : (last?.indexEnd ?? last?.index ?? index)
  if (delta === '' && (event !== last || end < index)) return []
  const indexEnd = event === last ? Math.max(end, index) : index
  sent.next = indexEnd + 1
  const { indexEnd: _, ...others } = event
  return [{ ...others, delta, index, ...(indexEnd > index && { indexEnd }) }]
}

/** The texts of a snapshot, by task and id. */
function textsIn(snapshot: readonly ContextAnyEvent[]): Map<string, Text[]> {
  const texts = new Map<string, Text[]>()
  for (const event of snapshot) {
    if (event.kind !== 'content-delta' && event.kind !== 'content-complete') continue
    const all = texts.get(textKey(event)) ?? []
    texts.set(textKey(event), all)
    let text = all.at(-1)
    if (text === undefined || text.isComplete) {
      text = { deltas: [], whole: '', isComplete: false }
      all.push(text)
    }
    if (event.kind === 'content-delta') {
      text.deltas.push(event)
      text.whole += event.delta
    } else {
      text.whole = event.content
      text.isComplete = true
    }
  }
  return texts
}

/** The same events, with each answer behind its question: no writer is to ask again what was answered. */
function answeredAtOnce(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const answers = new Map(
    events.flatMap((event) => (answeredId(event) === undefined ? [] : [[itemOf(event)[0], event] as const])),
  )
  return events.flatMap((event) => {
    if (answeredId(event) !== undefined) return []
    const isAsked = event.kind === 'input-required' || event.kind === 'auth-required'
    const answer = isAsked ? answers.get(itemOf(event)[0]) : undefined
    return answer === undefined ? [event] : [event, answer]
  })
}

function keyOf({ contextId, taskId }: TaskName): string {
  return contextKey(contextId, taskId)
}

function textKey(event: TaskName & { readonly contentId?: string }): string {
  return JSON.stringify([keyOf(event), event.contentId ?? null])
}

function outputOf(event: OfKind<'tool-progress'>): string {
  return JSON.stringify([keyOf(event), event.toolCallId, event.metadata?.stream ?? null])
}

/** The name of the thought, the call or the request that an event is about, and whether it closes that. */
function itemOf(event: ContextAnyEvent): [name?: string, isClosed?: boolean] {
  const named = (type: string, id: string, isClosed: boolean): [string, boolean] => [
    JSON.stringify([keyOf(event), type, id]),
    isClosed,
  ]
  switch (event.kind) {
    case 'thought-delta':
    case 'thought-stream':
      return named('thought', event.thoughtId, event.kind === 'thought-stream')
    case 'tool-arguments-delta':
    case 'tool-start':
    case 'tool-progress':
    case 'tool-complete':
      return named('tool', event.toolCallId, event.kind === 'tool-complete')
    case 'input-required':
    case 'input-received':
    case 'input-canceled':
      return named('input', event.inputId, event.kind !== 'input-required')
    case 'auth-required':
    case 'auth-completed':
    case 'auth-failed':
      return named('auth', event.authId, event.kind !== 'auth-required')
    default:
      return []
  }
}

/** What an event without an id states; `undefined` of any other one. */
function otherOf(event: ContextAnyEvent): string | undefined {
  const { kind } = event
  if (kind === 'custom') return hashOf(event, [event.name, event.data, event.customId])
  if (kind === 'task-error') return hashOf(event, event.error)
  return kind === 'subtask-created' ? hashOf(event, event.subtaskId) : undefined
}

function hashOf(event: ContextAnyEvent, content: unknown): string {
  return shortHash(JSON.stringify([event.kind, keyOf(event), content]))
}
