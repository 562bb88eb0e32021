/** Task ids of frame streams. */

/** The id of the task a stream maps to. Prefixed, as a session, a tool and an agent may share a name. */
export function taskIdOf(kind: string, id: string): string {
  return `${kind}:${id}`
}
