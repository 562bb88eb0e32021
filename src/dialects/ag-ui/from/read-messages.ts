/** Reads snapshots of all messages: what differs from what was streamed is a revision. */

import { boundedGet, boundedValues } from '../../../core/bounded-map/bounded-map.ts'
import { isSameMark, isStartOf, markOf, noMark } from '../../../encoding/text-mark.ts'
import { freeId } from '../../engine/draft.ts'
import { iterationOf } from '../../engine/draft-item.ts'
import type { AgUiMessagesSnapshot } from '../wire/types/index.ts'
import { forgetMessage, knownMessage, setMessage } from './messages.ts'
import { isLatestContent } from './read-text.ts'
import { readUnstreamed } from './read-unstreamed.ts'
import { requestOfRun } from './request.ts'
import { type Listed, nameOf, type Snapshot, snapshotOf } from './snapshot.ts'
import type { KnownMessage, OpenTask, RunWriter } from './state.ts'

/** A message of the run, whether it has ended or not. */
interface Current extends KnownMessage {
  /** What is listed of it; `undefined` if it is gone. */
  readonly listed: Listed | undefined
}

/**
 * Compares a snapshot with what was streamed. A text that differs is replaced, one that is gone retracted. If nothing is
 * left of the latest model response of a task, and none of its calls has started, it is reset. What was not streamed is
 * added. Other messages are no events of a task: they are handed to the caller, but for those of the request.
 */
export function readMessagesSnapshot(
  writer: RunWriter,
  { type, messages, metadata }: AgUiMessagesSnapshot,
): void {
  const request = requestOfRun(writer)
  const snapshot = snapshotOf(messages, new Set(request?.messages.map(({ id }) => id)))
  const left = new Set(snapshot.listed)
  const gone: string[] = []
  const { run } = writer.state
  const isInRun = run?.phase === 'active'
  if (isInRun) {
    const streamed = currentMessages(writer, snapshot)
    for (const [key, own] of streamed) {
      const task = writer.item('tasks', key)
      if (task?.phase !== 'open') continue
      const discarded = discardedOf(task, own, snapshot)
      if (discarded.length > 0) resetIteration(writer, task, discarded)
      for (const each of own) {
        const isRead =
          discarded.includes(each) ||
          (each.type === 'text' ? readText(writer, task, each, snapshot) : isSame(each))
        if (isRead && each.listed !== undefined) left.delete(each.listed)
        else if (!isRead && each.listed === undefined && !isSilent(each, snapshot)) gone.push(each.id)
      }
    }
    addUnstreamed(writer, left, gone, [...streamed.values()].flat())
    if (request !== undefined) for (const each of left) if (each.isEarlier) left.delete(each)
  }
  if (isInRun && left.size === 0 && gone.length === 0 && metadata === undefined) return
  const message = 'Messages of a snapshot are no events of the run; they are in detail.messages.'
  const unread = [...new Set([...left].map((each) => each.message))]
  const detail = { reason: 'no-equivalent', messages: unread, ...(gone.length > 0 && { gone }) }
  writer.diagnostic(`dropped:${type}`, message, { detail })
}

/** Reads what was not streamed, and removes it from what is left. */
function addUnstreamed(
  writer: RunWriter,
  left: Set<Listed>,
  gone: string[],
  streamed: readonly Current[],
): void {
  const keys = new Set(streamed.map(({ type, id }) => `${type} ${id}`))
  const renamed = new Map(
    streamed.flatMap((each) =>
      each.listed === undefined ? [[`${each.type} ${nameOf(each)}`, each.id]] : [],
    ),
  )
  for (const each of left) {
    const { key, text = '', isEarlier } = each
    if (boundedGet(writer.state.past, key) !== undefined) left.delete(each)
    // What is no longer known may be among the others.
    if (isEarlier || keys.has(key) || writer.state.hasForgotten || !left.has(each)) continue
    // A server may give its messages other ids once they are complete.
    const [type = ''] = key.split(' ', 1)
    const name = `${type} ${nameOf(markOf(text))}`
    const known = renamed.get(name)
    if (known !== undefined && type !== 'call') {
      renamed.delete(name)
      left.delete(each)
      if (gone.includes(known)) gone.splice(gone.indexOf(known), 1)
    } else if (readUnstreamed(writer, each)) left.delete(each)
  }
}

/** The messages that were streamed, by task. */
function currentMessages(writer: RunWriter, { byKey }: Snapshot): Map<string, Current[]> {
  const found = new Map<string, Current>()
  const add = (message: KnownMessage): void => {
    const key = `${message.type} ${message.id}`
    found.set(key, { ...message, listed: byKey.get(key) })
  }
  const { state } = writer
  for (const message of boundedValues(state.messages)) add(message)
  const base = { before: noMark, contentId: null, itemId: '', hasStarted: false }
  for (const { isForeign, key: id, owner, id: contentId, iteration, text } of boundedValues(
    state.texts.values,
  )) {
    const before = knownMessage(writer, 'text', id) ?? noMark
    const mark = markOf(text, before)
    if (!isForeign) add({ ...base, type: 'text', id, owner, contentId, iteration, before, ...mark })
  }
  for (const { phase, key: id, id: itemId, owner, iteration, text } of boundedValues(state.calls.values)) {
    const mark = markOf(text)
    if (phase === 'writing') add({ ...base, type: 'call', id, itemId, owner, iteration, ...mark })
  }
  for (const { key: id, id: itemId, owner, iteration, text } of boundedValues(state.thoughts.values)) {
    add({ ...base, type: 'thought', id, itemId, owner, iteration, ...markOf(text) })
  }
  const byTask = new Map<string, Current[]>()
  for (const each of found.values()) {
    const known = byTask.get(each.owner)
    if (known === undefined) byTask.set(each.owner, [each])
    else known.push(each)
  }
  return byTask
}

function isSame(each: Current): boolean {
  const text = each.listed?.text
  return text !== undefined && isSameMark(each, markOf(text))
}

/** Whether a snapshot states nothing about a message: clients keep their reasoning unless it has some. */
function isSilent({ type, length }: Current, { hasReasoning }: Snapshot): boolean {
  return type === 'call' ? false : length === 0 || (type === 'thought' && !hasReasoning)
}

/** What the snapshot discards of the latest model response: all that it wrote, or nothing. */
function discardedOf(task: OpenTask, own: readonly Current[], snapshot: Snapshot): readonly Current[] {
  const of = task.iteration === null ? [] : own.filter(({ iteration }) => iteration === task.iteration)
  const isGone = ({ listed }: Current): boolean => listed === undefined || listed.text === ''
  const isAll = of.every((each) => !each.hasStarted && isGone(each))
  return isAll && of.some((each) => !isSilent(each, snapshot)) ? of : []
}

function resetIteration(writer: RunWriter, task: OpenTask, discarded: readonly Current[]): void {
  const { iteration } = task
  if (iteration === null) return
  writer.emitDraft({ kind: 'iteration-reset', iteration }, task)
  for (const { type, id, itemId } of discarded) {
    forgetMessage(writer, type, id)
    if (type === 'text') writer.deleteItem('texts', id)
    else if (type === 'thought') writer.deleteItem('thoughts', id)
    else if (type === 'call') writer.deleteItem('calls', id)
    if (type === 'thought' || type === 'call') freeId(writer, type, itemId)
  }
  writer.setItem('tasks', task.key, { ...task, ...task.earlier })
}

/** Replaces a text by what is listed of it. Returns whether events have it. */
function readText(writer: RunWriter, task: OpenTask, each: Current, { texts }: Snapshot): boolean {
  const { listed, ...known } = each
  const { id, owner, contentId, before } = known
  const text = listed === undefined ? '' : listed.text
  if (text === undefined) return false
  if (isSameMark(each, markOf(text))) return true
  // A server may give its messages other ids once they are complete.
  if (listed === undefined && texts.has(nameOf(each))) return false
  if (!isLatestContent(writer, owner, contentId, id)) return false
  const follows = isStartOf(before, text)
  if (!follows) writer.lossy('content', 'The beginning of the message stays, as it ended before.', text)
  const content = follows ? text.slice(before.length) : text
  const open = writer.item('texts', id)
  const iteration = open === undefined ? each.iteration : open.iteration
  const named = contentId === null ? {} : { contentId }
  writer.emitDraft({ kind: 'content-replace', ...named, content, ...iterationOf({ iteration }) }, task)
  if (open === undefined) {
    forgetMessage(writer, 'text', id)
    if (before.length > 0) setMessage(writer, { ...known, ...before })
  }
  writer.setItem('texts', id, {
    ...(open ?? {
      key: id,
      owner,
      taskId: task.taskId,
      parentTaskId: task.parentTaskId,
      iteration,
      metadata: null,
      id: contentId,
      isForeign: false,
      isOver: true,
    }),
    text: content,
    deltas: 1,
  })
  return true
}
