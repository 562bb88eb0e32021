/** Reading a stream over as many connections as it takes. */

export { UnknownStreamError } from './unknown-stream-error.ts'
export { watchStream, watchStreamWith } from './watch-stream.ts'
export type { Watched } from './watcher.ts'
