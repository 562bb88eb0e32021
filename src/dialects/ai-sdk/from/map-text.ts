/** Maps texts, thoughts and sources to events. */

import {
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedValues,
} from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { CitedSource } from '../../../events/source.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../../events/thought.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isEqualJson, setMember } from '../../../json/value.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { valuesOf, withLines } from '../../shared/json-lines.ts'
import { isOwn, ownFields, readProvider } from '../wire/provider-metadata.ts'
import { NUMBERED_TEXT } from '../wire/text-id.ts'
import type {
  ProviderMetadata,
  ReasoningChunk,
  ReasoningDeltaChunk,
  SourceDocumentChunk,
  SourceUrlChunk,
  TextDeltaChunk,
  TextEndChunk,
  TextStartChunk,
} from '../wire/types.ts'
import { type Draft, type EventWriter, withCarried } from './event-writer.ts'
import { iterationOf, type OpenText, type OpenThought } from './state.ts'

/** Longer texts are several segments, as `content-complete` repeats the text. */
const MAX_SEGMENT = 1 << 20

/** Begins a text. Nothing is emitted before its first delta or its end. */
export function mapTextStart(writer: EventWriter, { id, providerMetadata }: TextStartChunk): void {
  if (boundedGet(writer.state.texts, id) !== undefined) {
    writer.inferred('text-end', `Expected a text-end of ${describeValue(id)}, got none.`)
    endText(writer, id)
  }
  setText(writer, id, { ...newText(writer, id), ...(providerMetadata !== undefined && { providerMetadata }) })
}

function newText(writer: EventWriter, id: string): OpenText {
  const { state } = writer
  const isNumbered = id === '' || NUMBERED_TEXT.test(id)
  const isTaken = isNumbered && [...boundedValues(state.texts)].some((text) => text.contentId === undefined)
  const contentId = isNumbered && !isTaken ? {} : { contentId: id || 'text' }
  return { order: state.nextItem++, step: state.step, ...contentId, text: '', nextIndex: 0 }
}

function setText(writer: EventWriter, id: string, text: OpenText): void {
  writer.state.texts = writer.store(writer.state.texts, id, text)
}

/** Emits `content-delta`. */
export function mapTextDelta(writer: EventWriter, { id, delta, providerMetadata }: TextDeltaChunk): void {
  let text = boundedGet(writer.state.texts, id)
  if (text === undefined) {
    writer.inferred('text-start', `Expected a text-start of ${describeValue(id)}, got none.`)
    text = newText(writer, id)
  }
  const { contentId, nextIndex: index } = text
  const draft: Draft =
    contentId === undefined
      ? { kind: 'content-delta', delta, index, ...iterationOf(text) }
      : { kind: 'content-delta', contentId, delta, index, ...iterationOf(text) }
  writer.emitDraft(draft)
  setText(writer, id, {
    ...text,
    text: text.text + delta,
    nextIndex: index + 1,
    ...withProvider(writer, text.providerMetadata, providerMetadata),
  })
  if (text.text.length + delta.length <= MAX_SEGMENT) return
  const { order, step } = text
  endText(writer, id)
  setText(writer, id, { order, step, ...(contentId !== undefined && { contentId }), text: '', nextIndex: 0 })
}

/** Emits `content-complete`. */
export function mapTextEnd(writer: EventWriter, chunk: TextEndChunk): void {
  if (boundedGet(writer.state.texts, chunk.id) === undefined) {
    writer.dropped(chunk.type, 'out-of-order', `No text ${describeValue(chunk.id)} is open.`)
    return
  }
  endText(writer, chunk.id, chunk)
}

function endText(writer: EventWriter, id: string, chunk?: TextEndChunk): void {
  const text = boundedGet(writer.state.texts, id)
  if (text === undefined) return
  writer.state.texts = boundedDelete(writer.state.texts, id)
  const { contentId, text: content, sources: lines = '' } = text
  const { providerMetadata: provider } = withProvider(writer, text.providerMetadata, chunk?.providerMetadata)
  const { own } = readProvider(provider)
  const { turnstream: _, ...others } = provider ?? {}
  const carried = Object.keys(others).length === 0 ? undefined : { providerMetadata: copyOf(others) }
  const found = valuesOf(lines) as CitedSource[]
  const sources = isOwn(provider) ? found : [...found, ...citedSources(chunk)]
  const metadata: Metadata = {
    ...(isFields(own.metadata) && copyOf(own.metadata)),
    ...(sources.length > 0 && { sources }),
  }
  const full = withCarried(Object.keys(metadata).length === 0 ? undefined : metadata, carried)
  const event: Draft = {
    kind: 'content-complete',
    content,
    ...iterationOf(text),
    ...(contentId !== undefined && { contentId }),
    ...(typeof own.finishReason === 'string' && { finishReason: own.finishReason }),
  }
  if (full !== undefined && writer.emitDraft({ ...event, metadata: full })) return
  writer.emitDraft(event)
  if (full !== undefined) writer.lossy('providerMetadata', 'The metadata of the text is not valid.', full)
}

/** The metadata of a part, with that of one more chunk: members of providers are merged. */
export function withProvider(
  writer: EventWriter,
  before: ProviderMetadata | undefined,
  more: ProviderMetadata | undefined,
): { providerMetadata?: ProviderMetadata } {
  if (more === undefined) return before === undefined ? {} : { providerMetadata: before }
  if (before === undefined) return { providerMetadata: more }
  const merged = { ...before }
  for (const [name, value] of Object.entries<unknown>(more)) {
    const known = (Object.hasOwn(before, name) ? before[name] : undefined) as unknown
    if (!isFields(value)) {
      writer.lossy('providerMetadata', `Expected the metadata of ${describeValue(name)} as an object.`, value)
      continue
    }
    const isReplaced = known !== undefined && (!isFields(known) || replaces(known, value))
    // The labels of ours are more at the end.
    if (isReplaced && name !== 'turnstream')
      writer.lossy('providerMetadata', `The metadata of ${describeValue(name)} is replaced.`, known)
    setMember(merged, name, isFields(known) ? { ...known, ...value } : value)
  }
  return { providerMetadata: merged }
}

function replaces(known: Fields, value: Fields): boolean {
  return Object.keys(known).some((key) => Object.hasOwn(value, key) && !isEqualJson(known[key], value[key]))
}

function copyOf<T extends object>(value: T): T {
  return cleanObject(value) as T
}

/** The sources that a `text-end` cites. */
function citedSources(chunk: TextEndChunk | undefined): CitedSource[] {
  const all: CitedSource[] = []
  for (const citation of chunk?.citations ?? []) {
    if (!isFields(citation) || !isFields(citation.source)) continue
    const { source, startIndex, endIndex, citedText, ...rest } = citation
    const { type: _, sourceType, id, ...fields } = source as unknown as Record<string, unknown>
    const isUrl = sourceType === 'url'
    all.push({
      ...(cleanObject({ ...fields, ...rest }) as Metadata),
      ...(isUrl ? { sourceId: id } : { documentId: String(id) }),
      ...(isIndex(startIndex) && { start: startIndex }),
      ...(isIndex(endIndex) && { end: endIndex }),
      ...(typeof citedText === 'string' && { quote: citedText }),
    })
  }
  return all
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Adds a source to the text that is open, or emits it as a record. */
export function mapSource(writer: EventWriter, chunk: SourceUrlChunk | SourceDocumentChunk): void {
  // The end of the text states it.
  if (isOwn(chunk.providerMetadata)) return
  const { type, sourceId, ...fields } = chunk
  const isUrl = type === 'source-url'
  const source = cleanObject({
    ...fields,
    ...(isUrl ? { sourceId } : { documentId: sourceId }),
  }) as CitedSource
  const open = [...boundedEntries(writer.state.texts)].sort(([, a], [, b]) => b.order - a.order)[0]
  if (open !== undefined) {
    const [id, text] = open
    setText(writer, id, { ...text, sources: withLines(text.sources ?? '', [source]) })
    return
  }
  writer.emitOr(type, { kind: 'data-write', artifactId: `source:${sourceId}`, name: 'source', data: source })
}

/** Begins a thought. Nothing is emitted before its first delta or its end. */
export function mapReasoningStart(writer: EventWriter, { id, providerMetadata }: ReasoningChunk): void {
  if (boundedGet(writer.state.thoughts, id) !== undefined) {
    writer.inferred('reasoning-end', `Expected a reasoning-end of ${describeValue(id)}, got none.`)
    endThought(writer, id)
  }
  setThought(writer, id, newThought(writer, id, providerMetadata))
}

function newThought(writer: EventWriter, id: string, provider: ProviderMetadata | undefined): OpenThought {
  const { state } = writer
  // Providers count the thoughts of a response; those of turnstream are unique in the context.
  const thoughtId = writer.newId(isOwn(provider) && id !== '' ? id : `${state.taskId}:${id}`)
  const { thoughtType, verbosity } = isOwn(provider) ? labelsIn(ownFields(provider)) : guessed(writer)
  return {
    order: state.nextItem++,
    step: state.step,
    thoughtId,
    text: '',
    nextIndex: 0,
    ...(thoughtType !== undefined && { thoughtType }),
    ...(verbosity !== undefined && { verbosity }),
    ...(provider !== undefined && { providerMetadata: provider }),
  }
}

interface Labels {
  thoughtType?: ThoughtType
  verbosity?: ThoughtVerbosity
}

/** The labels of a thought whose stream has none. */
function guessed(writer: EventWriter): Labels {
  if (!writer.state.hasInferredThought) {
    writer.state.hasInferredThought = true
    writer.inferred(
      'thoughtType',
      'A thought states neither type nor level of detail; "reasoning" and "normal" are used.',
    )
  }
  return { thoughtType: 'reasoning', verbosity: 'normal' }
}

function labelsIn({ thoughtType, verbosity }: Readonly<Record<string, unknown>>): Labels {
  return {
    ...(typeof thoughtType === 'string' && { thoughtType: thoughtType as ThoughtType }),
    ...(typeof verbosity === 'string' && { verbosity: verbosity as ThoughtVerbosity }),
  }
}

function setThought(writer: EventWriter, id: string, thought: OpenThought): void {
  writer.state.thoughts = writer.store(writer.state.thoughts, id, thought)
}

/** Emits `thought-delta`. */
export function mapReasoningDelta(writer: EventWriter, chunk: ReasoningDeltaChunk): void {
  const { id, delta, providerMetadata } = chunk
  let thought = boundedGet(writer.state.thoughts, id)
  if (thought === undefined) {
    writer.inferred('reasoning-start', `Expected a reasoning-start of ${describeValue(id)}, got none.`)
    thought = newThought(writer, id, providerMetadata)
  }
  const { thoughtId, thoughtType, verbosity, nextIndex: index } = thought
  const draft = {
    kind: 'thought-delta' as const,
    thoughtId,
    delta,
    ...(thoughtType !== undefined && { thoughtType }),
    ...(verbosity !== undefined && { verbosity }),
    index,
    ...iterationOf(thought),
  }
  writer.emitOr(chunk.type, draft)
  setThought(writer, id, {
    ...thought,
    text: thought.text + delta,
    nextIndex: index + 1,
    ...withProvider(writer, thought.providerMetadata, providerMetadata),
  })
}

/** Emits `thought-stream`. */
export function mapReasoningEnd(writer: EventWriter, { type, id, providerMetadata }: ReasoningChunk): void {
  if (boundedGet(writer.state.thoughts, id) === undefined) {
    writer.dropped(type, 'out-of-order', `No thought ${describeValue(id)} is open.`)
    return
  }
  endThought(writer, id, providerMetadata)
}

function endThought(writer: EventWriter, id: string, ending?: ProviderMetadata): void {
  const { state } = writer
  const thought = boundedGet(state.thoughts, id)
  if (thought === undefined) return
  state.thoughts = boundedDelete(state.thoughts, id)
  const { providerMetadata: provider } = withProvider(writer, thought.providerMetadata, ending)
  const { own, signature, isRedacted, carried } = readProvider(provider)
  const ended = labelsIn(own)
  const begun = labelsOf(thought)
  for (const name of ['thoughtType', 'verbosity'] as const) {
    const [label, other] = [begun[name], ended[name]]
    if (label !== undefined && other !== undefined && label !== other)
      writer.lossy(name, `Expected the ${name} of the deltas, ${describeValue(label)}, got another.`, other)
  }
  const labels: Labels = { ...ended, ...begun }
  const { thoughtType, verbosity } =
    labels.thoughtType && labels.verbosity ? labels : { ...guessed(writer), ...labels }
  const metadata: Metadata = {
    ...(isFields(own.metadata) && copyOf(own.metadata)),
    ...(signature !== undefined && { signature }),
    ...(isRedacted && { redacted: true }),
  }
  const full = withCarried(Object.keys(metadata).length === 0 ? undefined : metadata, carried)
  const event = {
    kind: 'thought-stream' as const,
    thoughtId: thought.thoughtId,
    thoughtType: thoughtType ?? 'reasoning',
    verbosity: verbosity ?? 'normal',
    content: thought.text,
    index: state.thoughtCount,
    ...iterationOf(thought),
  }
  const isWhole = full !== undefined && writer.emitDraft({ ...event, metadata: full })
  if (isWhole || writer.emitOr('reasoning-end', event)) state.thoughtCount++
  if (full !== undefined && !isWhole)
    writer.lossy('providerMetadata', 'The metadata of the thought is not valid.', full)
}

/** The labels that the deltas of a thought have. */
function labelsOf({ thoughtType, verbosity }: OpenThought): Labels {
  return {
    ...(thoughtType !== undefined && { thoughtType }),
    ...(verbosity !== undefined && { verbosity }),
  }
}

/** Ends the open texts and thoughts, in the order in which they began. */
export function endTexts(writer: EventWriter): void {
  const open: [order: number, end: () => void][] = []
  for (const [id, item] of boundedEntries(writer.state.texts)) {
    open.push([item.order, () => endText(writer, id)])
  }
  for (const [id, item] of boundedEntries(writer.state.thoughts)) {
    open.push([item.order, () => endThought(writer, id)])
  }
  for (const [, end] of open.sort(([a], [b]) => a - b)) end()
}
