/** Telling thoughts from content in model output. */

export { type ExtractedThoughts, extractThoughts } from './extract-thoughts.ts'
export { type ThoughtEnd, thoughtExtractor } from './extractor.ts'
export type { ThoughtOptions, ThoughtPair } from './options.ts'
export type {
  ContentOutput,
  Thought,
  ThoughtDeltaOutput,
  ThoughtEndOutput,
  ThoughtMeta,
  ThoughtOutcome,
  ThoughtOutput,
  ThoughtStartOutput,
  ThoughtType,
  ThoughtVerbosity,
  WholeThoughtOutput,
} from './output.ts'
export { type SnapshotRewrite, type SnapshotState, snapshotsToDeltas } from './snapshots.ts'
export type { OpenThought, ThoughtState } from './state.ts'
export {
  type ContentCompleteDraft,
  type ContentDeltaDraft,
  type LiveThought,
  type ThoughtDeltaDraft,
  type ThoughtEventDraft,
  type ThoughtEventOptions,
  type ThoughtEventsEnd,
  type ThoughtEventsState,
  type ThoughtStreamDraft,
  thoughtEvents,
} from './thought-events.ts'
