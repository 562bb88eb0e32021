/** Events as they are sent to a database. */
import { utf8Length } from '../encoding/utf8-length.ts'
import { statedLinks } from '../streams/log/writer/stated-links.ts'
import { taskKeyOf } from './keys.ts'
import type { Link } from './operations.ts'

/** How many tasks and links a writer remembers. */
const MAX_KNOWN = 10_000

/** Events as parameters of an operation. */
export interface EventsToStore {
  readonly events: string
  /** The tasks that the database may not have. `null`: none. */
  readonly new_tasks: string | null
  readonly links: readonly Link[]
  /** Remembers that the database has the tasks and links now. */
  stored(): void
}

/** Makes parameters of events. What the database has is not sent again. */
export class EventParameters {
  readonly #tasks = new Set<string>()
  readonly #links = new Set<string>()

  /** @param first - The number of the first event; those of the others follow. */
  of(all: readonly { readonly event: object; readonly json: string }[], first: number): EventsToStore {
    const tasks = new Map<string, string>()
    const links = new Map<string, Link>()
    const task = (contextId: string, id: string | readonly [artifactId: string]): string => {
      const key = taskKeyOf(contextId, id)
      if (!this.#tasks.has(key)) tasks.set(key, JSON.stringify(id))
      return key
    }
    const rows = all.map(({ event, json }, index) => {
      const { contextId, taskId, artifactId } = event as Readonly<Record<string, unknown>>
      const row = [null, json, utf8Length(json)] as const
      if (typeof contextId !== 'string' || typeof taskId !== 'string') return row
      // Tasks that write to one artifact are read together.
      const written = typeof artifactId === 'string' ? [[[artifactId], taskId] as const] : []
      for (const [child, parent] of [...written, ...statedLinks(event)] as const) {
        const link = [task(contextId, child), task(contextId, parent), first + index] as const
        // The first parent of a task is kept: one of another parent changes nothing, but is sent each time.
        const key = JSON.stringify(link.slice(0, 2))
        if (!this.#links.has(key) && !links.has(key)) links.set(key, link)
      }
      return [task(contextId, taskId), ...row.slice(1)]
    })
    return {
      events: JSON.stringify(rows),
      new_tasks: tasks.size === 0 ? null : JSON.stringify([...tasks]),
      links: [...links.values()],
      stored: () => {
        remember(this.#tasks, tasks.keys())
        remember(this.#links, links.keys())
      },
    }
  }
}

function remember(known: Set<string>, keys: Iterable<string>): void {
  if (known.size > MAX_KNOWN) known.clear()
  for (const key of keys) known.add(key)
}
