/** What events of AG-UI state beside the fields of their type: the metadata of the events that they become. */

import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { eventShapes } from '../../../events/shapes.generated.ts'
import { isEqualJson } from '../../../json/value.ts'
import { issuesOf } from '../../../validation/read.ts'
import type { Draft, DraftTask } from '../../engine/draft.ts'
import type { RunWriter } from './state.ts'

/** What has metadata: an event of AG-UI. */
type Described = { readonly metadata?: Metadata }

/** Merges the metadata of an event into that of its item; `null` if there is none. Reports values that are replaced. */
export function mergedMetadata(
  writer: RunWriter,
  known: Metadata | null,
  { metadata }: Described,
): Metadata | null {
  if (metadata === undefined || Object.keys(metadata).length === 0) return known
  if (known === null) return { ...metadata }
  for (const key of Object.keys(metadata)) {
    if (!Object.hasOwn(known, key) || isEqualJson(known[key], metadata[key])) continue
    const message = `Expected one value of the metadata ${describeValue(key)}, got another: the last one counts.`
    writer.diagnostic('lossy:metadata', message, { detail: { [key]: known[key] } })
  }
  return { ...known, ...metadata }
}

/** An item with the metadata of an event. */
export function withMetadata<Item extends { readonly metadata: Metadata | null }>(
  writer: RunWriter,
  item: Item,
  event: Described,
): Item {
  const metadata = mergedMetadata(writer, item.metadata, event)
  return metadata === item.metadata ? item : { ...item, metadata }
}

/** Emits a draft with stated metadata: under `agUi` if its kind must not have their values. */
export function emitWith(writer: RunWriter, draft: Draft, task: DraftTask, stated: Metadata | null): void {
  const { metadata } = draft as Described
  if (stated === null) {
    writer.emitDraft(draft, task)
    return
  }
  const merged = { ...stated, ...metadata }
  const shape = eventShapes[draft.kind]?.metadata
  const isValid = shape === undefined || issuesOf(shape, merged, { refusesNulls: true }).length === 0
  if (isValid && metadata !== undefined) mergedMetadata(writer, stated, { metadata })
  writer.emitDraft({ ...draft, metadata: isValid ? merged : { ...metadata, agUi: stated } } as Draft, task)
}
