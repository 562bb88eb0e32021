/** What an event states about the parents of tasks, for the script to complete the events of known subtasks. */

/**
 * The lines that the script reads: the context, the task if the event lacks a `parentTaskId`, then each subtask and its
 * parent. Empty for an event of no task. JSON never holds a line break.
 */
export function parentLines(event: object): string {
  const { kind, contextId, taskId, parentTaskId, subtaskId } = event as Readonly<Record<string, unknown>>
  if (typeof contextId !== 'string' || typeof taskId !== 'string') return ''
  const context = `[${JSON.stringify(contextId)},`
  const nameOf = (task: string): string => `${context}${JSON.stringify(task)}]`
  const isStamped = typeof parentTaskId === 'string'
  const lines = [context, isStamped ? '' : nameOf(taskId)]
  if (isStamped) lines.push(nameOf(taskId), JSON.stringify(parentTaskId))
  if (kind === 'subtask-created' && typeof subtaskId === 'string') {
    lines.push(nameOf(subtaskId), JSON.stringify(taskId))
  }
  return lines.join('\n')
}
