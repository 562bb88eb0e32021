/** Databases that lose requests and answers. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type SqlDatabase, sqlLog, sqlStore } from 'turnstream/sql'
import type { EventLog } from 'turnstream/streams'
import type { OpenWriter, Writer } from './overlapping-law.ts'

/** A database that can be made to answer nothing any more. */
export function silent(database: SqlDatabase): { readonly database: SqlDatabase; silence(): void } {
  let isSilent = false
  return {
    database: {
      ...database,
      run: (statements, options) => (isSilent ? new Promise(() => {}) : database.run(statements, options)),
    },
    silence() {
      isSilent = true
    },
  }
}

/** What becomes of what is run. Late ones are run after others. */
const fates = [
  'answer',
  'request',
  'ok',
  'late',
  'answer',
  'request',
  'ok',
  'hangs',
  'answer',
  'request',
] as const

/** Fates by their indexes: many writes hang. At last, some are good. */
export const orders: fc.Arbitrary<number[]> = fc
  .array(fc.oneof(fc.nat(fates.length - 1), fc.constant(fates.indexOf('hangs'))), {
    minLength: 5,
    maxLength: 40,
  })
  .map((all) => [...all, ...[2, 2, 2]])

/**
 * A database that loses writes of events, or the answers to them: seven of ten, if none are drawn. `arrive` runs what is late.
 *
 * @param order - Their fates, by their indexes.
 */
export function lossy(
  database: SqlDatabase,
  order: readonly number[] = [...fates.keys()],
): SqlDatabase & { readonly arrive: () => Promise<void> } {
  let turn = 0
  const late: (() => Promise<unknown>)[] = []
  return {
    ...database,
    async arrive() {
      for (const each of late.splice(0)) await each()
    },
    async run(statements, options) {
      const isWrite = statements.some(({ text }) =>
        /turnstream_event \(|FROM turnstream_(?:append|commit)/.test(text),
      )
      if (!isWrite) return database.run(statements, options)
      const fate = fates[order[turn++ % order.length] ?? 0]
      const run = (): ReturnType<SqlDatabase['run']> =>
        database.run(statements, { signal: new AbortController().signal })
      if (fate === 'late' || fate === 'hangs') late.push(() => run().catch(() => undefined))
      else if (turn % 3 === 0) for (const each of late.splice(0)) await each()
      if (fate === 'hangs') return new Promise(() => {})
      if (fate === 'request' || fate === 'late') throw lost()
      const results = await run()
      if (fate === 'answer') throw lost()
      return results
    },
    isTransient: (error) => String(error).includes('connection'),
  }
}

/** Opens writers of new streams over a database that loses writes, in an order: of a log, and of a stream of a store. */
export function lossyWriters(
  database: SqlDatabase,
  options: { readonly timeoutMs: number },
): Readonly<Record<'log' | 'stream', OpenWriter>> {
  const writerOf =
    (
      open: (
        database: SqlDatabase,
        stream: string,
      ) => Promise<Pick<EventLog, 'append'> & { release(): Promise<void> }>,
    ) =>
    async (order: readonly number[]): Promise<Writer> => {
      const [stream, unreliable] = [randomUUID(), lossy(database, order)]
      const reader = await sqlLog({ database, stream })
      const writer = await open(unreliable, stream)
      return {
        append: (event) => writer.append(event),
        stored: async () => (await reader.read(undefined, { maxBytes: 1e6 })).events ?? [],
        arrive: unreliable.arrive,
        end: () => writer.release().catch(() => undefined),
      }
    }
  // One clock, which stands still: no lease expires.
  const settings = { ...options, now: () => 0 }
  return {
    log: writerOf((given, stream) => sqlLog({ database: given, stream, ...settings })),
    stream: writerOf((given, stream) => sqlStore({ database: given, ...settings }).open(stream)),
  }
}

function lost(): Error {
  return new Error('The connection broke.')
}
