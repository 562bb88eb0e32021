/**
 * Commands: what a client sends back to an agent. Answers, approvals, results of client-side tools, cancellation and
 * resumption, as typed, validated messages, and a ledger that applies each of them once.
 *
 * @packageDocumentation
 */

export { callDigest } from '../json/call-digest.ts'
export type { Command, CommandOf } from './command.ts'
export { type CommandDraft, createCommand } from './create.ts'
export { decodeCommand } from './decode.ts'
export { type CommandLedgerState, commandLedger } from './ledger/ledger.ts'
export { answerTo, nextExpiry, openRequests } from './ledger/read.ts'
export type { Answer, LedgerInput, LedgerOutput, Receipt, Sender } from './ledger/types.ts'
export {
  commandsFromAcpPermission,
  toAcpPermission,
} from './wires/acp.ts'
export type { ReadCommands } from './wires/command-reader.ts'
