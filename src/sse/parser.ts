/**
 * Parsing an event stream that arrives in chunks cut anywhere.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
import { append, emptyText, type GrowingText, lengthOf, textOf } from '../encoding/growing-text.ts'
import type { SseState } from './state.ts'

/** A dispatched message, or a new id without a message. */
export interface ParsedMessage {
  event: string
  /** `undefined` of a message over the size limit, `null` of an id without data, which is no message. */
  data: string | undefined | null
  /** The last event ID, also if the event itself sets none. */
  id: string
}

const LF = 10
const SPACE = 32
const COLON = 58
const BYTE_ORDER_MARK = 0xfeff

/** The longest a line can be before its value: `event: `. */
const MAX_PREFIX = 7

/**
 * Parses one chunk of text.
 *
 * A line ends at CR, LF or CRLF. It is processed at the CR, and an LF right after it is ignored, so that no line
 * waits for the next chunk.
 *
 * One loop over local variables, without functions that close over them: several times as fast.
 *
 * @param bytes - The incomplete UTF-8 sequence at the end of the chunk, for the next state.
 * @param limit - The maximum size of a message, in UTF-16 code units.
 * @param readRaw - Reads the lines that have no field. Omitted: they are ignored.
 */
export function parseText(
  state: SseState,
  text: string,
  bytes: readonly number[],
  limit: number,
  readRaw?: (messages: ParsedMessage[], line: string, id: string) => void,
): { state: SseState; messages: ParsedMessage[] } {
  let lf = text.indexOf('\n')
  let cr = text.indexOf('\r')
  // Nothing but the next piece of a line.
  if (lf + cr === -2 && state.phase === 'line' && lengthOf(state.line) + text.length <= limit)
    return { state: { ...state, bytes, line: append(state.line, text) }, messages: [] }
  const messages: ParsedMessage[] = []
  let { lastEventId, retry, phase, line, eventTypeBuffer: event, idBuffer: id, tooLarge } = state
  /** The data of earlier chunks and of this one, apart so that the latter can be copied. */
  let before = state.dataBuffer
  let data: string | undefined
  let hasLine = lengthOf(line) > 0
  let at = 0
  if (text !== '' && (phase === 'start' || phase === 'after-cr')) {
    if (text.charCodeAt(0) === (phase === 'start' ? BYTE_ORDER_MARK : LF)) at = 1
    if (lf === 0 && at === 1) lf = text.indexOf('\n', at)
    phase = 'line'
  }
  while (lf !== -1 || cr !== -1) {
    const isCr = cr !== -1 && (lf === -1 || cr < lf)
    const end = isCr ? cr : lf
    // The line, perhaps with what earlier chunks had of it.
    let source = text
    let start = at
    let stop = end
    if (hasLine) {
      source = textOf(line) + text.slice(at, end)
      start = 0
      stop = source.length
      line = emptyText
      hasLine = false
    }
    if (phase === 'skip') phase = 'line'
    else if (start === stop) {
      const previous = lastEventId
      if (id !== undefined) lastEventId = id
      if (before !== undefined) {
        data = data === undefined ? textOf(before) : `${textOf(before)}\n${data}`
        before = undefined
      }
      if (data !== undefined || tooLarge === true) {
        messages.push({ event: event === '' ? 'message' : event, data, id: lastEventId })
      } else if (id !== undefined && id !== previous)
        messages.push({ event: '', data: null, id: lastEventId })
      event = ''
      data = id = tooLarge = undefined
    } else {
      const field = fieldName(source, start, stop)
      const isTooLong = stop - start > limit + MAX_PREFIX
      const value = isTooLong ? '' : source.slice(valueStart(source, start + field.length), stop)
      if (field === 'retry') retry = retryOf(value) ?? retry
      else if (field === '') readRaw?.(messages, source.slice(start, stop), lastEventId)
      else {
        if (field === 'data') {
          if (tooLarge !== true) data = data === undefined ? value : `${data}\n${value}`
        } else if (field === 'event') event = isTooLong ? event : value
        else if (!isTooLong && !value.includes('\0')) id = value
        if (isTooLong || dataSize(before, data) + event.length + sizeOf(id) > limit) {
          before = data = undefined
          tooLarge = true
          ;[id, event] = fitting(id, event, limit)
        }
      }
    }
    at = end + 1
    if (isCr) {
      if (at === text.length) phase = 'after-cr'
      else if (text.charCodeAt(at) === LF) at++
      cr = text.indexOf('\r', at)
    }
    if (lf !== -1 && lf < at) lf = text.indexOf('\n', at)
  }
  if (phase !== 'skip' && at < text.length) {
    // The start of a line, for the next chunk, unless it is already too long.
    line = append(line, text.slice(at))
    if (lengthOf(line) > limit + MAX_PREFIX) {
      const start = textOf(line)
      const field = fieldName(start, 0, start.length)
      if (field === '') readRaw?.(messages, start, lastEventId)
      else if (field !== 'retry') {
        before = data = undefined
        tooLarge = true
        ;[id, event] = fitting(id, event, limit)
      }
      line = emptyText
      phase = 'skip'
    }
  }
  const dataBuffer = data === undefined ? before : withData(before, data, text.length)
  return {
    state: {
      lastEventId,
      retry,
      phase,
      bytes,
      line,
      eventTypeBuffer: event,
      dataBuffer,
      idBuffer: id,
      tooLarge,
    },
    messages,
  }
}

/** The id and the event type that are kept of a message over the limit: an id to resume after and, if there is room, the type. */
function fitting(
  id: string | undefined,
  event: string,
  limit: number,
): [id: string | undefined, event: string] {
  const kept = sizeOf(id) <= limit ? id : undefined
  return [kept, sizeOf(kept) + event.length <= limit ? event : '']
}

/** The data of earlier chunks and that of one chunk of a size. */
function withData(before: GrowingText | undefined, data: string, size: number): GrowingText {
  // A slice keeps its whole chunk in memory, and a message may consist of a great many chunks.
  const own = data.length * 2 < size ? ` ${data}`.slice(1) : data
  // Joined lines become one string.
  own.charCodeAt(0)
  return before === undefined ? { long: own, recent: '' } : append(before, `\n${own}`)
}

/** The reconnection time; `undefined` if it is not a number of digits. */
function retryOf(value: string): number | undefined {
  return /^[0-9]+$/.test(value) && Number.isSafeInteger(+value) ? +value : undefined
}

function dataSize(before: GrowingText | undefined, data: string | undefined): number {
  if (before === undefined) return sizeOf(data)
  return lengthOf(before) + (data === undefined ? 0 : data.length + 1)
}

function sizeOf(text = ''): number {
  return text.length
}

/** The field name of a line, which ends at a colon or with the line. Empty for comments and undefined fields. */
function fieldName(text: string, start: number, end: number): string {
  const name = nameAt(text, start)
  const after = start + name.length
  return after === end || text.charCodeAt(after) === COLON ? name : ''
}

/** The name of a defined field at a position. Character by character: several times as fast as `startsWith`. */
function nameAt(text: string, at: number): string {
  switch (text.charCodeAt(at)) {
    case 100:
      return isNext(text, at, 97, 116) && text.charCodeAt(at + 3) === 97 ? 'data' : ''
    case 101:
      return isNext(text, at, 118, 101) && isNext(text, at + 2, 110, 116) ? 'event' : ''
    case 105:
      return text.charCodeAt(at + 1) === 100 ? 'id' : ''
    case 114:
      return isNext(text, at, 101, 116) && isNext(text, at + 2, 114, 121) ? 'retry' : ''
    default:
      return ''
  }
}

function isNext(text: string, at: number, first: number, second: number): boolean {
  return text.charCodeAt(at + 1) === first && text.charCodeAt(at + 2) === second
}

/** Where the value starts: after the colon and one optional space. */
function valueStart(text: string, colon: number): number {
  return colon + (text.charCodeAt(colon + 1) === SPACE ? 2 : 1)
}
