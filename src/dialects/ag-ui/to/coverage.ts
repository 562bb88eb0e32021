/** How much of each event kind survives mapping to AG-UI, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage } from '../../shared/coverage.ts'
import { losses } from './losses.ts'

/** Fields of every event: a run has ids and times of its own, and the others are not for clients. */
const COMMON = ['contextId', 'taskId', 'path', 'timestamp', 'metadata.audience', 'metadata.signature']

const declared = defineCoverage(losses, COMMON)

/** How much of each event kind survives `toAgUi` without the option `extension`; with it, every event is kept whole. */
export const agUiCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields that mapping to AG-UI may drop or change, by event kind: each diagnostic `lossy:<field>` names one of
 * them, or a field that the schema does not know. `*`: some events of the kind are dropped, with a diagnostic each.
 */
export const agUiLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
