/** What an event states about the parents of tasks. */

/** A task and its parent, of the context of the event. */
export type StatedLink = readonly [taskId: string, parentTaskId: string]

/** The links that an event states. None of an event without a task. */
export function statedLinks(event: object): StatedLink[] {
  const { kind, contextId, taskId, parentTaskId, subtaskId } = event as Readonly<Record<string, unknown>>
  if (typeof contextId !== 'string' || typeof taskId !== 'string') return []
  const links: StatedLink[] = []
  if (typeof parentTaskId === 'string') links.push([taskId, parentTaskId])
  if (kind === 'subtask-created' && typeof subtaskId === 'string') links.push([subtaskId, taskId])
  return links
}
