/** Finds where the events of a task do not continue those before: servers filter events and lose some. */

import { boundedEntries, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { fnv1a } from '../../../encoding/fnv1a.ts'
import { markOf, noMark } from '../../../encoding/text-mark.ts'
import type { DatasetWriteEvent, FileWriteEvent } from '../../../events/artifact.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isTaskEnd } from '../../../events/task-end.ts'
import { type LooopyBuilder, type LooopyTask, newTask, type Open, setTask, taskKey } from './state.ts'

/** More open items of a task are not tracked. */
const MAX_OPEN = 256

/** What the items are called. */
const nouns: Readonly<Record<Open, string>> = {
  texts: 'text of arguments',
  calls: 'tool call',
  inputs: 'input',
  authentications: 'authentication',
  writes: 'write',
  subtasks: 'subtask',
}

/** Events that open an item, or end one, by kind: the item, and the field with its id. */
const opens: Readonly<Record<string, readonly [Open, string]>> = {
  'tool-arguments-delta': ['texts', 'toolCallId'],
  'tool-start': ['calls', 'toolCallId'],
  'input-required': ['inputs', 'inputId'],
  'auth-required': ['authentications', 'authId'],
  'subtask-created': ['subtasks', 'subtaskId'],
}
const closes: typeof opens = {
  'tool-complete': ['calls', 'toolCallId'],
  'input-received': ['inputs', 'inputId'],
  'input-canceled': ['inputs', 'inputId'],
  'auth-completed': ['authentications', 'authId'],
  'auth-failed': ['authentications', 'authId'],
}

/** Takes an event into the state. Reports as `gap` what is missing before it. */
export function track(builder: LooopyBuilder, event: ContextAnyEvent): void {
  const { kind, taskId } = event
  const key = taskKey(event)
  const known = boundedGet(builder.state.tasks, key)
  const task: LooopyTask = { ...(known ?? newTask) }
  const expect = (path: string, expected: string, actual: string): void =>
    builder.diagnostic('gap', `Expected ${expected} in task ${describeValue(taskId)}, got ${actual}.`, {
      path,
    })

  if ((known === undefined) !== (kind === 'task-created')) {
    expect(
      '/kind',
      kind === 'task-created' ? 'no second task-created' : 'task-created as the first event',
      kind,
    )
  }
  const isEnd = isTaskEnd(event)
  const isSuccess = kind === 'task-complete' || (kind === 'task-status' && event.status === 'completed')
  if (task.end !== null && !(isSuccess && task.end !== 'failed' && task.end !== kind)) {
    expect('/kind', 'no event after the end', kind)
  }
  trackText(task, event, expect)
  trackItems(task, event, expect)
  if (isSuccess && task.end === null) {
    const left = (['calls', 'writes', 'subtasks'] as const).filter((item) => task[item].length > 0)
    for (const item of left) expect('/kind', `no open ${nouns[item]}s at its end`, `${task[item].length}`)
    if (task.delta > 0 && !(kind === 'task-complete' && repeatsText(task, event.content))) {
      expect('/kind', 'content-complete after the last delta', kind)
    }
  }
  if (isEnd) {
    task.end ??= isSuccess ? kind : 'failed'
    const { parentTaskId } = event
    if (parentTaskId !== undefined) endSubtask(builder, { ...event, taskId: parentTaskId }, taskId)
  }
  setTask(builder, key, task)
}

/** Whether the result of a task is its open text. Unless there were texts with a `contentId`, which may be part of it. */
function repeatsText({ text, hasNamedText }: LooopyTask, content: string | undefined): boolean {
  return content !== undefined && (hasNamedText || text === markOf(content).hash)
}

/** Reports the tasks that have not ended. */
export function trackEnd(builder: LooopyBuilder): void {
  for (const [key, { end }] of boundedEntries(builder.state.tasks)) {
    const [, taskId] = JSON.parse(key) as [string, string]
    if (end === null)
      builder.diagnostic('gap', `Expected the end of task ${describeValue(taskId)}, got none.`)
  }
}

/** Reports that something else was expected at a path. */
type Expect = (path: string, expected: string, actual: string) => void

function trackText(task: LooopyTask, event: ContextAnyEvent, expect: Expect): void {
  switch (event.kind) {
    case 'content-delta': {
      if (event.contentId !== undefined) {
        task.hasNamedText = true
        break
      }
      const { index, indexEnd = index, delta } = event
      if (index !== task.delta) expect('/index', `index ${task.delta}`, String(index))
      task.delta = indexEnd + 1
      task.text = fnv1a(task.text, delta)
      break
    }
    case 'content-complete': {
      if (event.contentId !== undefined) {
        task.hasNamedText = true
        break
      }
      const { content } = event
      if (task.delta > 0 && task.text !== markOf(content).hash) {
        expect('/content', 'the text of the deltas', 'another one')
      }
      task.delta = 0
      task.text = noMark.hash
      break
    }
    case 'thought-stream':
      if (event.index !== task.thought) expect('/index', `index ${task.thought}`, String(event.index))
      task.thought = Math.max(task.thought, event.index + 1)
  }
}

function trackItems(task: LooopyTask, event: ContextAnyEvent, expect: Expect): void {
  const { kind } = event
  const id = (field: string): string => String((event as unknown as Record<string, unknown>)[field])
  const [item, field] = opens[kind] ?? closes[kind] ?? []
  if (item !== undefined && field !== undefined) {
    // A call whose arguments were cut off ends without a start.
    const hasText = item === 'calls' && setOpen(task, 'texts', id(field), false)
    const isOpen = setOpen(task, item, id(field), kind in opens)
    if (!isOpen && !hasText && kind in closes)
      expect(`/${field}`, `the id of an open ${nouns[item]}`, describeValue(id(field)))
  } else if (kind === 'tool-progress' && !isOpenIn(task, 'calls', event.toolCallId)) {
    expect('/toolCallId', `the id of an open ${nouns.calls}`, describeValue(event.toolCallId))
  } else if (kind === 'file-write' || kind === 'dataset-write') trackChunk(task, event, expect)
}

/** Takes a chunk of a file or dataset into the state. */
function trackChunk(
  task: LooopyTask,
  { artifactId, index, indexEnd = index, complete }: FileWriteEvent | DatasetWriteEvent,
  expect: Expect,
): void {
  const hash = markOf(artifactId).hash
  const at = task.writes.indexOf(hash)
  const next = task.chunks[at] ?? 0
  if (index !== next) expect('/index', `index ${next}`, String(index))
  const isOther = (_: number, i: number): boolean => i !== at
  const writes = task.writes.filter(isOther)
  const chunks = task.chunks.filter(isOther)
  if (!complete && writes.length < MAX_OPEN) {
    writes.push(hash)
    chunks.push(indexEnd + 1)
  }
  task.writes = writes
  task.chunks = chunks
}

/** Opens or ends an item. Returns whether it was open. */
function setOpen(task: LooopyTask, item: Open, id: string, isOpen: boolean): boolean {
  const [known, hash] = [task[item], markOf(id).hash]
  const wasOpen = known.includes(hash)
  if (isOpen && !wasOpen && known.length < MAX_OPEN) task[item] = [...known, hash]
  if (!isOpen && wasOpen) task[item] = known.filter((each) => each !== hash)
  return wasOpen
}

function isOpenIn(task: LooopyTask, item: Open, id: string): boolean {
  return task[item].includes(markOf(id).hash)
}

/** Ends a subtask in the state of its parent. */
function endSubtask(builder: LooopyBuilder, parent: { contextId: string; taskId: string }, id: string): void {
  const key = taskKey(parent)
  const known = boundedGet(builder.state.tasks, key)
  if (known === undefined || !isOpenIn(known, 'subtasks', id)) return
  const task = { ...known }
  setOpen(task, 'subtasks', id, false)
  setTask(builder, key, task)
}
