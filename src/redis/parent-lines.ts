/** What an event states about the parents of tasks, for the script to complete the events of known subtasks. */
import { statedLinks } from '../streams/log/writer/stated-links.ts'

/**
 * The lines that the script reads: the context, the task if the event lacks a `parentTaskId`, then each subtask and its
 * parent. Empty for an event of no task. JSON never holds a line break.
 */
export function parentLines(event: object): string {
  const { contextId, taskId, parentTaskId } = event as Readonly<Record<string, unknown>>
  if (typeof contextId !== 'string' || typeof taskId !== 'string') return ''
  const context = `[${JSON.stringify(contextId)},`
  const nameOf = (task: string): string => `${context}${JSON.stringify(task)}]`
  const isStamped = typeof parentTaskId === 'string'
  const lines = [context, isStamped ? '' : nameOf(taskId)]
  for (const [task, parent] of statedLinks(event)) lines.push(nameOf(task), JSON.stringify(parent))
  return lines.join('\n')
}
