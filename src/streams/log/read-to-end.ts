/** Reading a log to its present end. */
import { type Batch, cursorAfter, type Reset, type StreamEvent } from './batch.ts'
import type { Cursor } from './cursor.ts'
import type { EventLog } from './event-log.ts'
import type { ReadFilter } from './read-filter.ts'
import { withSnapshot } from './reset-snapshot.ts'

/** The parts after a cursor up to the present end. A reset has the events of a snapshot; the last part may be empty. */
export async function* readToEnd<E extends StreamEvent>(
  log: EventLog<E>,
  cursor?: Cursor,
  filter?: ReadFilter<E>,
): AsyncGenerator<Batch<E> | Reset<E>, void, undefined> {
  for (let at = cursor; ; ) {
    const read = await log.read(at, filter && { filter })
    const part = read.type === 'reset' ? await withSnapshot(read, log, filter) : read
    yield part
    if (part.type === 'batch' && (part.closed || part.through === part.after)) return
    at = cursorAfter(part)
  }
}
