/**
 * Extraction of thoughts from model output.
 *
 * @packageDocumentation
 */

export { type ExtractedThoughts, extractThoughts } from './extract-thoughts.ts'
export { thoughtExtractor } from './extractor.ts'
export type { Thought, ThoughtOutput } from './output.ts'
export type { ThoughtEnd } from './read.ts'
export { type SnapshotRewrite, snapshotsToDeltas } from './snapshots.ts'
export type { ThoughtEventDraft } from './thought-event-draft.ts'
export { type ThoughtEventsEnd, thoughtEvents } from './thought-events.ts'
