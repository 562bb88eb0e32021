/** Keys for ids, which are unique only within their context, or only within their task. */

/** A key for an id that differs from that of every other id and context. */
export function contextKey(contextId: string, id: string): string {
  return `${contextId.length}:${contextId}${id.length}:${id}`
}

/** A key for the id of a call, a request, a thought or a text: tasks of one context may use the same ids. */
export function itemKey(
  { contextId, taskId }: { readonly contextId: string; readonly taskId: string },
  id: string,
): string {
  return contextKey(contextKey(contextId, taskId), id)
}
