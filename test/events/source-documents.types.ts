// Proves that the interfaces of the source documents and ours are assignable both ways, so that code written after the
// documents takes our events and gives us its own. The compiler is the test: nothing here runs.

import type { ContextEvent, EventKind, EventOf, JsonSchema, ToolCall } from 'turnstream'

/** The fields of every event in the documents. */
interface Documented<K extends EventKind> {
  kind: K
  contextId: string
  taskId: string
  timestamp: string
}

interface TaskCreated extends Documented<'task-created'> {
  parentTaskId?: string
  initiator: 'user' | 'agent'
  metadata?: { agentId?: string; model?: string; [key: string]: unknown }
}

interface TaskStatusChanged extends Documented<'task-status'> {
  status:
    | 'working'
    | 'waiting-input'
    | 'waiting-auth'
    | 'waiting-subtask'
    | 'completed'
    | 'failed'
    | 'canceled'
  message?: string
  metadata?: { reason?: string; blockedBy?: string; [key: string]: unknown }
}

interface TaskComplete extends Documented<'task-complete'> {
  content?: string
  artifacts?: string[]
  metadata?: { duration?: number; iterations?: number; tokensUsed?: number; [key: string]: unknown }
}

interface ContentDelta extends Documented<'content-delta'> {
  delta: string
  index: number
}

interface ContentComplete extends Documented<'content-complete'> {
  content: string
}

interface ToolStart extends Documented<'tool-start'> {
  toolCallId: string
  toolName: string
  arguments: Record<string, unknown>
  metadata?: { provider?: string; concurrent?: boolean; [key: string]: unknown }
}

interface ToolProgress extends Documented<'tool-progress'> {
  toolCallId: string
  progress: number
  message?: string
  metadata?: { step?: string; stepsCompleted?: number; stepsTotal?: number; [key: string]: unknown }
}

interface ToolComplete extends Documented<'tool-complete'> {
  toolCallId: string
  toolName: string
  success: boolean
  result?: unknown
  error?: string
  metadata?: { duration?: number; cached?: boolean; retries?: number; [key: string]: unknown }
}

interface InputRequired extends Documented<'input-required'> {
  inputId: string
  requireUser?: boolean
  inputType: 'tool-execution' | 'confirmation' | 'clarification' | 'selection' | 'custom'
  prompt: string
  schema?: JsonSchema
  options?: unknown[]
  metadata?: {
    toolCall?: ToolCall
    urgency?: 'low' | 'medium' | 'high'
    timeout?: number
    [key: string]: unknown
  }
}

interface InputReceived extends Documented<'input-received'> {
  inputId: string
  providedBy: 'user' | 'agent'
  userId?: string
  agentId?: string
  metadata?: { duration?: number; [key: string]: unknown }
}

interface AuthRequired extends Documented<'auth-required'> {
  authId: string
  authType: 'oauth2' | 'api-key' | 'password' | 'biometric' | 'custom'
  provider?: string
  scopes?: string[]
  prompt: string
  authUrl?: string
  metadata?: { expiresIn?: number; [key: string]: unknown }
}

interface AuthCompleted extends Documented<'auth-completed'> {
  authId: string
  userId: string
  metadata?: { expiresAt?: string; [key: string]: unknown }
}

interface FileWrite extends Documented<'file-write'> {
  artifactId: string
  data: string
  index: number
  complete: boolean
  name?: string
  description?: string
  mimeType?: string
  encoding?: 'utf-8' | 'base64'
  metadata?: { toolCallId?: string; totalSize?: number; [key: string]: unknown }
}

interface DataWrite extends Documented<'data-write'> {
  artifactId: string
  name?: string
  description?: string
  data: Record<string, unknown>
  metadata?: { toolCallId?: string; version?: number; [key: string]: unknown }
}

interface DatasetWrite extends Documented<'dataset-write'> {
  artifactId: string
  rows: Record<string, unknown>[]
  index: number
  complete: boolean
  name?: string
  description?: string
  schema?: JsonSchema
  metadata?: { toolCallId?: string; totalRows?: number; batchSize?: number; [key: string]: unknown }
}

interface SubtaskCreated extends Documented<'subtask-created'> {
  subtaskId: string
  agentId?: string
  prompt: string
}

interface ThoughtStream extends Documented<'thought-stream'> {
  thoughtId: string
  thoughtType: 'planning' | 'reasoning' | 'reflection' | 'decision' | 'observation' | 'strategy'
  verbosity: 'brief' | 'normal' | 'detailed'
  content: string
  index: number
  metadata?: { confidence?: number; alternatives?: string[]; relatedTo?: string; [key: string]: unknown }
}

interface InternalThoughtProcess extends Documented<'internal:thought-process'> {
  iteration: number
  stage: 'pre-llm' | 'post-llm' | 'pre-tool' | 'post-tool'
  reasoning: string
  state: Record<string, unknown>
}

interface InternalLlmCall extends Documented<'internal:llm-call'> {
  iteration: number
  model: string
  messageCount: number
  toolCount: number
}

interface InternalCheckpoint extends Documented<'internal:checkpoint'> {
  iteration: number
}

/** `true` if the types are assignable both ways, otherwise the direction that fails. */
type BothWays<Ours, Theirs> = [Theirs] extends [Ours]
  ? [Ours] extends [Theirs]
    ? true
    : 'ours is not assignable to theirs'
  : 'theirs is not assignable to ours'

type Ours<K extends EventKind> = ContextEvent<EventOf<K>>

export const assignable: readonly [
  BothWays<Ours<'task-created'>, TaskCreated>,
  BothWays<Ours<'task-complete'>, TaskComplete>,
  BothWays<Ours<'content-delta'>, ContentDelta>,
  BothWays<Ours<'content-complete'>, ContentComplete>,
  BothWays<Ours<'tool-start'>, ToolStart>,
  BothWays<Ours<'tool-progress'>, ToolProgress>,
  BothWays<Ours<'tool-complete'>, ToolComplete>,
  BothWays<Ours<'input-required'>, InputRequired>,
  BothWays<Ours<'input-received'>, InputReceived>,
  BothWays<Ours<'auth-required'>, AuthRequired>,
  BothWays<Ours<'auth-completed'>, AuthCompleted>,
  BothWays<Ours<'file-write'>, FileWrite>,
  BothWays<Ours<'data-write'>, DataWrite>,
  BothWays<Ours<'dataset-write'>, DatasetWrite>,
  BothWays<Ours<'subtask-created'>, SubtaskCreated>,
  BothWays<Ours<'thought-stream'>, ThoughtStream>,
  BothWays<Ours<'internal:thought-process'>, InternalThoughtProcess>,
  BothWays<Ours<'internal:llm-call'>, InternalLlmCall>,
  BothWays<Ours<'internal:checkpoint'>, InternalCheckpoint>,
  // `submitted` is a status of ours: the documents have only the events without it.
  BothWays<Ours<'task-status'> & { status: TaskStatusChanged['status'] }, TaskStatusChanged>,
  TaskStatusChanged extends Ours<'task-status'> ? true : never,
] = [
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
]

// @ts-expect-error a field of another type is not assignable
export const wrong: BothWays<
  Ours<'content-complete'>,
  Documented<'content-complete'> & { content: number }
> = true
