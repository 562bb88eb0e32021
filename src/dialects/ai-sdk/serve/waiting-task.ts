/**
 * The task that a page has left waiting for its user. Between the end of its response and the request that resumes it, the task
 * may be answered by another page and end: the page names it, so that it gets the rest.
 */

/** Begins the comment at the end of a response, before the id of the task. */
export const WAITING = 'waiting '

const PARAMETER = 'task'

/** The id of the task in the text at the end of a response; `undefined` if its task has ended. */
export function waitingIn(text: string): string | undefined {
  const [, taskId] = /^: waiting (.+)$/m.exec(text) ?? []
  return taskId
}

/** The URL of a resume, with the task that was left waiting. */
export function withWaiting(url: string, taskId: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${PARAMETER}=${encodeURIComponent(taskId)}`
}

/** The task in the URL of a resume; `null` if there is none. */
export function waitingTask(url: string): string | null {
  return new URL(url).searchParams.get(PARAMETER)
}
