/** The workspace of folding one event into a view. */

import { describeValue } from '../../core/require.ts'
import type { ContextEvent, EventKind, EventOf } from '../../events/event.ts'
import { type KeyedList, keyedGet, keyedSet } from '../collections/keyed-list.ts'
import { mapGet } from '../collections/persistent-map.ts'
import { vectorGet, vectorPush, vectorSet } from '../collections/vector.ts'
import type { ArtifactView } from './artifact.ts'
import type { PartView, StreamedText } from './parts.ts'
import {
  initialTaskView,
  type OpenItems,
  type TaskView,
  type View,
  type ViewDiagnostic,
  viewKey,
} from './view.ts'

/** How events change a view, by kind. `null`: not at all. */
export type Reducers<K extends EventKind> = {
  readonly [Kind in K]: ((builder: ViewBuilder, event: ContextEvent<EventOf<Kind>>) => void) | null
}

/** Older diagnostics are dropped. */
const MAX_DIAGNOSTICS = 64

type OpenList = 'thoughts' | 'tools' | 'inputs' | 'auths' | 'writes'

/** A view while it is changed by one event. Nothing it holds is changed in place. */
export class ViewBuilder {
  readonly #view: View
  readonly #event: ContextEvent<{ kind: string }>
  /** Position of the event's task in the list of tasks. `undefined` if the task is new. */
  readonly #position: number | undefined
  /** The task of the event. */
  task: TaskView
  tasks: KeyedList<TaskView>
  artifacts: KeyedList<ArtifactView>
  diagnostics: readonly ViewDiagnostic[]
  #diagnosticCount: number

  constructor(view: View, event: ContextEvent<{ kind: string }>) {
    this.#view = view.contextId === null ? { ...view, contextId: event.contextId } : view
    this.#event = event
    this.tasks = view.tasks
    this.artifacts = view.artifacts
    this.diagnostics = view.diagnostics
    this.#diagnosticCount = view.diagnosticCount
    const { contextId, taskId } = event
    this.#position = mapGet(view.tasks.positions, this.key(taskId))
    const known = this.#position === undefined ? undefined : vectorGet(view.tasks.items, this.#position)
    this.task = known ?? { contextId, taskId, ...initialTaskView }
  }

  /** The changed view. */
  done(updatedAt: string): View {
    const { tasks } = this
    const task = withParts(this.task, this.task.parts, updatedAt)
    return {
      contextId: this.#view.contextId ?? task.contextId,
      tasks:
        this.#position === undefined
          ? keyedSet(tasks, this.key(task.taskId), task)
          : { items: vectorSet(tasks.items, this.#position, task), positions: tasks.positions },
      artifacts: this.artifacts,
      diagnostics: this.diagnostics,
      diagnosticCount: this.#diagnosticCount,
    }
  }

  /** The key of an id of the event's context. */
  key(id: string): string {
    return viewKey(this.#view, this.#event.contextId, id)
  }

  diagnostic(
    code: ViewDiagnostic['code'],
    message: string,
    more: Pick<ViewDiagnostic, 'id' | 'expected' | 'actual'> = {},
  ): void {
    const { kind, taskId } = this.#event
    const diagnostic = { code, message, kind, taskId, ...more }
    this.diagnostics = [...this.diagnostics.slice(1 - MAX_DIAGNOSTICS), diagnostic]
    this.#diagnosticCount++
  }

  /** Changes any task of the context, and creates it if it is new. */
  changeTask(taskId: string, change: (task: TaskView) => TaskView): void {
    if (taskId === this.task.taskId) this.task = change(this.task)
    else {
      const key = this.key(taskId)
      const { contextId } = this.#event
      const task = keyedGet(this.tasks, key) ?? { contextId, taskId, ...initialTaskView }
      this.tasks = keyedSet(this.tasks, key, change(task))
    }
  }

  /** A part of the event's task by its id; `undefined` if there is none. */
  part<T extends PartView['type']>(type: T, id: string): Extract<PartView, { type: T }> | undefined {
    const part = keyedGet(this.task.parts, partKey(type, id))
    return part as Extract<PartView, { type: T }> | undefined
  }

  /** Adds or replaces a part with an id. */
  setPart(id: string, part: PartView): void {
    this.task = withParts(this.task, keyedSet(this.task.parts, partKey(part.type, id), part))
  }

  /** Adds a part without an id, and returns its position. */
  addPart(part: PartView): number {
    const { parts } = this.task
    this.task = { ...this.task, parts: { ...parts, items: vectorPush(parts.items, part) } }
    return parts.items.size
  }

  /** Replaces the part at a position. */
  replacePart(position: number, part: PartView): void {
    const { parts } = this.task
    const items = vectorSet(parts.items, position, part)
    this.task = withParts(this.task, { items, positions: parts.positions })
  }

  /** Adds an item to a list of open items, or removes it. */
  setOpen(list: OpenList, id: string, isOpen: boolean): void {
    this.task = withOpen(this.task, list, id, isOpen)
  }

  changeOpen(open: OpenItems): void {
    this.task = { ...this.task, open }
  }
}

/** A task with other parts. Written field by field, which engines copy many times faster. */
function withParts(
  task: TaskView,
  parts: TaskView['parts'],
  updatedAt: string | null = task.updatedAt,
): TaskView {
  return {
    contextId: task.contextId,
    taskId: task.taskId,
    parentTaskId: task.parentTaskId,
    subtasks: task.subtasks,
    status: task.status,
    creation: task.creation,
    outcome: task.outcome,
    parts,
    open: task.open,
    updatedAt,
  }
}

/** A task with an item added to a list of open items, or removed. */
export function withOpen(task: TaskView, list: OpenList, id: string, isOpen: boolean): TaskView {
  const { open } = task
  if (open[list].includes(id) === isOpen) return task
  const ids = isOpen ? [...open[list], id] : open[list].filter((other) => other !== id)
  return { ...task, open: { ...open, [list]: ids } }
}

function partKey(type: PartView['type'], id: string): string {
  return `${type}:${id}`
}

/** The keys of the open parts of a task, except for the open texts, which have no keys. */
export function openKeys(open: OpenItems): string[] {
  return [
    ...open.thoughts.map((id) => partKey('thought', id)),
    ...open.tools.map((id) => partKey('tool', id)),
    ...open.inputs.map((id) => partKey('input', id)),
    ...open.auths.map((id) => partKey('auth', id)),
  ]
}

/** A delta of any kind. */
interface Delta {
  readonly delta: string
  readonly index: number
  readonly indexEnd?: number
}

/** A streamed text with one more delta; `undefined` if the delta is repeated. */
export function appendDelta(
  builder: ViewBuilder,
  { text, nextIndex, hasGap }: StreamedText & { readonly text: string },
  { delta, index, indexEnd = index }: Delta,
  id?: string,
): (StreamedText & { readonly text: string }) | undefined {
  const end = Math.max(index, indexEnd)
  if (index === nextIndex) return { text: text + delta, nextIndex: end + 1, hasGap }
  const isRepeated = end < nextIndex
  builder.diagnostic(
    isRepeated ? 'repeated' : 'gap',
    `Expected index ${describeValue(nextIndex)}, got ${describeValue(index)}.`,
    {
      ...(id === undefined ? {} : { id }),
      expected: nextIndex,
      actual: index,
    },
  )
  if (isRepeated) return undefined
  // A merged delta that overlaps the text cannot be split into its repeated and its new characters.
  return { text: index > nextIndex ? text + delta : text, nextIndex: end + 1, hasGap: true }
}
