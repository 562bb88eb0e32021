/** The mutable workspace of one chunk of a model's stream. */

import type { Mutable } from '../../core/mutable.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { shortHash } from '../../encoding/fnv1a.ts'
import { lacksIteration } from '../../events/iteration.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { readNewId } from '../../validation/callbacks.ts'
import type { Fields } from '../../validation/predicates.ts'
import type { ModelSettings } from './options.ts'
import { copyModelState, type ModelState } from './state.ts'

/** Collects the drafts of one chunk. The first draft of a response is its `internal:llm-call`. */
export class ModelWriter<Own = unknown> extends StepBuilder<Mutable<ModelState<Own>>, EventDraft> {
  readonly settings: ModelSettings
  /** The chunk that is read. `undefined` at the end of the stream. */
  chunk: Fields | undefined

  constructor(settings: ModelSettings, state: ModelState<Own>) {
    super(copyModelState(state))
    this.settings = settings
  }

  /** Appends a draft. */
  override emit(draft: EventDraft): void {
    if (this.state.stage === 'waiting') startResponse(this)
    const { statesIteration, iteration } = this.settings
    this.out.push(statesIteration && lacksIteration(draft) ? ({ ...draft, iteration } as EventDraft) : draft)
  }
}

/** What a chunk states about its response. Empty: nothing. */
export interface ResponseInfo {
  readonly model: string
  readonly responseId?: string
  readonly provider?: string
}

/** Reads what a chunk states about its response. The first chunk that names a model starts the response. */
export function begin(writer: ModelWriter, { model, responseId = '', provider = '' }: ResponseInfo): void {
  const { state } = writer
  if (state.model === '') state.model = model
  if (state.responseId === '') state.responseId = responseId
  if (state.provider === '') state.provider = provider
  if (state.stage === 'waiting' && model !== '') startResponse(writer)
}

/** What the ids of calls and files begin with that the provider does not state: no other response has the same. */
export function idPrefix(writer: ModelWriter): string {
  const { state, settings } = writer
  if (state.idPrefix === '') state.idPrefix = state.responseId || newPrefix(writer, settings)
  return state.idPrefix
}

function newPrefix(
  { state, chunk }: ModelWriter,
  { newId, iteration }: ModelSettings,
  mark?: unknown,
): string {
  if (newId !== undefined) return readNewId(newId)
  const { texts, calls } = state
  return `iteration-${iteration}-${shortHash(canonicalJson(mark ?? chunk ?? [texts, calls]) ?? '')}`
}

/** States what the response is known by, if it has no id, such as its time. */
export function markResponse(writer: ModelWriter, mark: unknown): void {
  const { state, settings } = writer
  if (state.idPrefix === '' && settings.newId === undefined)
    state.idPrefix = newPrefix(writer, settings, mark)
}

/** Emits that the model was called. */
export function startResponse({ state, settings, out }: ModelWriter): void {
  const { iteration, messageCount, toolCount } = settings
  const { model, responseId, provider } = state
  if (state.stage === 'waiting') state.stage = 'streaming'
  const metadata: Record<string, string> = {}
  if (provider !== '') metadata.provider = provider
  if (responseId !== '') metadata.responseId = responseId
  out.push({
    kind: 'internal:llm-call',
    iteration,
    model: model === '' ? 'unknown' : model,
    messageCount,
    toolCount,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  })
}
