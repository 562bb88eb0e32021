/** The names of all event kinds. Imports no validators, so that the SSE codec can use it. */

export { eventKinds, externalKinds, internalKinds } from './kinds.generated.ts'

/** The prefix of internal kinds. */
export const INTERNAL_PREFIX = 'internal:'
