/** A fast check of deltas, which are nine of ten events of a stream. */

import { type Fields, isCount, isId, isListOf, isTimestamp } from '../validation/predicates.ts'

/**
 * Whether an event is a valid delta of a text, a thought or tool arguments, with context. Whatever it refuses may still be
 * valid: it is then checked by its shape.
 */
export function isPlainDelta(kind: string, event: Fields): boolean {
  return (
    // First: other kinds have other fields, and looking for some in objects of many forms takes long.
    isItemOf(kind, event) &&
    typeof event.delta === 'string' &&
    isCount(event.index) &&
    isTimestamp(event.timestamp) &&
    isId(event.contextId) &&
    isId(event.taskId) &&
    event.indexEnd === undefined &&
    event.timestampEnd === undefined &&
    (event.iteration === undefined || isCount(event.iteration)) &&
    (event.parentTaskId === undefined || isId(event.parentTaskId)) &&
    (event.path === undefined || isListOf(event.path, isId))
  )
}

function isItemOf(kind: string, event: Fields): boolean {
  switch (kind) {
    case 'content-delta':
      return event.contentId === undefined || isId(event.contentId)
    case 'thought-delta':
      return isId(event.thoughtId) && event.thoughtType === undefined && event.verbosity === undefined
    case 'tool-arguments-delta':
      return isId(event.toolCallId) && isId(event.toolName)
    default:
      return false
  }
}
