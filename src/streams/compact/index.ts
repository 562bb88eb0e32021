/** Merging deltas: the same stream in fewer events. */

export { compact } from './compact.ts'
