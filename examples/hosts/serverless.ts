import type { Store } from 'turnstream/server'

type Open = Store['open']

/** A store whose tasks are work of the request that begins them: the platform keeps the process until they have ended. */
export function keptAlive(store: Store, waitUntil: (work: Promise<unknown>) => void): Store {
  const open = (name: Parameters<Open>[0], options: Parameters<Open>[1] = {}) => {
    const { onInput } = options
    if (onInput === undefined) return store.open(name, options)
    return store.open(name, {
      ...options,
      onInput(stream, input) {
        const work = Promise.resolve(onInput(stream, input))
        waitUntil(work.catch(() => undefined))
        return work
      },
    })
  }
  return { open: open as Open, close: () => store.close() }
}
