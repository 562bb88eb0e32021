/** What the events of the extension wrote: how far each text, file and dataset, and how much of each output. */

import {
  boundedEntries,
  boundedGet,
  boundedSet,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isTaskEnd } from '../../../events/task-end.ts'
import { MAX_ARTIFACTS } from '../../shared/limits.ts'
import { isInterrupted, isTerminal, type Part, type State, type TaskUpdate } from '../wire/model.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { isRows } from './slot.ts'
import { isOwnText, type ReceivedTask, type Written } from './state.ts'

const END = 'end'
const REQUEST = 'request'
/** Its version is the number of resets. */
const RESET = 'reset'

/** Stores how far an event wrote its output, or that it ended the task or asked for something. */
export function trackWrite(writer: TaskEventWriter, event: ContextAnyEvent): void {
  const { state } = writer
  const key = keyOf(state.taskId, event)
  if (key === undefined) return
  const known = boundedGet(state.written, key) ?? unwritten
  const resets = boundedGet(state.written, RESET)?.version ?? 0
  // A2A keeps what was written before a reset, and what follows is shown beside it.
  const before = known.resets === resets ? known : { ...known, resets, sealed: known.size }
  state.written = writer.store(state.written, key, written(before, event), MAX_ARTIFACTS)
}

const unwritten: Written = {
  ...{ nextIndex: 0, isOpen: false, version: 0, isUtf8: false },
  ...{ sealed: 0, size: 0, resets: 0 },
}

function written(known: Written, event: ContextAnyEvent): Written {
  const added = sizeOf(event)
  const { version: before, sealed, size } = known
  if (event.kind === 'artifact-delta') {
    const version = typeof event.version === 'number' ? event.version : before + 1
    return { ...known, version, sealed: size + added, size: size + added }
  }
  // A text that is replaced after it was complete counts as well: this is the most that A2A shows.
  const { kind } = event
  const isDelta = kind === 'content-delta'
  const isReplaced = kind === 'content-replace'
  const isFirst = !('index' in event) || event.index === 0
  const isOpen = isReplaced || isDelta || ('complete' in event && event.complete === false)
  const last = 'indexEnd' in event ? event.indexEnd : 'index' in event ? event.index : 0
  const total =
    isReplaced || kind === 'content-complete'
      ? Math.max(sealed + added, size)
      : (isFirst && !isDelta ? 0 : size) + added
  return {
    nextIndex: isOpen ? (last ?? 0) + 1 : 0,
    isOpen,
    version: isOpen ? before : 'version' in event ? (event.version ?? before + 1) : before + 1,
    isUtf8: isFirst ? event.kind === 'file-write' && event.encoding !== 'base64' : known.isUtf8,
    sealed: isOpen ? sealed : total,
    size: total,
    resets: known.resets,
  }
}

/** The most that A2A shows of an event: characters, of a file in Base64, or rows. */
function sizeOf(event: ContextAnyEvent): number {
  switch (event.kind) {
    case 'content-delta':
      return event.delta.length
    case 'content-replace':
    case 'content-complete':
    case 'task-complete':
      return event.content?.length ?? 0
    case 'file-write':
      return MAX_GROWTH * event.data.length + MAX_GROWTH
    case 'data-write':
      return 1
    case 'dataset-write':
      return event.rows.length
    case 'artifact-delta':
      return event.change.type === 'rows-append'
        ? event.change.rows.length
        : event.change.type === 'text-append'
          ? MAX_GROWTH * event.change.text.length + MAX_GROWTH
          : 0
    default:
      return 0
  }
}

/** Characters of Base64, with padding, for one of text: at most three bytes in UTF-8. */
const MAX_GROWTH = 4

function keyOf(taskId: string, event: ContextAnyEvent): string | undefined {
  switch (event.kind) {
    case 'content-delta':
    case 'content-replace':
    case 'content-complete': {
      const { contentId = '' } = event
      return `text/${isOwnText(taskId, contentId) ? '' : contentId}`
    }
    case 'file-write':
    case 'data-write':
    case 'dataset-write':
    case 'artifact-delta':
      return `file/${event.artifactId}`
    case 'iteration-reset':
      return RESET
    case 'input-required':
    case 'auth-required':
      return REQUEST
    case 'task-complete':
    case 'task-status':
      if (isTaskEnd(event)) return END
      return event.status.startsWith('waiting-') ? REQUEST : undefined
    default:
      return undefined
  }
}

/** The key of what A2A shows as a text or another output. */
function shownKey({ taskId, written }: ReceivedTask, type: 'text' | 'file', id: string): string {
  if (type === 'text' && isOwnText(taskId, id)) return 'text/'
  const key = `${type}/${id}`
  // The writer names later segments, and files with the id of a text, `id#2`, `id#3` and so on.
  return boundedGet(written, key) === undefined ? key.replace(/#\d+$/, '') : key
}

/** Whether events of the extension ended the task, or asked for something, as a state shows. */
export function isWrittenState({ written }: ReceivedTask, state: State): boolean {
  const key = isTerminal(state) ? END : isInterrupted(state) ? REQUEST : undefined
  return key === undefined || boundedGet(written, key) !== undefined
}

/** Whether events of the extension wrote at least as much as a task shows. */
export function isWritten(task: ReceivedTask, { status, artifacts }: TaskUpdate): boolean {
  if (!isWrittenState(task, status.state)) return false
  const shown = new Map<string, number>()
  for (const { artifactId, parts } of artifacts) {
    for (const part of parts) {
      const isText = part.type === 'text' && part.name === undefined
      if (isText && part.text === '') continue
      const key = shownKey(task, isText ? 'text' : 'file', artifactId)
      shown.set(key, (shown.get(key) ?? 0) + shownSize(part))
    }
  }
  for (const [key, size] of shown) {
    // The result of a task is shown as its text, if it has no other.
    const result = key === 'text/' ? boundedGet(task.written, END) : undefined
    const entry = boundedGet(task.written, key) ?? result
    if (entry === undefined || size > Math.max(entry.size, result?.size ?? 0)) return false
  }
  return true
}

function shownSize(part: Part): number {
  switch (part.type) {
    case 'text':
      return part.text.length
    case 'raw':
      return part.bytes.length
    case 'data':
      return isRows(part.data) ? part.data.length : 1
    default:
      return 0
  }
}

/** Sets each slot to what the events wrote, so that reading A2A itself continues from there. */
export function applyWrites({ state }: TaskEventWriter): void {
  let { slots } = state
  const entries = [...boundedEntries(slots)].sort(([, a], [, b]) => b.order - a.order)
  const seen = new Set<string>()
  for (const [id, slot] of entries) {
    const isContent = slot.type === 'content'
    const key = shownKey(state, isContent ? 'text' : 'file', slot.key)
    const entry = boundedGet(state.written, key)
    if (entry === undefined || slot.type === 'link' || slot.type === 'record') continue
    const { nextIndex, isUtf8, version } = entry
    const base = { ...slot, key: key.slice(key.indexOf('/') + 1), isUtf8, version }
    const isOpen = entry.isOpen && !seen.has(key)
    const aligned = isOpen
      ? { ...base, isOpen, nextIndex }
      : { ...base, isOpen, nextIndex: 0, text: isContent ? '' : slot.text }
    slots = boundedSet(slots, id, aligned, MAX_ARTIFACTS).map
    seen.add(key)
  }
  state.slots = slots
  state.written = emptyBoundedMap
}
