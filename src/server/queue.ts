/** Queues by object and key: what one process does to the same thing waits for what it did before. */

/** Runs a task after those before it. */
export type Queue = <T>(task: () => Promise<T>) => Promise<T>

/** The last task of each queue that has one, by its key. */
const tails: WeakMap<object, Map<string, Promise<unknown>>> = new WeakMap()

/** The queue of an object for a key. */
export function queueOf(owner: object, key: string): Queue {
  const known = tails.get(owner)
  const own = known ?? new Map<string, Promise<unknown>>()
  if (known === undefined) tails.set(owner, own)
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
