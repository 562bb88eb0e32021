/**
 * Encoding a reset for SSE. A large one is several messages, of which only the last has an id:
 *
 *     event: stream-reset
 *     data: {"type":"reset",…,"part":0,"more":true,"events":[…]}
 *
 *     event: stream-reset
 *     id: context/ctx-1:e1:41
 *     data: {"type":"reset",…,"part":1,"events":[…]}
 *
 * What the server no longer has is a message before them. A connection that breaks before the last message leaves the
 * reader's cursor where it was.
 */
import type { EventMessageOptions } from '../../../sse/encode.ts'
import { cursorAfter, type Reset, type StreamEvent } from '../batch.ts'
import { formatEventId } from '../cursor.ts'
import type { ReadFilter } from '../read-filter.ts'
import { visibleForgotten } from '../visible-forgotten.ts'
import { encodeStreamMessage } from './stream-messages.ts'

/** Maximum length of the events in one message, in UTF-16 code units. A larger event is alone in its message. */
const MAX_PART_LENGTH = 2 ** 18

/**
 * The messages of a reset, one at a time: together they are as large as the snapshot.
 *
 * @param reader - Filter of the reader, applied to each event when its message is encoded. Omitted: it was applied.
 */
export function* encodeReset<E extends StreamEvent>(
  { events, forgotten, ...head }: Reset<E>,
  options: EventMessageOptions,
  reader?: ReadFilter<E>,
): Generator<string, void, undefined> {
  const { type, reason, stream, epoch, filter, through, earliest, older } = head
  const fields = { type, reason, stream, epoch, filter, through, earliest, older }
  const start = JSON.stringify(fields).slice(0, -1)
  const id = formatEventId(cursorAfter(head))
  const missing = visibleForgotten(forgotten, reader)
  if (missing !== undefined) {
    yield encodeStreamMessage('forgotten', JSON.stringify({ type: 'forgotten', ...missing }), options)
  }
  if (events === undefined) {
    yield encodeStreamMessage('reset', `${start}}`, options, id)
    return
  }
  let part = 0
  let list = ''
  for (const item of events) {
    const event = reader === undefined ? item : reader.apply(item)
    if (event === undefined) continue
    const text = JSON.stringify(event)
    if (list !== '' && list.length + text.length > MAX_PART_LENGTH) {
      yield encodeStreamMessage('reset', `${start},"part":${part++},"more":true,"events":[${list}]}`, options)
      list = ''
    }
    list = list === '' ? text : `${list},${text}`
  }
  const number = part === 0 ? '' : `,"part":${part}`
  yield encodeStreamMessage('reset', `${start}${number},"events":[${list}]}`, options, id)
}
