/** The state beside a log in Redis. */
import type { StateLog, StoredState } from '../streams/log/event-log.ts'
import { parseState } from '../streams/log/stored-state.ts'
import type { LogWriter } from '../streams/log/writer/log-writer.ts'
import { commandsOf } from './client.ts'
import type { Operations } from './operations.ts'
import type { Settings } from './options.ts'
import { parentLines } from './parent-lines.ts'
import { RedisLogError } from './redis-log-error.ts'
import { subscribe } from './subscriptions.ts'
import { fencedIn } from './writer-port.ts'

/** How long a process waits for its subscription before it asks Redis. */
const SUBSCRIBE_MS = 250

export function stateOf(
  { client, stream }: Settings,
  operations: Operations,
  writer: Pick<LogWriter, 'id' | 'requireHeld' | 'fence' | 'pass'>,
): Pick<StateLog, 'loadState' | 'appendIf' | 'changes'> {
  const refused = (message: string): Error => new RedisLogError('refused', message)
  return {
    async loadState(known = ''): Promise<StoredState> {
      const [version, epoch, through, json] = await operations.run('loadLedger', known)
      if (json === '') return { version: String(version) }
      return {
        version: String(version),
        state: parseState(stream, String(json), refused),
        through: { epoch: String(epoch), seq: Number(through) },
      }
    },
    async appendIf({ epoch, next, version }, events, state, task) {
      for (;;) {
        if (task !== undefined) writer.requireHeld(task)
        const { id } = writer
        const reply = await operations.run(
          'commit',
          ...[crypto.randomUUID(), epoch, next, version, JSON.stringify(state)],
          ...[task === undefined ? '' : id, id, writer.pass() ?? ''],
          ...events.flatMap((event) => [JSON.stringify(event), parentLines(event)]),
        )
        const [outcome] = reply
        if (outcome === 'closed') throw new TypeError(`Cannot append to a closed log: ${stream}.`)
        if (outcome !== 'fenced') return outcome === 'committed' ? String(Number(version) + 1) : undefined
        writer.fence(id, fencedIn(reply))
      }
    },
    async *changes(signal) {
      const subscription = subscribe(client, commandsOf(client), operations)
      try {
        await subscription.ready(SUBSCRIBE_MS, signal)
        while (!signal.aborted) {
          yield
          await subscription.change(signal)
        }
      } finally {
        subscription.end()
      }
    },
  }
}
