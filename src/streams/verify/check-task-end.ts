/** What a task leaves open when it ends, and what it waited for. */
import { unlisted } from '../collections/generational-map.ts'
import { isEnded } from '../view/view.ts'
import type { CheckContext } from './context.ts'

/** What a task was waiting for when it goes on, or when the stream ends. */
export function leaveWaiting(scope: CheckContext, isOver: boolean): void {
  const { status, hasCause } = scope.task.life
  if (!status.startsWith('waiting-') || hasCause || isOver || scope.mayKnowMore) return
  scope.report('waiting-for-something', `Nothing was open while the task was ${status}.`, { actual: status })
}

/** Whether there is something a status can wait for. */
export function isWaitingFor({ task }: CheckContext, status: string): boolean {
  if (status === 'waiting-input') return task.open.inputs.length > 0
  if (status === 'waiting-auth') return task.open.auths.length > 0
  return status === 'waiting-subtask' && task.family.children.length > 0
}

/** Closes what is open, and reports what should have been closed before. */
export function endTask(scope: CheckContext, isSuccess: boolean): void {
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
function reportUnpaired(scope: CheckContext): void {
  for (const id of scope.task.family.unpaired) {
    scope.report('subtask-pair', 'A subtask lacks its subtask-created or its task-created.', { actual: id })
  }
}

/** Reports what is not over when the stream is. */
export function endStream(scope: CheckContext): void {
  const { status } = scope.task.life
  if (status === 'announced' || isEnded(status)) return
  scope.report('task-ends', `The task is still ${status}.`, { actual: status })
  leaveWaiting(scope, false)
  reportUnpaired(scope)
}
