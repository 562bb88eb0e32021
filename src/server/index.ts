/**
 * The server's side of conversations: stores of streams, to which agents write and clients send commands.
 *
 * @packageDocumentation
 */

export type { NeedsApproval } from '../events/approval.ts'
export type { TaskName } from '../events/event.ts'
export { type Agent, type AgentTask, runAgent } from './agent-task.ts'
export { ApprovalError } from './approval-error.ts'
export type { Approval, Reply } from './ask-options.ts'
export { agentHandler } from './handler/agent-handler.ts'
export type { Protocol } from './handler/options.ts'
export { toNodeListener } from './handler/to-node-listener.ts'
export { logStore, memoryStore, type Store } from './store.ts'
export { StoreError } from './store-error.ts'
export type { AgentInput, Stream } from './stream.ts'
