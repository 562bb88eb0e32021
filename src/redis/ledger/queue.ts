/** One queue for each ledger of a client: those of one process wait for each other instead of contending in Redis. */

/** Runs a task after those before it. */
export type Queue = <T>(task: () => Promise<T>) => Promise<T>

/** The last task of each queue that has one, by the key of the stream. */
const tails: WeakMap<object, Map<string, Promise<unknown>>> = new WeakMap()

/** The queue of a stream of a client. */
export function queueOf(client: object, key: string): Queue {
  const known = tails.get(client)
  const own = known ?? new Map<string, Promise<unknown>>()
  if (known === undefined) tails.set(client, own)
  return (task) => {
    const done = (own.get(key) ?? Promise.resolve()).then(task)
    const tail: Promise<unknown> = done
      .catch(() => undefined)
      .then(() => {
        if (own.get(key) === tail) own.delete(key)
      })
    own.set(key, tail)
    return done
  }
}
