/** Maps texts, thoughts and sources to events. */

import { setMember } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { eventShapes } from '../../../events/shapes.generated.ts'
import type { CitedSource } from '../../../events/source.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../../events/thought.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isEqualJson } from '../../../json/value.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { checkOf } from '../../../validation/read.ts'
import type { Shape } from '../../../validation/shape.ts'
import { uniqueId } from '../../engine/draft.ts'
import {
  appendText,
  appendThought,
  dropUnstarted,
  inferStart,
  iterationOf,
  withPiece,
} from '../../engine/draft-item.ts'
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
import { emitOr, emitWith } from './emit.ts'
import { type MessageWriter, OPEN, type OpenText, type OpenThought, stepIteration } from './state.ts'

/** Begins a text. Nothing is emitted before its first delta or its end. */
export function mapTextStart(writer: MessageWriter, { id, providerMetadata }: TextStartChunk): void {
  if (writer.item('texts', id) !== undefined) {
    writer.inferred('text-end', `Expected a text-end of ${describeValue(id)}, got none.`)
    endText(writer, id)
  }
  writer.setItem('texts', id, {
    ...newText(writer, id),
    ...(providerMetadata !== undefined && { providerMetadata }),
  })
}

function newText(writer: MessageWriter, id: string): OpenText {
  const isNumbered = id === '' || NUMBERED_TEXT.test(id)
  const isTaken = isNumbered && writer.itemsOf('texts', OPEN).some(([, text]) => text.id === null)
  return {
    id: isNumbered && !isTaken ? null : id || 'text',
    iteration: stepIteration(writer.state),
    text: '',
    deltas: 0,
  }
}

/** Emits `content-delta`. */
export function mapTextDelta(writer: MessageWriter, chunk: TextDeltaChunk): void {
  const { type, id, delta, providerMetadata } = chunk
  const known = writer.item('texts', id)
  if (known === undefined) inferStart(writer, 'text-start', id, type)
  const text = known ?? newText(writer, id)
  const piece = appendText(writer, text, delta, writer.state, endSegment)
  writer.setItem('texts', id, withPiece(describedBy(writer, text, providerMetadata), piece))
}

/** Emits `content-complete`. */
export function mapTextEnd(writer: MessageWriter, chunk: TextEndChunk): void {
  if (writer.item('texts', chunk.id) === undefined) dropUnstarted(writer, 'text-start', chunk.id, chunk.type)
  else endText(writer, chunk.id, chunk)
}

function endText(writer: MessageWriter, id: string, chunk?: TextEndChunk): void {
  const text = writer.item('texts', id)
  if (text === undefined) return
  writer.deleteItem('texts', id)
  const { providerMetadata: provider } = withProvider(writer, text.providerMetadata, chunk?.providerMetadata)
  const { own } = readProvider(provider)
  const { turnstream: _, ...others } = provider ?? {}
  const found = valuesOf(text.sources ?? '') as CitedSource[]
  const sources = isOwn(provider) ? found : [...found, ...citedSources(chunk)]
  emitWith(
    writer,
    {
      kind: 'content-complete',
      ...contentOf(text),
      ...(typeof own.finishReason === 'string' && { finishReason: own.finishReason }),
    },
    {
      ...(isFields(own.metadata) && copyOf(own.metadata)),
      ...(sources.length > 0 && { sources }),
      ...(Object.keys(others).length > 0 && { aiSdk: { providerMetadata: copyOf(others) } }),
    },
  )
}

function endSegment(writer: MessageWriter, text: OpenText): void {
  writer.emitDraft({ kind: 'content-complete', ...contentOf(text) })
}

function contentOf(text: OpenText): { content: string; contentId?: string; iteration?: number } {
  const { text: content, id: contentId } = text
  return { content, ...(contentId !== null && { contentId }), ...iterationOf(text) }
}

/** A text or thought with the metadata of one more chunk. */
function describedBy<Item extends OpenText | OpenThought>(
  writer: MessageWriter,
  item: Item,
  more: ProviderMetadata | undefined,
): Item {
  return more === undefined ? item : { ...item, ...withProvider(writer, item.providerMetadata, more) }
}

/** The metadata of a part, with that of one more chunk: members of providers are merged. */
export function withProvider(
  writer: MessageWriter,
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
export function mapSource(writer: MessageWriter, chunk: SourceUrlChunk | SourceDocumentChunk): void {
  // The end of the text states it.
  if (isOwn(chunk.providerMetadata)) return
  const { type, sourceId, ...fields } = chunk
  const isUrl = type === 'source-url'
  const source = cleanObject({
    ...fields,
    ...(isUrl ? { sourceId } : { documentId: sourceId }),
  }) as CitedSource
  const [id, text] = writer.itemsOf('texts', OPEN).at(-1) ?? []
  if (id !== undefined && text !== undefined) {
    writer.setItem('texts', id, { ...text, sources: withLines(text.sources ?? '', [source]) })
    return
  }
  emitOr(writer, type, { kind: 'data-write', artifactId: `source:${sourceId}`, name: 'source', data: source })
}

/** Begins a thought. Nothing is emitted before its first delta or its end. */
export function mapReasoningStart(writer: MessageWriter, { id, providerMetadata }: ReasoningChunk): void {
  if (writer.item('thoughts', id) !== undefined) {
    writer.inferred('reasoning-end', `Expected a reasoning-end of ${describeValue(id)}, got none.`)
    endThought(writer, id)
  }
  writer.setItem('thoughts', id, newThought(writer, id, providerMetadata))
}

function newThought(writer: MessageWriter, id: string, provider: ProviderMetadata | undefined): OpenThought {
  const { state } = writer
  return {
    // Providers count the thoughts of a response; those of turnstream are unique in the context.
    id: uniqueId(writer, 'thought', isOwn(provider) && id !== '' ? id : `${state.taskId}:${id}`),
    iteration: stepIteration(state),
    text: '',
    deltas: 0,
    ...(isOwn(provider) ? labelsIn(writer, ownFields(provider)) : UNLABELED),
    ...(provider !== undefined && { providerMetadata: provider }),
  }
}

interface Labels {
  thoughtType?: ThoughtType
  verbosity?: ThoughtVerbosity
}

/** The labels of a thought whose stream has none. */
const UNLABELED: Labels = { thoughtType: 'reasoning', verbosity: 'normal' }

const labelNames = ['thoughtType', 'verbosity'] as const

/** The labels that the metadata of ours states. Reports others than events have. */
function labelsIn(writer: MessageWriter, fields: Fields): Labels {
  const labels: Record<string, unknown> = {}
  for (const name of labelNames) {
    const label = fields[name]
    const shape = eventShapes['thought-stream']?.[name] as Shape
    if (checkOf(shape)(label)) labels[name] = label
    else if (label !== undefined) writer.lossy(name, `Expected a ${name}, got another value.`, label)
  }
  return labels
}

/** Emits `thought-delta`. */
export function mapReasoningDelta(writer: MessageWriter, chunk: ReasoningDeltaChunk): void {
  const { type, id, delta, providerMetadata } = chunk
  const known = writer.item('thoughts', id)
  if (known === undefined) inferStart(writer, 'reasoning-start', id, type)
  const thought = known ?? newThought(writer, id, providerMetadata)
  const piece = appendThought(writer, thought, delta, writer.state)
  writer.setItem('thoughts', id, withPiece(describedBy(writer, thought, providerMetadata), piece))
}

/** Emits `thought-stream`. */
export function mapReasoningEnd(writer: MessageWriter, { type, id, providerMetadata }: ReasoningChunk): void {
  if (writer.item('thoughts', id) === undefined) dropUnstarted(writer, 'reasoning-start', id, type)
  else endThought(writer, id, providerMetadata)
}

function endThought(writer: MessageWriter, id: string, ending?: ProviderMetadata): void {
  const { state } = writer
  const thought = writer.item('thoughts', id)
  if (thought === undefined) return
  writer.deleteItem('thoughts', id)
  const { providerMetadata: provider } = withProvider(writer, thought.providerMetadata, ending)
  const { own, signature, isRedacted, carried } = readProvider(provider)
  const ended = labelsIn(writer, own)
  const begun = labelsOf(thought)
  for (const name of labelNames) {
    const [label, other] = [begun[name], ended[name]]
    if (label !== undefined && other !== undefined && label !== other)
      writer.lossy(name, `Expected the ${name} of the deltas, ${describeValue(label)}, got another.`, other)
  }
  const labels: Labels = { ...ended, ...begun }
  const { thoughtType = 'reasoning', verbosity = 'normal' } =
    labels.thoughtType && labels.verbosity ? labels : { ...UNLABELED, ...labels }
  const isEmitted = emitWith(
    writer,
    {
      kind: 'thought-stream',
      thoughtId: thought.id,
      thoughtType,
      verbosity,
      content: thought.text,
      index: state.thoughtCount,
      ...iterationOf(thought),
    },
    {
      ...(isFields(own.metadata) && copyOf(own.metadata)),
      ...(signature !== undefined && { signature }),
      ...(isRedacted && { redacted: true }),
      ...(carried !== undefined && { aiSdk: carried }),
    },
  )
  if (isEmitted) state.thoughtCount++
  else writer.dropped('reasoning-end', 'invalid-content', 'Expected a valid thought, got another.')
}

function labelsOf({ thoughtType, verbosity }: OpenThought): Labels {
  return { ...(thoughtType !== undefined && { thoughtType }), ...(verbosity !== undefined && { verbosity }) }
}

/** Ends the open thoughts and texts. */
export function endTexts(writer: MessageWriter): void {
  for (const [id] of writer.itemsOf('thoughts', OPEN)) endThought(writer, id)
  for (const [id] of writer.itemsOf('texts', OPEN)) endText(writer, id)
}
