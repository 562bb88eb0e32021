/** The versions of A2A, and what a stream and a task are in each. */
import type { A2aV03StreamEvent, A2aV03Task } from './types-v0-3.ts'
import type { A2aV1StreamResponse, A2aV1Task } from './types-v1.ts'

/** A version of A2A, as in the `A2A-Version` header; a request without that header means `0.3`. */
export type A2aVersion = '0.3' | '1.0'

/** One item of a stream, by version: what stands in `result` of a JSON-RPC response. */
export type A2aEvent<V extends A2aVersion = A2aVersion> = {
  '0.3': A2aV03StreamEvent
  '1.0': A2aV1StreamResponse
}[V]

/** A task, by version: what `tasks/get` or `GetTask` answers with. */
export type A2aTask<V extends A2aVersion = A2aVersion> = { '0.3': A2aV03Task; '1.0': A2aV1Task }[V]

/** Refuses a version the library does not speak. */
export function requireVersion(version: unknown): asserts version is A2aVersion {
  if (version === '0.3' || version === '1.0') return
  throw new TypeError(`A2A version must be '0.3' or '1.0', not ${JSON.stringify(version)}.`)
}
