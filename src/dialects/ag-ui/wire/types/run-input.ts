/** The request of a client: `RunAgentInput`. */

import type { AgUiMessage } from './messages.ts'
import type { AgUiMetadata } from './shared.ts'

/** A tool that the client offers to the agent and executes itself. */
export interface AgUiTool {
  name: string
  description: string
  /** JSON Schema of the arguments. Omitted if it has none. */
  parameters?: unknown
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
}

/** What the agent should know: a piece of the state of the application. */
export interface AgUiContext {
  description: string
  value: string
}

/** The answer to an interrupt. */
export interface AgUiResume {
  /** The `id` of the interrupt. */
  interruptId: string
  /** Whether it was answered or refused. */
  status: 'resolved' | 'cancelled'
  /** The answer: any JSON. Omitted if there is none. */
  payload?: unknown
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
}

/** The body that a client posts to start a run. */
export interface AgUiRunInput {
  /** The conversation. */
  threadId: string
  /** The run that the request starts. */
  runId: string
  /** The version of the protocol, such as `1.0`. Omitted by older clients. */
  protocolVersion?: string
  /** The run before this one. Omitted if unknown. */
  parentRunId?: string
  /** The state that client and agent share: any JSON. Omitted if there is none. */
  state?: unknown
  /** The conversation so far, with the new message. */
  messages: AgUiMessage[]
  /** The tools of the client. */
  tools: AgUiTool[]
  /** What the agent should know. */
  context: AgUiContext[]
  /** Further values for the agent: any JSON. Omitted if none. */
  forwardedProps?: unknown
  /** The answers to the interrupts of the last run. Omitted if it had none. */
  resume?: AgUiResume[]
}
