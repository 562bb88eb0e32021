/** Checking the life of tasks. */
import type { ContextAnyEvent } from '../events/event.ts'
import { listed, unlisted } from './verify-memory.ts'
import type { Checks, Scope } from './verify-scope.ts'
import { newTask, type VerifiedTask } from './verify-state.ts'
import { emptySum, isSameSum, summed } from './verify-sum.ts'
import { isEnded } from './view.ts'

type TaskKind = 'task-created' | 'task-status' | 'task-complete' | 'subtask-created'

const DEEPEST = 16

export const taskChecks: Checks<TaskKind> = {
  'task-created'(scope, { initiator, parentTaskId }) {
    if (parentTaskId !== undefined && initiator !== 'agent') {
      scope.report('subtask-initiator', 'A user does not initiate subtasks.', {
        path: '/initiator',
        expected: 'agent',
        actual: initiator,
      })
    }
  },

  'task-status'(scope, { status, error }) {
    const { life, errors } = scope.task
    const path = { path: '/status', actual: status }
    if (error !== undefined && status !== 'failed') {
      scope.report('error-with-failure', `An error with the status ${status}.`, { path: '/error' })
    }
    if (status === 'submitted' && life.status !== 'created' && life.status !== 'submitted') {
      scope.report('status-order', `submitted after ${life.status}.`, path)
    }
    if (errors.isFatal && status !== 'failed' && status !== 'canceled') {
      scope.report('fatal-error-ends-task', 'An error of the task said it would fail.', path)
    }
    scope.changeTask('errors', { isFatal: false })
    if (status !== life.status) leaveWaiting(scope, isEnded(status))
    const hasCause = status === life.status ? life.hasCause : false
    scope.changeTask('life', { status, hasCause: hasCause || isWaitingFor(scope, status) })
    if (!isEnded(status)) return
    scope.changeTask('life', { isSaid: true })
    endTask(scope, status === 'completed')
  },

  'task-complete'(scope, { content, artifacts }) {
    const { life, errors } = scope.task
    if (!isEnded(life.status)) {
      if (errors.isFatal) {
        scope.report('fatal-error-ends-task', 'An error of the task said it would fail.', { path: '/kind' })
      }
      scope.changeTask('life', { status: 'completed' })
      endTask(scope, true)
    }
    scope.changeTask('life', { hasResult: true })
    const { last } = scope.task.text
    if (content !== undefined && last !== null && !isSameSum(last, summed(emptySum, content))) {
      scope.report('result-repeats-content', 'The content is not that of the last content-complete.', {
        path: '/content',
      })
    }
    for (const [i, id] of (artifacts ?? []).entries()) {
      if (isWriter(scope, id)) continue
      const more = { path: `/artifacts/${i}`, actual: id }
      scope.report('result-artifacts', 'The task has not completed such an artifact.', more)
    }
  },

  'subtask-created'(scope, { subtaskId }) {
    const key = scope.key(subtaskId)
    const parent = scope.key(scope.task.taskId)
    const child = scope.get('tasks', key)
    if (child === undefined) {
      if (subtaskId === scope.task.taskId) {
        scope.report('subtask-parent', 'A task is not its own subtask.', { path: '/subtaskId' })
        return
      }
      const fresh = newTask(scope.task.contextId, subtaskId, false)
      const depth = scope.task.family.depth + 1
      const family = { ...fresh.family, parent, parentTaskId: scope.task.taskId, depth }
      scope.set('tasks', key, { ...fresh, family, life: { ...fresh.life, status: 'announced' } })
      scope.changeTask('family', {
        children: listed(scope.task.family.children, key),
        unpaired: listed(scope.task.family.unpaired, subtaskId),
      })
      reportDepth(scope, depth)
      if (isWaitingFor(scope, scope.task.life.status)) scope.changeTask('life', { hasCause: true })
      return
    }
    const isHalf = scope.task.family.unpaired.includes(subtaskId)
    if (child.life.isJoined || (isHalf && child.life.status !== 'announced')) {
      scope.changeTask('family', { unpaired: unlisted(scope.task.family.unpaired, subtaskId) })
    } else if (!scope.mayKnowMore || child.life.status === 'announced') {
      scope.report('subtask-parent', 'There is such a task already.', {
        path: '/subtaskId',
        actual: subtaskId,
      })
    }
  },
}

/** Puts a task that begins where it belongs. `undefined`: it had begun before. */
export function beginTask(scope: Scope, event: ContextAnyEvent, known: VerifiedTask | undefined): void {
  const { contextId, taskId, parentTaskId = null } = event
  if (known !== undefined) {
    scope.task = known
    const announcedBy = known.family.parentTaskId
    if (known.life.status === 'announced') {
      scope.changeTask('life', { status: 'created' })
      if (announcedBy !== parentTaskId) {
        const more = { path: '/parentTaskId', expected: announcedBy, actual: parentTaskId }
        scope.report('subtask-parent', 'Another task announced this one.', more)
      }
      if (known.family.parent !== null) pair(scope, known.family.parent, taskId)
    } else if (!known.life.isJoined) scope.report('created-once', 'The task was created before.')
    // Of a stream that is seen from its beginning, this was reported with the first event.
    else if (scope.isPartial) scope.report('created-first', 'Other events of the task came before.')
    return
  }
  scope.task = newTask(contextId, taskId, false)
  if (parentTaskId === null) return
  const parent = scope.key(parentTaskId)
  const above = scope.get('tasks', parent)
  const path = { path: '/parentTaskId', actual: parentTaskId }
  const depth = (above?.family.depth ?? 0) + 1
  scope.changeTask('family', { parent, parentTaskId, depth })
  if (parentTaskId === taskId) scope.report('known-parent', 'A task is not its own parent.', path)
  else if (above === undefined) {
    if (!scope.isPartial) scope.report('known-parent', 'There is no such task.', path)
  } else if (isEnded(above.life.status)) {
    scope.report('known-parent', 'The parent has ended.', path)
  } else if ([...lineOf(scope, parent)].includes(scope.key(taskId))) {
    scope.report('known-parent', 'A task is not its own ancestor.', path)
  } else {
    reportDepth(scope, depth)
    const key = scope.key(taskId)
    scope.changeOther(parent, (task) => ({
      ...task,
      life: { ...task.life, hasCause: task.life.hasCause || task.life.status === 'waiting-subtask' },
      family: {
        ...task.family,
        children: listed(task.family.children, key),
        // A parent that was joined late may have announced it before.
        unpaired: task.life.isJoined ? task.family.unpaired : listed(task.family.unpaired, taskId),
      },
    }))
  }
}

/** Both halves of a subtask's beginning were seen, or nobody will see the other. */
export function pair(scope: Scope, parent: string, taskId: string): void {
  scope.changeOther(parent, (task) => ({
    ...task,
    family: { ...task.family, unpaired: unlisted(task.family.unpaired, taskId) },
  }))
}

function reportDepth(scope: Scope, depth: number): void {
  if (depth <= DEEPEST) return
  scope.report('known-parent', 'The tasks are nested too deep.', { expected: DEEPEST, actual: depth })
}

/** What a task was waiting for when it goes on, or when the stream ends. */
export function leaveWaiting(scope: Scope, isOver: boolean): void {
  const { status, hasCause } = scope.task.life
  if (!status.startsWith('waiting-') || hasCause || isOver || scope.mayKnowMore) return
  scope.report('waiting-for-something', `Nothing was open while the task was ${status}.`, { actual: status })
}

/** Whether there is something a status can wait for. */
export function isWaitingFor({ task }: Scope, status: string): boolean {
  if (status === 'waiting-input') return task.open.inputs.length > 0
  if (status === 'waiting-auth') return task.open.auths.length > 0
  return status === 'waiting-subtask' && task.family.children.length > 0
}

/** Closes what is open, and reports what should have been closed before. */
function endTask(scope: Scope, isSuccess: boolean): void {
  const { text, open, family, taskId } = scope.task
  if (text.segment !== null) {
    const rule = isSuccess ? 'segment-open-at-success' : 'segment-open-at-failure'
    scope.report(rule, 'The text has no content-complete.')
    scope.changeTask('text', { segment: null })
  }
  for (const key of open.tools) {
    const call = scope.get('calls', key)
    if (call === undefined) continue
    const rule = isSuccess ? 'tool-open-at-success' : 'tool-open-at-failure'
    if (call.state === 'running') scope.report(rule, `A call of ${call.toolName ?? 'a tool'} has no end.`)
    scope.set('calls', key, { ...call, state: 'ended', text: null })
  }
  for (const key of [...open.inputs, ...open.auths]) {
    const request = scope.get('requests', key)
    if (request !== undefined) scope.set('requests', key, { ...request, state: 'ended' })
  }
  for (const key of open.writes) {
    const artifact = scope.get('artifacts', key)
    if (artifact?.writing?.taskId === taskId) scope.set('artifacts', key, { ...artifact, writing: null })
  }
  scope.changeTask('open', { tools: [], inputs: [], auths: [], writes: [] })
  reportUnpaired(scope)
  if (isSuccess && family.children.length > 0) {
    const count = family.children.length
    scope.report('children-end-first', 'Subtasks have not ended.', { expected: 0, actual: count })
  }
  scope.changeTask('family', { children: [], unpaired: [] })
  const key = scope.key(taskId)
  if (family.parent !== null) {
    scope.changeOther(family.parent, (task) => ({
      ...task,
      family: { ...task.family, children: unlisted(task.family.children, key) },
    }))
  }
}

/** Reports the subtasks of which one half of the beginning is missing. */
export function reportUnpaired(scope: Scope): void {
  for (const id of scope.task.family.unpaired) {
    scope.report('subtask-pair', 'A subtask lacks its subtask-created or its task-created.', { actual: id })
  }
}

/** Whether the task or one of its descendants completed an artifact, or may have. */
function isWriter(scope: Scope, artifactId: string): boolean {
  const artifact = scope.get('artifacts', scope.key(artifactId))
  if (artifact === undefined) return scope.isPartial
  if (artifact.writers === null) return true
  const self = scope.key(scope.task.taskId)
  return artifact.writers.some((writer) => {
    const line = [...lineOf(scope, writer)]
    const root = scope.get('tasks', line.at(-1) ?? writer)
    return line.includes(self) || (root === undefined ? scope.isPartial : root.life.isJoined)
  })
}

/** The keys of a task and its ancestors, as far as they are known and 16 at most. */
function* lineOf(scope: Scope, key: string): Generator<string> {
  let at: string | null = key
  for (let depth = 0; at !== null && depth <= DEEPEST; depth++) {
    yield at
    at = scope.get('tasks', at)?.family.parent ?? null
  }
}

/** Reports what is not over when the stream is. */
export function endStream(scope: Scope): void {
  const { status } = scope.task.life
  if (status === 'announced' || isEnded(status)) return
  scope.report('task-ends', `The task is still ${status}.`, { actual: status })
  leaveWaiting(scope, false)
  reportUnpaired(scope)
}
