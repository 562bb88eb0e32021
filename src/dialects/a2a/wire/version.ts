/** The versions of A2A, with the type of stream items and tasks in each. */

import { requireOneOf } from '../../../core/require.ts'
import type {
  A2aV1Message,
  A2aV1StreamResponse,
  A2aV1Task,
  A2aV03Message,
  A2aV03StreamEvent,
  A2aV03Task,
} from './types.generated.ts'

/** An A2A version, as in the `A2A-Version` header. A request without that header uses `0.3`. */
export type A2aVersion = '0.3' | '1.0'

/** One item of a stream, by version: the `result` of a JSON-RPC response. */
export type A2aEvent<V extends A2aVersion = A2aVersion> = {
  '0.3': A2aV03StreamEvent
  '1.0': A2aV1StreamResponse
}[V]

/** A task, by version: the answer to `tasks/get` or `GetTask`. */
export type A2aTask<V extends A2aVersion = A2aVersion> = { '0.3': A2aV03Task; '1.0': A2aV1Task }[V]

/** A message, by version. */
export type A2aMessage<V extends A2aVersion = A2aVersion> = { '0.3': A2aV03Message; '1.0': A2aV1Message }[V]

/**
 * Requires a supported version.
 *
 * @throws TypeError for any other.
 */
export function requireVersion(version: unknown): asserts version is A2aVersion {
  requireOneOf('version', version, ['0.3', '1.0'])
}
