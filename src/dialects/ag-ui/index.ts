/**
 * AG-UI 1.0, the protocol between agents and user interfaces such as CopilotKit: types, decoding, and mapping to and
 * from the core vocabulary. Versions 0.x are read.
 *
 * @packageDocumentation
 */

// Commands
export { commandsFromRunAgentInput } from './commands/index.ts'
// Mapping
export { fromAgUi } from './from/from-ag-ui.ts'
export { agUiMessages } from './messages/messages.ts'
// Over HTTP
export { agUi } from './serve/ag-ui.ts'
export { agUiCoverage, agUiLosses } from './to/coverage.ts'
export { toAgUi } from './to/to-ag-ui.ts'
// Verification
export { agUiRules } from './verify/rules.ts'
export { agUiVerifier } from './verify/verifier.ts'
// Decoding
export { decodeAgUiEvent, decodeRunAgentInput } from './wire/decode.ts'
// Types
export type {
  AgUiEvent,
  AgUiMessage,
  AgUiRunInput,
} from './wire/types/index.ts'
