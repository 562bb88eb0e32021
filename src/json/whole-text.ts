/**
 * Text as Unicode: joins surrogate pairs that were cut between two deltas of one text, and replaces any other half.
 *
 *     content-delta 'wor\ud83d'   ─▶ 'wor'
 *     content-delta '\ude00ld'    ─▶ '😀ld'
 *
 * Parsers of other languages refuse a message with half a pair, or change it.
 */
import type { Diagnostic } from '../core/machine.ts'
import { toPointer } from '../encoding/pointer.ts'
import { splitHalf } from '../encoding/surrogates.ts'
import { isUnicode, toUnicode } from '../encoding/unicode.ts'
import { isTaskEnd } from '../events/task-end.ts'
import { type Fields, isFields } from '../validation/predicates.ts'

/** The first halves that wait for the second, by text. Plain JSON. */
export type Halves = Readonly<Record<string, string>>

/** Nothing waits. */
export const noHalves: Halves = {}

/** How many halves wait at most. Further ones are replaced. */
const MAX_HALVES = 256

/** An event, or a draft, whose texts are Unicode. */
export interface WholeText<E> {
  readonly event: E
  readonly halves: Halves
  /** What was replaced or dropped. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Whether an event is as {@link wholeText} returns it: it has no halves, and none wait. */
export function isWhole(event: unknown, halves: Halves): boolean {
  return halves === noHalves && isUnicode(event)
}

/**
 * Makes the texts of an event Unicode. The half that a delta ends with is held back for the next delta of its text, and
 * dropped if the text ends first.
 */
export function wholeText<E extends object>(event: E, halves: Halves): WholeText<E> {
  const repair = new Repair(event as Fields, halves)
  return { event: repair.event as unknown as E, halves: repair.halves, diagnostics: repair.diagnostics }
}

/** What is reported of the halves that wait when a stream ends. */
export function droppedHalves(halves: Halves): Diagnostic[] {
  return Object.keys(halves).map(() => dropped())
}

/** The work on one event. */
class Repair {
  event: Fields
  halves: Halves
  readonly diagnostics: Diagnostic[] = []

  constructor(event: Fields, halves: Halves) {
    this.event = event
    this.halves = halves
    const [key, ...path] = textOf(event) ?? []
    const text = pieceAt(event, path)
    if (key !== undefined && typeof text === 'string') this.#joinDelta(key, path, text)
    else {
      this.#endText(key)
      this.#replace(this.event)
    }
  }

  #joinDelta(key: string, path: readonly string[], text: string): void {
    const waiting = this.#take(key)
    const isFirst = this.event.index === 0 || this.event.kind === 'content-replace'
    if (isFirst && waiting !== '') this.diagnostics.push(dropped())
    const joined = isFirst ? text : waiting + text
    const mayWait = this.event.complete !== true && Object.keys(this.halves).length < MAX_HALVES
    const [whole, half] = mayWait ? splitHalf(joined) : [joined, '']
    if (half !== '') this.halves = { ...this.halves, [key]: half }
    this.#replace(withText(this.event, path, whole))
  }

  /** Drops what waits for a text that this event ends, also where the event repeats it. */
  #endText(key: string | undefined): void {
    const { contextId, taskId, content } = this.event
    if (this.halves === noHalves) return
    const hasWaited = key !== undefined && this.#take(key) !== ''
    if (hasWaited) {
      this.diagnostics.push(dropped())
      if (typeof content === 'string') this.event = { ...this.event, content: splitHalf(content)[0] }
    }
    if (!isTaskEnd(this.event as { readonly kind: string })) return
    const task = keyOf(contextId, taskId)
    for (const waiting of Object.keys(this.halves).filter((each) => each.startsWith(task))) {
      this.#take(waiting)
      this.diagnostics.push(dropped())
    }
  }

  /** Removes and returns the half that waits. Empty if there is none. */
  #take(key: string): string {
    const half = Object.hasOwn(this.halves, key) ? this.halves[key] : undefined
    if (half === undefined) return ''
    const { [key]: _, ...rest } = this.halves
    this.halves = Object.keys(rest).length === 0 ? noHalves : rest
    return half
  }

  #replace(event: Fields): void {
    this.event = toUnicode(event, (path, text) => {
      const field = String(path[0])
      const message = `Expected Unicode text in ${field}, got half a surrogate pair, replaced by U+FFFD.`
      this.diagnostics.push({ code: `lossy:${field}`, message, path: toPointer(path), detail: { text } })
    }) as Fields
  }
}

function dropped(): Diagnostic {
  const message =
    'Expected the second half of a surrogate pair, got the end of the text. Dropped the first half.'
  return { code: 'lossy:delta', message, path: '' }
}

/** The texts of events: the name of their ids, and where the event has a piece. Without a piece, the event ends its text. */
const texts: ReadonlyMap<unknown, readonly [id: string, ...path: string[]]> = new Map([
  ['content-delta', ['contentId', 'delta']],
  ['content-replace', ['contentId', 'content']],
  ['content-complete', ['contentId']],
  ['thought-delta', ['thoughtId', 'delta']],
  ['thought-stream', ['thoughtId']],
  ['tool-arguments-delta', ['toolCallId', 'delta']],
  ['tool-start', ['toolCallId']],
  ['tool-complete', ['toolCallId']],
  ['file-write', ['artifactId', 'data']],
  ['artifact-delta', ['artifactId', 'change', 'text']],
])

/** The text that an event writes or ends: its key, and where the event has a piece. */
function textOf(event: Fields): readonly [key: string, ...path: string[]] | undefined {
  const text = texts.get(event.kind)
  if (text === undefined) return undefined
  const [id, ...path] = text
  // Artifacts are those of the context, in place of a task.
  const task = id === 'artifactId' ? path : event.taskId
  return [keyOf(event.contextId, task, id, event[id]), ...path]
}

/** The value at a path of an event, or of what it changes. */
function pieceAt(event: Fields, [first = '', second]: readonly string[]): unknown {
  const value = event[first]
  if (second === undefined) return value
  return isFields(value) && value.type === 'text-append' ? value[second] : undefined
}

/** Quoted, so that no id looks like a part of another key. */
function keyOf(...parts: readonly unknown[]): string {
  return parts.map((part) => JSON.stringify(part ?? null)).join(' ')
}

function withText(event: Fields, [first = '', second]: readonly string[], text: string): Fields {
  const value = second === undefined ? text : { ...(event[first] as Fields), [second]: text }
  return { ...event, [first]: value }
}
