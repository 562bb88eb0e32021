/** Names something within its context, so that no two things of any two contexts are called the same. */
export function keyOf(contextId: string, id: string): string {
  return `${contextId.length}:${contextId}${id.length}:${id}`
}
