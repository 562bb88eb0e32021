/** Keys for ids, which are unique only within their context. */

/** A key for an id that differs from that of every other id and context. */
export function contextKey(contextId: string, id: string): string {
  return `${contextId.length}:${contextId}${id.length}:${id}`
}
