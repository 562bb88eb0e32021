/**
 * The server's side of conversations: stores of streams, to which agents write and clients send commands.
 *
 * @packageDocumentation
 */

export type { ApprovalErrorCode } from '../commands/ledger/gate.ts'
export type { AuthClaim, VerifyAuth } from '../commands/ledger/ledger.ts'
export type { AccessedStream, AnsweredRequest, MayAccess, MayAnswer } from '../commands/ledger/who.ts'
export type { CallToStart, NeedsApproval } from '../events/approval.ts'
export type { TaskName } from '../events/event.ts'
export { type Agent, type AgentTask, runAgent } from './agent-task.ts'
export { ApprovalError } from './approval-error.ts'
export type { Approval, ApproveOptions, AskOptions, NoApproval, Reply, ToolCall } from './ask-options.ts'
export { agentHandler } from './handler/agent-handler.ts'
export type {
  AgentHandlerOptions,
  HandlerLimits,
  Protocol,
  ProtocolReceipt,
  ProtocolRequest,
} from './handler/options.ts'
export { type NodeRequest, type NodeResponse, toNodeListener } from './handler/to-node-listener.ts'
export {
  type LogStoreOptions,
  logStore,
  type MemoryStoreOptions,
  memoryStore,
  type OpenOptions,
  type Store,
  type StoreOptions,
} from './store.ts'
export { StoreError, type StoreErrorCode } from './store-error.ts'
export type { AgentInput, HistoryOptions, RunTask, Stream } from './stream.ts'
export type { StreamName } from './stream-name.ts'
export type { OnLeaseExpired } from './take-over.ts'
