/** Merging deltas, so that a stream has fewer events. */

export { compact } from './compact.ts'
