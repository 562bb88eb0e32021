/** Reads the updates of Google ADK: text in pieces, thoughts, calls and results. */

import {
  boundedEntries,
  boundedGet,
  boundedSet,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { uniqueId } from '../../engine/draft.ts'
import { appendText, appendThought } from '../../engine/draft-item.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import type { Artifact, Message, Part } from '../wire/model.ts'
import { type AdkCall, type AdkOpenCall, type AdkState, type AdkText, adkCallOf, adkTextsOf } from './adk.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { readArtifactParts } from './read-artifact.ts'
import { partId } from './state.ts'

const NO_TEXT: AdkText = { text: '', readings: [''], deltas: 0, isOpen: false }

/** More readings of a text are not followed. */
const MAX_READINGS = 8

function adkOf({ state }: TaskEventWriter): AdkState {
  const none = { eventId: '', thought: NO_TEXT, text: NO_TEXT, thoughts: 0 }
  return state.adk ?? { ...none, calls: emptyBoundedMap, ended: emptyBoundedMap }
}

function setAdk(writer: TaskEventWriter, changes: Partial<AdkState>): void {
  writer.state.adk = { ...adkOf(writer), ...changes }
}

/** Reads the parts of a message or artifact that is a piece of an event of ADK, or the whole. */
export function readAdkParts(
  writer: TaskEventWriter,
  eventId: string,
  parts: readonly Part[],
  id: string,
  except?: (call: AdkCall) => boolean,
): void {
  beginEvent(writer, eventId)
  const texts = adkTextsOf(parts)
  if (texts.thought !== '') readPiece(writer, 'thought', texts.thought)
  if (texts.text !== '') readPiece(writer, 'text', texts.text)
  readOthers(writer, parts, id, except)
}

/** Reads an artifact of a task as it is: all that has come of an event so far, of which a part may be known. */
export function readAdkArtifact(
  writer: TaskEventWriter,
  eventId: string,
  { artifactId, parts }: Artifact,
): void {
  const { ended } = adkOf(writer)
  if (boundedGet(ended, eventId) === undefined) {
    beginEvent(writer, eventId)
    const texts = adkTextsOf(parts)
    for (const type of ['thought', 'text'] as const) {
      const { text: known } = adkOf(writer)[type]
      const text = texts[type]
      // A piece may have come since.
      if (text === '' || known.startsWith(text)) continue
      write(writer, type, text.startsWith(known) ? text.slice(known.length) : undefined, text, [text])
    }
  }
  readOthers(writer, parts, artifactId)
}

/** Ends the event before, if it is another one. */
function beginEvent(writer: TaskEventWriter, eventId: string): void {
  const { eventId: before, ended } = adkOf(writer)
  if (before === eventId) return
  completeAdk(writer)
  const known = before === '' ? ended : boundedSet(ended, before, true, MAX_ITEMS).map
  setAdk(writer, { eventId, thought: NO_TEXT, text: NO_TEXT, ended: known })
}

/** Reads the parts that are no text. */
function readOthers(
  writer: TaskEventWriter,
  parts: readonly Part[],
  id: string,
  except: (call: AdkCall) => boolean = () => false,
): void {
  for (const [i, part] of parts.entries()) {
    const call = adkCallOf(part)
    if (call !== undefined) {
      const known = boundedGet(adkOf(writer).calls, call.id)
      if (call.type === 'call' ? known !== undefined : known?.phase === 'ended') continue
      completeAdk(writer)
      if (call.type === 'result') readResult(writer, call)
      else if (!except(call)) startAdkCall(writer, call)
    } else if (part.type !== 'text') {
      const artifact = { artifactId: partId(id, i + 1), parts: [part] }
      readArtifactParts(writer, artifact, { append: false, last: true })
    }
  }
}

/**
 * Reads a piece of a text, or the whole, which ADK sends last: nothing distinguishes them. Events have the shortest
 * text that it may be; when the whole comes, that is it.
 */
function readPiece(writer: TaskEventWriter, type: 'thought' | 'text', piece: string): void {
  const known = adkOf(writer)[type]
  const [first = ''] = known.readings
  if (known.readings.length === 1 && piece !== first) {
    write(writer, type, piece, first + piece, [first + piece])
    return
  }
  const readings = known.readings.flatMap((text) => (text === piece ? [piece, text + piece] : [text + piece]))
  const sorted = [...new Set(readings)].sort((a, b) => a.length - b.length).slice(0, MAX_READINGS)
  const [text = ''] = sorted
  const delta = text.startsWith(known.text) ? text.slice(known.text.length) : undefined
  write(writer, type, delta, text, sorted)
}

/** Writes what events do not have yet of a text; `undefined`: it is another text. */
function write(
  writer: TaskEventWriter,
  type: 'thought' | 'text',
  delta: string | undefined,
  text: string,
  readings: readonly string[],
): void {
  const { eventId, thoughts, [type]: known } = adkOf(writer)
  if (delta === '') {
    setAdk(writer, { [type]: { ...known, readings } })
    return
  }
  const base = { text: '', deltas: known.isOpen ? known.deltas : 0, iteration: null }
  const emitter = {
    emitDraft: (draft: Parameters<TaskEventWriter['emitDraft']>[0]) => writer.emitWith(draft),
  }
  let { deltas } = base
  if (type === 'text') {
    if (adkOf(writer).thought.isOpen) completeThought(writer)
    if (delta === undefined) writer.emitWith({ kind: 'content-replace', contentId: eventId, content: text })
    const next = { ...base, id: eventId }
    deltas = delta === undefined ? 1 : appendText(emitter, next, delta, writer.state, () => {}).deltas
  } else if (delta === undefined) {
    writer.lossy('parts', 'The beginning of a thought stays, as no event replaces it.', text)
  } else {
    const next = { ...base, ...LABELS, id: `${eventId}:${thoughts}` }
    deltas = appendThought(emitter, next, delta, writer.state).deltas
  }
  setAdk(writer, { [type]: { text, readings, deltas, isOpen: true } })
}

/** ADK does not classify thoughts. */
const LABELS = { thoughtType: 'reasoning', verbosity: 'normal' } as const

/** Completes the text and the thought that are open. */
export function completeAdk(writer: TaskEventWriter): void {
  const { state } = writer
  if (state.adk?.thought.isOpen) completeThought(writer)
  const { adk } = state
  if (adk?.text.isOpen !== true) return
  writer.emitWith({ kind: 'content-complete', contentId: adk.eventId, content: adk.text.text })
  setAdk(writer, { text: { ...adk.text, isOpen: false } })
}

function completeThought(writer: TaskEventWriter): void {
  const { eventId, thought, thoughts: index } = adkOf(writer)
  const thoughtId = `${eventId}:${index}`
  writer.emitWith({ kind: 'thought-stream', thoughtId, ...LABELS, content: thought.text, index })
  setAdk(writer, { thought: { ...thought, isOpen: false }, thoughts: index + 1 })
}

/**
 * The events that messages of a task are of which have come since, as they name none: the whole of a text ends its event, and
 * calls come with it.
 *
 * @param last - The event of the last one.
 * @param isOver - Whether all events are whole.
 */
export function adkEventsOf(
  writer: TaskEventWriter,
  messages: readonly Message[],
  last: string,
  isOver: boolean,
): string[] {
  const { eventId, thought, text } = adkOf(writer)
  let known = thought.text + text.text
  // A text that may be one piece or its whole, twice, is whole.
  const isWhole = known === '' || Math.max(thought.readings.length, text.readings.length) > 1
  let of = isWhole ? undefined : eventId
  if (isWhole) known = ''
  let first = 0
  const events = messages.map(({ parts, messageId }, i) => {
    const own = of ?? messageId
    const texts = adkTextsOf(parts)
    const piece = texts.thought + texts.text
    const ends = piece === known || parts.some(({ type }) => type !== 'text')
    if (ends) first = i + 1
    of = ends ? undefined : own
    known = ends ? '' : known + piece
    return own
  })
  // What no whole follows are wholes.
  if (isOver) for (const [i, { messageId }] of messages.entries()) if (i >= first) events[i] = messageId
  const latest = events.at(-1)
  return events.map((each) => (each === latest ? last : each))
}

/** Starts a call, unless it has started. Its id in events. */
export function startAdkCall(writer: TaskEventWriter, { id: key, name, value }: AdkCall): string {
  const known = boundedGet(adkOf(writer).calls, key)
  if (known !== undefined) return known.id
  const id = uniqueId(writer, 'call', key || 'call')
  writer.emitWith({ kind: 'tool-start', toolCallId: id, toolName: name, arguments: { ...value } })
  setCall(writer, key, { id, name, phase: 'running' })
  return id
}

function setCall(writer: TaskEventWriter, key: string, call: AdkOpenCall): void {
  setAdk(writer, { calls: boundedSet(adkOf(writer).calls, key, call, MAX_ITEMS).map })
}

function readResult(writer: TaskEventWriter, { id: key, name, value }: AdkCall): void {
  const call = boundedGet(adkOf(writer).calls, key)
  if (call === undefined) {
    const message = `Expected call ${describeValue(key)} before its result.`
    writer.dropped('function_response', 'not-started', message)
  } else if (call.phase !== 'ended') {
    const { error } = value
    const isFailed = typeof error === 'string' && Object.keys(value).length === 1
    const outcome = isFailed ? { success: false, error } : { success: true, result: { ...value } }
    writer.emitWith({ kind: 'tool-complete', toolCallId: call.id, toolName: name, ...outcome })
    setCall(writer, key, { ...call, phase: 'ended' })
  }
}

/** The results in a message of the client, of calls that wait for them. */
export function adkAnswersIn(writer: TaskEventWriter, message: Message | undefined): readonly AdkCall[] {
  const { calls } = adkOf(writer)
  return (message?.parts ?? []).flatMap((part) => {
    const answer = adkCallOf(part)
    const isAwaited = answer?.type === 'result' && boundedGet(calls, answer.id)?.phase === 'running'
    return isAwaited ? [answer] : []
  })
}

/**
 * Notes that the client has answered: what it answered with is the result of its call.
 *
 * @param message - The answer. Omitted: the request, if it is one.
 */
export function answerAdkCalls(writer: TaskEventWriter, message?: Message): void {
  const { request } = writer.options
  const posted = request?.taskId === writer.state.taskId ? request : undefined
  for (const answer of adkAnswersIn(writer, message ?? posted)) readResult(writer, answer)
  for (const [key, call] of [...boundedEntries(adkOf(writer).calls)])
    if (call.phase === 'running') setCall(writer, key, { ...call, phase: 'answered' })
}

/** Ends what is open, as the task ends. */
export function endAdk(writer: TaskEventWriter): void {
  if (writer.state.adk === undefined) return
  completeAdk(writer)
  for (const [key, call] of [...boundedEntries(adkOf(writer).calls)]) {
    if (call.phase === 'ended') continue
    const outcome =
      call.phase === 'answered' ? { success: true } : { success: false, error: 'The task has ended.' }
    writer.emitWith({ kind: 'tool-complete', toolCallId: call.id, toolName: call.name, ...outcome })
    setCall(writer, key, { ...call, phase: 'ended' })
    if (call.phase === 'running')
      writer.inferred('tool-complete', `Expected the result of call ${describeValue(call.id)}, got none.`)
  }
}

/** The call in a message that waits for the client, if it does. */
export function waitingCallOf(message: Message | undefined): AdkCall | undefined {
  return message?.parts.map(adkCallOf).find((call) => call?.type === 'call' && call.isLongRunning)
}
