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
 * @param bytes - The incomplete UTF-8 sequence at the end of the chunk, for the next state.
 * @param limit - The maximum size of a message, in UTF-16 code units.
 */
export function parseText(
  state: SseState,
  text: string,
  bytes: readonly number[],
  limit: number,
): { state: SseState; messages: ParsedMessage[] } {
  if (continuesLine(state, text, limit)) return { state: withPiece(state, text, bytes), messages: [] }
  const last = text.lastIndexOf('\n\n')
  // No message within a chunk that is within the limit can be over it.
  if (last === -1 || text.length > limit || text.includes('\r')) return parseAny(state, text, bytes, limit)
  // The end of a message that began earlier, whole messages, and the beginning of one that continues.
  const from = isBetweenMessages(state) ? 0 : text.indexOf('\n\n') + 2
  const to = last + 2
  const head = from === 0 ? { state, messages: [] } : parseAny(state, text.slice(0, from), [], limit)
  const between = parseWhole(head.state, text, from, to, bytes, head.messages)
  if (to === text.length) return { state: between, messages: head.messages }
  const tail = parseAny(between, text.slice(to), bytes, limit)
  return { state: tail.state, messages: head.messages }
}

/** Whether a chunk is nothing but the next piece of a line. */
function continuesLine({ phase, line }: SseState, text: string, limit: number): boolean {
  return (
    phase === 'line' &&
    text.indexOf('\n') === -1 &&
    text.indexOf('\r') === -1 &&
    lengthOf(line) + text.length <= limit
  )
}

function withPiece(state: SseState, text: string, bytes: readonly number[]): SseState {
  const { lastEventId, retry, phase, line, eventTypeBuffer, dataBuffer, idBuffer, tooLarge } = state
  const longer = append(line, text)
  return { lastEventId, retry, phase, bytes, line: longer, eventTypeBuffer, dataBuffer, idBuffer, tooLarge }
}

/** Whether nothing has begun: no message, no line, and no stream that may start with a byte order mark. */
function isBetweenMessages(state: SseState): boolean {
  return (
    state.phase === 'line' &&
    lengthOf(state.line) === 0 &&
    state.eventTypeBuffer === '' &&
    state.dataBuffer === undefined &&
    state.idBuffer === undefined &&
    state.tooLarge === undefined
  )
}

/** Parses whole messages, between two positions of a text without CR. Appends them, and returns the next state. */
function parseWhole(
  state: SseState,
  text: string,
  from: number,
  to: number,
  bytes: readonly number[],
  messages: ParsedMessage[],
): SseState {
  let { lastEventId, retry } = state
  let event = ''
  let data: GrowingText | undefined
  let id: string | undefined
  for (let at = from; at < to; ) {
    if (text.charCodeAt(at) === LF) {
      const hasMoved = id !== undefined && id !== lastEventId
      if (id !== undefined) lastEventId = id
      if (data !== undefined) {
        messages.push({ event: event === '' ? 'message' : event, data: textOf(data), id: lastEventId })
      } else if (hasMoved) messages.push({ event: '', data: null, id: lastEventId })
      event = ''
      data = id = undefined
      at++
      continue
    }
    const end = text.indexOf('\n', at)
    const field = fieldName(text, at, end)
    if (field !== '') {
      const value = text.slice(valueStart(text, at + field.length, end), end)
      if (field === 'data') data = withLine(data, value)
      else if (field === 'event') event = value
      else if (field === 'retry') retry = retryOf(value) ?? retry
      else if (!value.includes('\0')) id = value
    }
    at = end + 1
  }
  // Written out: a spread has other hidden classes, and takes several times as long.
  return {
    lastEventId,
    retry,
    phase: 'line',
    bytes,
    line: emptyText,
    eventTypeBuffer: '',
    dataBuffer: undefined,
    idBuffer: undefined,
    tooLarge: undefined,
  }
}

/** The reconnection time; `undefined` if it is not a number of digits. */
function retryOf(value: string): number | undefined {
  return /^[0-9]+$/.test(value) && Number.isSafeInteger(+value) ? +value : undefined
}

/**
 * Parses text of any kind.
 *
 * A line ends at CR, LF or CRLF. It is processed at the CR, and an LF right after it is ignored, so that no line
 * waits for the next chunk.
 */
function parseAny(
  state: SseState,
  text: string,
  bytes: readonly number[],
  limit: number,
): { state: SseState; messages: ParsedMessage[] } {
  const messages: ParsedMessage[] = []
  let { lastEventId, retry, phase, line, eventTypeBuffer, idBuffer, tooLarge } = state
  /** The data of earlier chunks and of this one, apart so that the latter can be copied. */
  let { dataBuffer } = state
  let chunkData: GrowingText | undefined

  function parseLines(): void {
    let at = firstLineStart()
    let lf = text.indexOf('\n', at)
    let cr = text.indexOf('\r', at)
    while (lf !== -1 || cr !== -1) {
      const isCr = cr !== -1 && (lf === -1 || cr < lf)
      const end = isCr ? cr : lf
      endLine(at, end)
      at = end + 1
      if (isCr) {
        if (at === text.length) phase = 'after-cr'
        else if (text.charCodeAt(at) === LF) at++
        cr = text.indexOf('\r', at)
      }
      if (lf !== -1 && lf < at) lf = text.indexOf('\n', at)
    }
    if (phase !== 'skip') keepLine(text.slice(at))
  }

  /** Ignores a byte order mark at the start of the stream, and the LF of a CRLF. */
  function firstLineStart(): number {
    const ignored = phase === 'start' ? BYTE_ORDER_MARK : LF
    if (phase !== 'start' && phase !== 'after-cr') return 0
    phase = 'line'
    return text.charCodeAt(0) === ignored ? 1 : 0
  }

  function endLine(start: number, end: number): void {
    if (phase === 'skip') phase = 'line'
    else if (lengthOf(line) === 0) processLine(text, start, end)
    else {
      const whole = textOf(line) + text.slice(start, end)
      line = emptyText
      processLine(whole, 0, whole.length)
    }
  }

  /** Keeps the start of a line for the next chunk, unless it is already too long. */
  function keepLine(start: string): void {
    line = append(line, start)
    if (lengthOf(line) <= limit + MAX_PREFIX) return
    skipLine(textOf(line), 0)
    line = emptyText
    phase = 'skip'
  }

  function processLine(source: string, start: number, end: number): void {
    if (start === end) {
      dispatchEvent()
      return
    }
    if (end - start > limit + MAX_PREFIX) {
      skipLine(source, start)
      return
    }
    const field = fieldName(source, start, end)
    if (field === '') return
    const value = source.slice(valueStart(source, start + field.length, end), end)
    if (field === 'retry') {
      retry = retryOf(value) ?? retry
      return
    }
    if (field === 'data') {
      if (!tooLarge) chunkData = withLine(chunkData, value)
    } else if (field === 'event') eventTypeBuffer = value
    else if (!value.includes('\0')) idBuffer = value
    if (dataSize() + eventTypeBuffer.length + sizeOf(idBuffer) > limit) markTooLarge()
  }

  /** Handles a line that exceeds the limit by itself. */
  function skipLine(source: string, start: number): void {
    const field = fieldName(source, start, source.length)
    if (field !== '' && field !== 'retry') markTooLarge()
  }

  /** Empties the buffers of an event over the limit, except for an id to resume after and, if there is room, its type. */
  function markTooLarge(): void {
    const id = idBuffer
    const type = eventTypeBuffer
    resetBuffers()
    tooLarge = true
    if (sizeOf(id) <= limit) idBuffer = id
    if (sizeOf(idBuffer) + type.length <= limit) eventTypeBuffer = type
  }

  /** Handles a blank line. */
  function dispatchEvent(): void {
    const hasMoved = idBuffer !== undefined && idBuffer !== lastEventId
    lastEventId = idBuffer ?? lastEventId
    const joined = joinedData()
    const data = joined && textOf(joined)
    if (data !== undefined || tooLarge) {
      messages.push({ event: eventTypeBuffer === '' ? 'message' : eventTypeBuffer, data, id: lastEventId })
    } else if (hasMoved) messages.push({ event: '', data: null, id: lastEventId })
    resetBuffers()
  }

  function joinedData(): GrowingText | undefined {
    if (chunkData === undefined) return dataBuffer
    return dataBuffer === undefined ? chunkData : withLine(dataBuffer, textOf(chunkData))
  }

  function dataSize(): number {
    const size = (dataBuffer ? lengthOf(dataBuffer) : 0) + (chunkData ? lengthOf(chunkData) : 0)
    return dataBuffer && chunkData ? size + 1 : size
  }

  function resetBuffers(): void {
    eventTypeBuffer = ''
    dataBuffer = chunkData = idBuffer = tooLarge = undefined
  }

  if (text !== '') parseLines()
  // A slice keeps its whole chunk in memory, and a message may consist of a great many chunks.
  if (chunkData !== undefined && lengthOf(chunkData) * 2 < text.length) {
    chunkData = withLine(undefined, ` ${textOf(chunkData)}`.slice(1))
  }
  dataBuffer = joinedData()
  return {
    state: { lastEventId, retry, phase, bytes, line, eventTypeBuffer, dataBuffer, idBuffer, tooLarge },
    messages,
  }
}

/** The data of a message with one more line. */
function withLine(data: GrowingText | undefined, line: string): GrowingText {
  return data === undefined ? { long: line, recent: '' } : append(data, `\n${line}`)
}

function sizeOf(text: string | undefined): number {
  return text?.length ?? 0
}

/** The field name of a line, which ends at a colon or with the line. Empty for comments and undefined fields. */
function fieldName(text: string, start: number, end: number): string {
  const name = nameAt(text, start)
  const after = start + name.length
  return after === end || (after < end && text.charCodeAt(after) === COLON) ? name : ''
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
function valueStart(text: string, colon: number, end: number): number {
  if (colon === end) return end
  return colon + 1 < end && text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1
}
