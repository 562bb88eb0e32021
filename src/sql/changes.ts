/** Wakes the waiting readers of a process: one connection, or one question for all streams. */
import { pause, startTimer, stopTimer } from '../core/timer.ts'
import { changeOf, comesBack, type Waiting, wakeAll } from '../core/waiting.ts'
import { type Connection, connectionOf } from './connection.ts'
import type { SqlDatabase } from './database.ts'
import { bind } from './operations.ts'
import { statements } from './statements.ts'

/** The channel of Postgres that all streams share. The payload is the name of the stream; empty: any. */
export const CHANNEL = 'turnstream'
/** Postgres takes 8000 bytes. */
const MAX_PAYLOAD = 2000

/** How often to ask for changes: at first, and if nothing changes. */
const POLL_MS = { min: 20, max: 500 }
/** How often a connection is asked for a sign of life, and how long that may take. */
const PROBE_MS = 10_000
const ANSWER_MS = 3000
/** How long it listens without a reader: readers come back after each batch. */
const LINGER_MS = 1000
/** What is not the name of a stream. */
const PROBE = '\u007fprobe '

/** What is known of a stream: its events, and the state beside them. */
export interface Known {
  readonly events?: string
  readonly state?: string
}

/** Waiting for changes of one stream. */
export interface Watch {
  /** Forgets what has changed: call it before a read. */
  reset(): void
  /** Resolves to `true` as soon as something has changed since the last `reset`; to `false` if the signal is aborted before. */
  changed(signal: AbortSignal | undefined): Promise<boolean>
  end(): void
}

interface Watched {
  readonly watches: Set<{ readonly ofState: boolean; wake(): void }>
  known: Known
}

const hubs: WeakMap<SqlDatabase, Changes> = new WeakMap()

/** The changes of a database: all logs of a process share them. */
export function changesOf(database: SqlDatabase): Changes {
  let hub = hubs.get(database)
  if (hub === undefined) {
    hub = new Changes(database)
    hubs.set(database, hub)
  }
  return hub
}

/** The payload that names a stream. */
export function payloadOf(name: string): string {
  return name.length > MAX_PAYLOAD ? '' : name
}

export class Changes {
  readonly #database: SqlDatabase
  readonly #connection: Connection
  readonly #streams = new Map<string, Watched>()
  #running: Promise<void> | undefined
  #isListening = false
  #linger: unknown
  /** Wakes what runs, to look whether anybody waits. */
  readonly #stopping: Waiting = new Set()
  /** Who waits for the sign of life of the connection. */
  readonly #probed: Waiting = new Set()

  constructor(database: SqlDatabase) {
    this.#database = database
    this.#connection = connectionOf({ database, timeoutMs: ANSWER_MS, sleep: pause }, 'changes')
  }

  /** @param ofState - Whether it waits for the state beside the events as well. */
  watch(name: string, ofState: boolean): Watch {
    const watched = this.#streams.get(name) ?? { watches: new Set(), known: {} }
    this.#streams.set(name, watched)
    let hasChanged = false
    const waiting: Waiting = new Set()
    const own = {
      ofState,
      wake(): void {
        hasChanged = true
        wakeAll(waiting)
      },
    }
    watched.watches.add(own)
    stopTimer(this.#linger)
    this.#start()
    return {
      reset() {
        hasChanged = false
      },
      changed: async (signal) => hasChanged || changeOf(waiting, Number.POSITIVE_INFINITY, signal),
      end: () => {
        watched.watches.delete(own)
        if (watched.watches.size === 0 && this.#streams.get(name) === watched) this.#streams.delete(name)
        if (this.#isIdle) this.#linger = startTimer(() => wakeAll(this.#stopping), LINGER_MS)
      },
    }
  }

  /** Learns what was read: whoever knew something else is woken. */
  note(name: string, known: Known): void {
    const watched = this.#streams.get(name)
    if (watched === undefined) return
    const before = watched.known
    watched.known = { ...before, ...known }
    const isOther = (part: keyof Known): boolean => known[part] !== undefined && before[part] !== known[part]
    // Readers have read before they wait. Who waits for a state may not have.
    const isNews = before.events !== undefined && isOther('events')
    for (const each of [...watched.watches]) if (isNews || (each.ofState && isOther('state'))) each.wake()
  }

  /** Wakes the readers of what this process has changed, unless the database does. */
  changedHere(name: string): void {
    if (!this.#isListening) this.#wake(name)
  }

  /** Ends what nobody waits for now, and not after a while. */
  async rest(): Promise<void> {
    if (this.#streams.size > 0) return
    wakeAll(this.#stopping)
    await this.#running
  }

  get #isIdle(): boolean {
    return this.#streams.size === 0
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Somebody may have come at the last moment.
      if (!this.#isIdle) this.#start()
    })
  }

  #wake(name: string): void {
    const one = this.#streams.get(name)
    const woken = name === '' ? [...this.#streams.values()] : one === undefined ? [] : [one]
    for (const watched of woken) wake(watched)
  }

  async #run(): Promise<void> {
    // Whoever waits now has begun before anything is heard.
    await undefined
    while (!this.#isIdle) {
      if (this.#database.listen !== undefined) await this.#listen().catch(() => undefined)
      // It cannot listen, or not now.
      if (!this.#isIdle)
        await this.#poll(this.#database.listen === undefined ? Number.POSITIVE_INFINITY : PROBE_MS)
    }
  }

  /** Listens as long as somebody waits and notifications come. */
  async #listen(): Promise<void> {
    const { listen } = this.#database
    const stop = await listen?.call(this.#database, CHANNEL, {
      notified: (payload) => {
        if (payload.startsWith(PROBE)) wakeAll(this.#probed)
        else this.#wake(payload)
      },
      resumed: () => this.#wake(''),
    })
    try {
      for (let isAlive = await this.#probe(); isAlive && !this.#isIdle; isAlive = await this.#probe()) {
        if (!this.#isListening) {
          this.#isListening = true
          // What came before it listened.
          this.#wake('')
        }
        await changeOf(this.#stopping, PROBE_MS, undefined, true)
        if (this.#isIdle) return
      }
    } finally {
      this.#isListening = false
      // A connection that does not answer does not end either.
      void stop?.().catch(() => undefined)
      this.#wake('')
    }
  }

  /** Whether a notification comes back. */
  #probe(): Promise<boolean> {
    const notify = bind(statements[this.#database.dialect].notify, { channel: CHANNEL, payload: PROBE })
    return comesBack(this.#probed, ANSWER_MS, () => this.#connection.run([notify]))
  }

  /** Asks for changes of all streams that somebody waits for. */
  async #poll(forMs: number): Promise<void> {
    const all = statements[this.#database.dialect]
    for (let [ms, waited] = [POLL_MS.min, 0]; !this.#isIdle && waited < forMs; waited += ms) {
      // Who waits keeps the process alive.
      await changeOf(this.#stopping, ms, undefined, true)
      if (this.#isIdle) return
      const names = JSON.stringify([...this.#streams.keys()])
      const [rows = []] = await this.#connection.run([bind(all.changes, { names })]).catch(() => [])
      let hasChanged = false
      for (const { name, epoch, next, closed, version } of rows) {
        const known = { events: `${epoch} ${next} ${closed}`, state: String(version) }
        const before = this.#streams.get(String(name))?.known
        if (before?.events === known.events && before.state === known.state) continue
        hasChanged = true
        this.note(String(name), known)
      }
      ms = hasChanged ? POLL_MS.min : Math.min(ms * 1.5, POLL_MS.max)
    }
  }
}

function wake({ watches }: Watched): void {
  for (const watch of [...watches]) watch.wake()
}
