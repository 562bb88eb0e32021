/** Folding: events into a view. */

export { foldEvent, foldEvents } from './fold.ts'
export { createViewStore, type ViewStore } from './view-store.ts'
