/** Events to rows: each event belongs to one row, which begins, goes forward or ends with it. */
import { isTerminalStatus } from '../../events/task-status.ts'
import { type Family, familyOf } from './family.ts'
import type { RecordedEvent } from './recorded-event.ts'
import { createRow, GAP_MS, type Row, type RowStatus } from './row.ts'
import { idOf, isOutput, labelOf, statusAfter, textOf } from './row-fields.ts'
import { RunTimes } from './run-times.ts'

/** A task, and what is open in it. */
interface Task {
  readonly row: Row
  parent: Task | undefined
  /** Number of levels of tasks below it. */
  height: number
  /** Rows by family and id. */
  readonly rows: Map<string, Row>
  /** Counts what interrupts texts: a text that continues after it is a row of its own. */
  interruptions: number
  /** The value of `interruptions` at the latest delta of each text. */
  readonly textAt: Map<Row, number>
  lastMs: number
}

/** The most levels of tasks. A task below them is shown at the top, so that the cost of an event is bounded. */
export const MAX_LEVELS = 32

/** Builds the rows of a recording, event by event. */
export class Timeline {
  readonly roots: Row[] = []
  /** The row of each event. */
  readonly rowOf: Row[] = []
  /** Number of rows. */
  size = 0
  readonly #tasks = new Map<string, Task>()
  readonly #runTimes = new RunTimes()

  /** Number of tasks. */
  get tasks(): number {
    return this.#tasks.size
  }

  /** Adds the next event. `ms` is its time in the recording. */
  add(event: RecordedEvent, ms: number): Row {
    const index = this.rowOf.length
    const { kind } = event
    const contextId = textOf(event.contextId)
    const task = this.#task(contextId, textOf(event.taskId), index, ms)
    const family = familyOf(kind)
    const row = family === 'task' ? task.row : this.#part(task, event, family, index)
    this.rowOf.push(row)
    row.last = index
    row.count++
    if (family === 'task') this.#taskEvent(task, event, contextId, ms)
    else row.status = statusAfter(row, event)
    if (family === 'tool') this.#runTimes.add(row, event)
    if (task.row.firstToken === undefined && isOutput(kind)) task.row.firstToken = index
    touch(task, index, ms)
    return row
  }

  #task(contextId: string, taskId: string, index: number, ms: number): Task {
    const key = `${contextId}\n${taskId}`
    const known = this.#tasks.get(key)
    if (known !== undefined) return known
    const row = createRow('task', taskId, taskId, index)
    const task: Task = {
      row,
      parent: undefined,
      height: 0,
      rows: new Map(),
      interruptions: 0,
      textAt: new Map(),
      lastMs: ms,
    }
    this.#tasks.set(key, task)
    this.roots.push(row)
    this.size++
    return task
  }

  #part(task: Task, event: RecordedEvent, family: Family, index: number): Row {
    const fields = event as Readonly<Record<string, unknown>>
    const id = idOf(fields, family)
    const key = `${family}\n${id}`
    const known = task.rows.get(key)
    if (family === 'text') {
      const continues = known !== undefined && task.textAt.get(known) === task.interruptions
      const isWhole = event.kind === 'content-complete'
      if (known !== undefined && (continues || (isWhole && known.status === 'open'))) return known
      if (known !== undefined && !isWhole && known.status === 'open') known.status = 'done'
    } else if (known !== undefined) {
      if (family === 'tool' && event.kind === 'tool-start') known.runsFrom ??= index
      return known
    }
    const row = createRow(family, id, labelOf(fields, family), index)
    if (family === 'tool' && event.kind !== 'tool-arguments-delta') row.runsFrom = index
    if (family === 'text') task.textAt.set(row, task.interruptions)
    else task.interruptions++
    task.rows.set(key, row)
    row.parent = task.row
    task.row.children.push(row)
    this.size++
    return row
  }

  #taskEvent(task: Task, event: RecordedEvent, contextId: string, ms: number): void {
    const { row } = task
    const fields = event as Readonly<Record<string, unknown>>
    if (event.kind === 'task-complete') end(task, 'done')
    else if (event.kind === 'task-status') {
      const status = textOf(fields.status)
      if (isTerminalStatus(status)) end(task, status === 'completed' ? 'done' : status)
      else row.status = status.startsWith('waiting') ? 'waiting' : 'open'
    } else if (event.kind === 'task-created') {
      const agentId = (fields.metadata as { readonly agentId?: unknown } | undefined)?.agentId
      if (typeof agentId === 'string') row.label = agentId
      const parentId = fields.parentTaskId
      if (typeof parentId === 'string') {
        const parent = this.#tasks.get(`${contextId}\n${parentId}`)
        if (parent !== undefined) this.#nest(task, parent)
      }
    } else if (event.kind === 'subtask-created') {
      const child = this.#task(contextId, textOf(fields.subtaskId), this.rowOf.length - 1, ms)
      if (typeof fields.agentId === 'string') child.row.label = fields.agentId
      task.interruptions++
      this.#nest(child, task)
    }
  }

  /** Moves a task below its parent, unless it has one, the parent is below it, or there are too many levels. */
  #nest(task: Task, parent: Task): void {
    if (task.parent !== undefined) return
    let depth = 1
    for (let above: Task | undefined = parent; above !== undefined; above = above.parent) {
      if (above === task) return
      depth++
    }
    if (depth + task.height > MAX_LEVELS) return
    this.roots.splice(this.roots.lastIndexOf(task.row), 1)
    task.parent = parent
    task.row.parent = parent.row
    parent.row.children.push(task.row)
    let height = task.height
    for (let above: Task | undefined = parent; above !== undefined; above = above.parent) {
      height++
      above.height = Math.max(above.height, height)
    }
  }
}

/** Notes the time of an event in its task and the tasks above it, and the gap before it. */
function touch(from: Task, index: number, ms: number): void {
  for (let task: Task | undefined = from; task !== undefined; task = task.parent) {
    if (ms - task.lastMs >= GAP_MS) task.row.gaps.push({ index, fromMs: task.lastMs, toMs: ms })
    task.lastMs = ms
    task.row.last = index
  }
}

/** Ends a task, and what is open in it. */
function end(task: Task, status: RowStatus): void {
  task.row.status = status
  for (const row of task.rows.values()) {
    if (row.status === 'open' || row.status === 'waiting') row.status = 'ended'
  }
}
