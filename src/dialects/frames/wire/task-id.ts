/** The task a stream of frames maps to. */

/** The id of the task a stream is. Prefixed, as sessions, tools and agents may share a name. */
export function taskIdOf(kind: string, id: string): string {
  return `${kind}:${id}`
}
