// Proves that the types of the document and of its later versions and ours are assignable, so that code written after
// the document takes our events and gives us its own. The compiler is the test: nothing here runs.

import type { AgentEvent as OurAgentEvent, ToolEvent as OurToolEvent } from 'turnstream/agent-event'
import type { UnknownAgentEvent } from '../../../src/dialects/agent-event/wire/types.ts'

type ToolEvent =
  | { type: 'progress'; toolName: string; data: unknown }
  | { type: 'result'; toolName: string; output: string; isError?: boolean }

type AgentEvent =
  | { type: 'thought'; content: string }
  | { type: 'tool_call'; toolName: string; toolArgs: string }
  | { type: 'tool_progress'; toolName: string; data: unknown }
  | { type: 'tool_result'; toolName: string; output: string; isError?: boolean }
  | { type: 'stream'; content: string }
  | { type: 'final' }
  | { type: 'error'; error: string }

/** Compiles only if each type is assignable to the other. */
type BothWays<Ours extends Theirs, Theirs, _Back extends Ours = Theirs extends Ours ? Theirs : never> = Ours

/** Compiles only if `T` is `true`. */
type Holds<T extends true> = T

type IsAssignable<From, To> = [From] extends [To] ? true : false

export type Agent = BothWays<OurAgentEvent, AgentEvent>
export type Tool = BothWays<OurToolEvent, ToolEvent>
export type Back = [
  Holds<IsAssignable<AgentEvent, OurAgentEvent>>,
  Holds<IsAssignable<ToolEvent, OurToolEvent>>,
]

/** Version 3. Version 2 differs in `stream`, `seq` and `messageId`. */
type RunEvent = (
  | { type: 'start' }
  | { type: 'text_chunk'; content: string }
  | { type: 'tool_call'; callId: string; toolName: string; toolArgs: Record<string, unknown> }
  | { type: 'tool_progress'; callId: string; data: unknown }
  | { type: 'tool_result'; callId: string; toolName: string; output: unknown }
  | { type: 'tool_error'; callId: string; toolName: string; error: string }
  | { type: 'cancelled'; reason: string }
  | { type: 'hook'; hookId: string; summary: string; data?: unknown }
) & { runId: string; at: number }

export type Later = Holds<IsAssignable<RunEvent, OurAgentEvent | UnknownAgentEvent>>
