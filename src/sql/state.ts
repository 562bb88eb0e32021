/** The state beside a log. */
import { randomId } from '../core/random-id.ts'
import type { StateLog } from '../streams/log/event-log.ts'
import { parseState } from '../streams/log/stored-state.ts'
import type { LogWriter } from '../streams/log/writer/log-writer.ts'
import { CHANNEL, payloadOf } from './changes.ts'
import { EventParameters } from './events.ts'
import { bind, callOf, listOf, operations, type Values } from './operations.ts'
import type { Settings } from './options.ts'
import { SqlStoreError } from './sql-store-error.ts'
import { statements } from './statements.ts'
import type { SqlWriterPort } from './writer-port.ts'

export function stateOf(
  { database, stream, name, connection, changes }: Settings,
  hasFunctions: boolean,
  writer: Pick<LogWriter, 'id' | 'requireHeld' | 'fence' | 'pass'>,
  port: Pick<SqlWriterPort, 'fenced'>,
): Pick<StateLog, 'loadState' | 'appendIf' | 'changes'> {
  const all = statements[database.dialect]
  const parameters = new EventParameters()
  const refused = (message: string): Error => new SqlStoreError('refused', message)
  return {
    async loadState(known = '') {
      const values = { stream: name, known: wholeOf(known) ?? -1 }
      const [[row] = []] = await connection.run([bind(all.loadState, values)])
      const version = String(row?.version ?? 0)
      changes.note(name, { state: version })
      if (typeof row?.state !== 'string') return { version }
      return {
        version,
        state: parseState(stream, row.state, refused),
        through: { epoch: String(row.epoch), seq: Number(row.through) },
      }
    },
    async appendIf({ epoch, next, version }, events, state, task) {
      const expected = wholeOf(version)
      if (expected === undefined) return undefined
      const { links, stored, ...given } = parameters.of(
        events.map((event) => ({ event, json: JSON.stringify(event) })),
        next,
      )
      const values: Values = {
        ...{ stream: name, new_epoch: randomId(), channel: CHANNEL, payload: payloadOf(name) },
        ...{ commit_id: randomId(), epoch, next, version: expected, ledger: JSON.stringify(state) },
        ...{ ...given, count: events.length, ...(events.length === 0 && { events: null }) },
      }
      for (;;) {
        if (task !== undefined) writer.requireHeld(task)
        const { id } = writer
        const number = writer.pass() ?? null
        const own = {
          ...values,
          writer: task === undefined ? '' : id,
          own: number === null ? null : id,
          number,
        }
        const list = hasFunctions
          ? [callOf('commit', own, links)]
          : listOf(database.dialect, operations.commit, own, links)
        const [row] = (await connection.run(list)).at(-1) ?? []
        if (Number(row?.committed ?? 0) === 1) {
          stored()
          changes.changedHere(name)
          return String(expected + 1)
        }
        if (Number(row?.closed) === 1) throw new TypeError(`Cannot append to a closed log: ${stream}.`)
        const fenced = task === undefined ? undefined : await port.fenced(id)
        if (fenced === undefined) return undefined
        writer.fence(id, fenced)
      }
    },
    async *changes(signal) {
      const watch = changes.watch(name, true)
      try {
        while (!signal.aborted) {
          watch.reset()
          yield
          await watch.changed(signal)
        }
      } finally {
        watch.end()
      }
    },
  }
}

/** A version as a number; `undefined` if it is not one of this log. */
function wholeOf(version: string): number | undefined {
  return /^\d{1,15}$/.test(version) ? Number(version) : undefined
}
