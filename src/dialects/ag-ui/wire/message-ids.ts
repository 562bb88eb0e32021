/** The ids of messages: made from those of events, so that a stream and a snapshot of it agree. */

/**
 * The message of a text segment.
 *
 * @param segment - Its number in the task, from 0.
 * @param contentId - Omitted: the text without an id.
 */
export function textMessageId(taskId: string, segment: number, contentId?: string): string {
  const id = `${taskId}:content:${segment}`
  return contentId === undefined ? id : `${id}:${contentId}`
}

/** The `contentId` of a message: the id itself, unless it is one of {@link textMessageId}. */
export function contentIdOf(messageId: string, taskId: string): string | null {
  if (messageId === '') return null
  const prefix = `${taskId}:content:`
  if (!messageId.startsWith(prefix)) return messageId
  const rest = /^\d+(?::(.*))?$/s.exec(messageId.slice(prefix.length))
  if (rest === null) return messageId
  return rest[1] === undefined || rest[1] === '' ? null : rest[1]
}

/** The message of the progress of a call. */
export function progressMessageId(toolCallId: string): string {
  return `${toolCallId}:progress`
}

/** The message of the result of a call. */
export function resultMessageId(toolCallId: string): string {
  return `${toolCallId}:result`
}
