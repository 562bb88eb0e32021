/**
 * A2A (Agent2Agent) 0.3 and 1.0, in both directions.
 *
 * @see https://a2a-protocol.org
 * @packageDocumentation
 */

export type { Coverage } from '../shared/coverage.ts'
export { commandsFromA2a } from './commands/index.ts'
export { demuxTasks } from './demux.ts'
export { type A2aInput, type A2aRequest, type FromA2aOptions, fromA2a } from './from/from-a2a.ts'
export { type A2aOptions, a2a } from './serve/a2a.ts'
export { a2aCoverage, a2aLosses } from './to/coverage.ts'
export { type A2aSnapshotOptions, a2aSnapshot } from './to/snapshot.ts'
export { type ToA2aEnd, type ToA2aOptions, toA2a } from './to/to-a2a.ts'
export { type A2aRuleName, type A2aViolation, a2aRules } from './verify/rules.ts'
export { isA2aStreamEnd } from './verify/stream-end.ts'
export { validateA2aEvent } from './verify/validate-event.ts'
export { type A2aVerifierOptions, a2aVerifier } from './verify/verifier.ts'
export { a2aExtensionUri } from './wire/extension.ts'
export { wrapJsonRpc } from './wire/json-rpc.ts'
export type { A2aV1StreamResponse, A2aV03StreamEvent } from './wire/types.generated.ts'
export type { A2aEvent, A2aMessage, A2aTask, A2aVersion } from './wire/version.ts'
