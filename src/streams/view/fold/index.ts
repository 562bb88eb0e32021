/** Folding: events into a view. */

export { applyArtifactPatch } from './artifact-patch.ts'
export { foldEvent, foldEvents } from './fold.ts'
export { createViewStore, createViewStoreWith, type ViewStore } from './view-store.ts'
