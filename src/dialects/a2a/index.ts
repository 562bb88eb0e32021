/**
 * A2A (Agent2Agent) 0.3 and 1.0, in both directions.
 *
 * @see https://a2a-protocol.org
 * @packageDocumentation
 */

export { commandsFromA2a } from './commands/index.ts'
export { demuxTasks } from './demux.ts'
export { type A2aInput, fromA2a } from './from/from-a2a.ts'
export { a2a } from './serve/a2a.ts'
export { a2aCoverage, a2aLosses } from './to/coverage.ts'
export { a2aSnapshot } from './to/snapshot.ts'
export { toA2a } from './to/to-a2a.ts'
export { a2aRules } from './verify/rules.ts'
export { isA2aStreamEnd } from './verify/stream-end.ts'
export { validateA2aEvent } from './verify/validate-event.ts'
export { a2aVerifier } from './verify/verifier.ts'
export { a2aExtensionUri } from './wire/extension.ts'
export { wrapJsonRpc } from './wire/json-rpc.ts'
export type { A2aV1StreamResponse, A2aV03StreamEvent } from './wire/types.generated.ts'
export type { A2aEvent, A2aTask } from './wire/version.ts'
