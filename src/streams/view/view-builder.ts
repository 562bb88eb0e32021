/** The view while one event is folded into it. */
import type { ContextEvent, EventKind, EventOf } from '../../events/event.ts'
import { trieGet } from '../collections/hash-map.ts'
import { listAt, listReplaced, listWith } from '../collections/list.ts'
import { type Table, tableGet, tableWith } from '../collections/table.ts'
import type { ArtifactView } from './artifact.ts'
import type { PartView, StreamedText } from './parts.ts'
import { keyIn, newTask, type OpenItems, type TaskView, type View, type ViewDiagnostic } from './view.ts'

/** How events of some kinds change a view. */
export type Folds<K extends EventKind> = {
  readonly [Kind in K]: (draft: Draft, event: ContextEvent<EventOf<Kind>>) => void
}

/** Problems that are kept; of more, the latest. */
const MOST_PROBLEMS = 64

/** The lists of what is under way. */
type OpenList = 'thoughts' | 'tools' | 'inputs' | 'auths' | 'writes'

/** A view that is being changed. Lives for one event; what it holds is never changed in place. */
export class Draft {
  readonly #view: View
  readonly #event: ContextEvent<{ kind: string }>
  /** Where the task is among the tasks: looked up once. `undefined`: it is new. */
  readonly #position: number | undefined
  /** The task of the event. */
  task: TaskView
  tasks: Table<TaskView>
  artifacts: Table<ArtifactView>
  problems: readonly ViewDiagnostic[]
  #problemCount: number

  constructor(view: View, event: ContextEvent<{ kind: string }>) {
    this.#view = view.contextId === null ? { ...view, contextId: event.contextId } : view
    this.#event = event
    this.tasks = view.tasks
    this.artifacts = view.artifacts
    this.problems = view.diagnostics
    this.#problemCount = view.problemCount
    const { contextId, taskId } = event
    this.#position = trieGet(view.tasks.positions, this.key(taskId))
    const known = this.#position === undefined ? undefined : listAt(view.tasks.rows, this.#position)
    this.task = known ?? { contextId, taskId, ...newTask }
  }

  /** The view with everything that was changed, at a time. */
  done(updatedAt: string): View {
    const { tasks } = this
    const task = taskWith(this.task, this.task.parts, updatedAt)
    return {
      contextId: this.#view.contextId ?? task.contextId,
      tasks:
        this.#position === undefined
          ? tableWith(tasks, this.key(task.taskId), task)
          : { rows: listReplaced(tasks.rows, this.#position, task), positions: tasks.positions },
      artifacts: this.artifacts,
      diagnostics: this.problems,
      problemCount: this.#problemCount,
    }
  }

  /** What something of the event's context is called in the tables. */
  key(id: string): string {
    return keyIn(this.#view, this.#event.contextId, id)
  }

  problem(
    code: ViewDiagnostic['code'],
    message: string,
    more: Pick<ViewDiagnostic, 'id' | 'expected' | 'actual'> = {},
  ): void {
    const { kind, taskId } = this.#event
    const problem = { code, message, kind, taskId, ...more }
    this.problems = [...this.problems.slice(1 - MOST_PROBLEMS), problem]
    this.#problemCount++
  }

  /** Changes another task of the context, which is there from then on. */
  changeTask(taskId: string, change: (task: TaskView) => TaskView): void {
    if (taskId === this.task.taskId) this.task = change(this.task)
    else {
      const key = this.key(taskId)
      const { contextId } = this.#event
      const task = tableGet(this.tasks, key) ?? { contextId, taskId, ...newTask }
      this.tasks = tableWith(this.tasks, key, change(task))
    }
  }

  /** The part with a key; `undefined` where there is none. */
  part<T extends PartView['type']>(type: T, id: string): Extract<PartView, { type: T }> | undefined {
    const part = tableGet(this.task.parts, partKey(type, id))
    return part as Extract<PartView, { type: T }> | undefined
  }

  /** Sets the part with a key. */
  setPart(id: string, part: PartView): void {
    this.task = taskWith(this.task, tableWith(this.task.parts, partKey(part.type, id), part))
  }

  /** Adds a part without a key, and returns its position. */
  addPart(part: PartView): number {
    const { parts } = this.task
    this.task = { ...this.task, parts: { ...parts, rows: listWith(parts.rows, part) } }
    return parts.rows.size
  }

  /** Replaces the part at a position. */
  replacePart(position: number, part: PartView): void {
    const { parts } = this.task
    const rows = listReplaced(parts.rows, position, part)
    this.task = taskWith(this.task, { rows, positions: parts.positions })
  }

  /** Diagnostics that something is under way, or over. */
  setOpen(list: OpenList, id: string, isOpen: boolean): void {
    this.task = withOpen(this.task, list, id, isOpen)
  }

  changeOpen(open: OpenItems): void {
    this.task = { ...this.task, open }
  }
}

/** A task with other parts. Field by field: engines copy objects many times faster so. */
function taskWith(
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
    origin: task.origin,
    report: task.report,
    parts,
    open: task.open,
    updatedAt,
  }
}

/** A task in which something is under way, or over. */
export function withOpen(task: TaskView, list: OpenList, id: string, isOpen: boolean): TaskView {
  const { open } = task
  if (open[list].includes(id) === isOpen) return task
  const ids = isOpen ? [...open[list], id] : open[list].filter((other) => other !== id)
  return { ...task, open: { ...open, [list]: ids } }
}

function partKey(type: PartView['type'], id: string): string {
  return `${type}:${id}`
}

/** What the parts that are under way are called in their task's table; of texts, which have no id, none. */
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

/** What a streamed text is with one more delta; `undefined` when the delta changes nothing. */
export function extended(
  draft: Draft,
  { text, next, hasGap }: StreamedText & { readonly text: string },
  { delta, index, indexEnd = index }: Delta,
  id?: string,
): (StreamedText & { readonly text: string }) | undefined {
  const end = Math.max(index, indexEnd)
  if (index === next) return { text: text + delta, next: end + 1, hasGap }
  const more = { ...(id === undefined ? {} : { id }), expected: next, actual: index }
  if (end < next) {
    draft.problem('repeated', 'A delta that was there before.', more)
    return undefined
  }
  draft.problem('gap', 'Deltas are missing.', more)
  // A merged delta that begins before the end of the text cannot be cut to what is new in it.
  return { text: index > next ? text + delta : text, next: end + 1, hasGap: true }
}
