/** Databases that lose requests and answers. */
import type { SqlDatabase } from 'turnstream/sql'

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

/** A database that loses seven of ten writes of events, or the answers to them. */
export function lossy(database: SqlDatabase, first = 0): SqlDatabase {
  let turn = first
  const late: (() => Promise<unknown>)[] = []
  return {
    ...database,
    async run(statements, options) {
      const isWrite = statements.some(({ text }) =>
        /turnstream_event \(|turnstream_append|turnstream_commit/.test(text),
      )
      if (!isWrite) return database.run(statements, options)
      const fate = fates[turn++ % fates.length]
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

function lost(): Error {
  return new Error('The connection broke.')
}
