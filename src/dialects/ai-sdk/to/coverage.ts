/** How much of each event kind survives mapping to chunks, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage } from '../../shared/coverage.ts'
import { losses } from './losses.ts'

/** Fields of every event: of those of its context, the path is reported, once. */
const COMMON = [
  'contextId',
  'taskId',
  'parentTaskId',
  'path',
  'timestamp',
  'metadata.audience',
  'metadata.signature',
]

const declared = defineCoverage(losses, COMMON)

/**
 * How much of each event kind survives {@link toUiMessageStream} without the extension. With it every kind is mapped in
 * full.
 */
export const aiSdkCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields that mapping to chunks may drop or change, by event kind: each diagnostic `lossy:<field>` names one of them,
 * or a field that the schema does not know. `*`: some events of the kind are dropped, with a diagnostic each.
 */
export const aiSdkLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
