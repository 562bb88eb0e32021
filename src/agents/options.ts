/** What a loop needs. */

import type { Diagnostic } from '../core/machine.ts'
import {
  mismatch,
  optional,
  requireArray,
  requireFunction,
  requireInteger,
  requireObject,
  requireOnly,
  requireSignal,
} from '../core/require.ts'
import type { Source } from '../core/source.ts'
import type { AgentTask } from '../server/agent-task.ts'
import type { ModelFormat } from './formats/format.ts'

/** What a loop takes of its task: an `AgentTask` has it. */
export type LoopTask = Pick<AgentTask, 'turns' | 'signal' | 'approve' | 'needsApproval'> &
  Partial<Pick<AgentTask, 'onError'>>

/**
 * A tool: gets the arguments of the call, and returns any JSON or a promise of it. Nothing is `null`.
 *
 * The arguments are what the model wrote, or a user has approved: a JSON object, not checked further.
 */
// biome-ignore lint/suspicious/noExplicitAny: each tool declares the arguments that its schema describes.
export type Tool = (args: any, call: ToolContext) => unknown

/** What a tool gets besides its arguments. */
export interface ToolContext {
  /** Aborted when the task is to stop, or the call has taken too long. */
  readonly signal: AbortSignal
  readonly toolCallId: string
  /**
   * Reports progress. The latest counts: more than the stream takes is left out.
   *
   * @param value - From 0 to 1. A lower value than before counts as the one before.
   * @param message - What the tool is doing, for people. Omitted: unknown.
   */
  progress(value: number, message?: string): void
}

/** Options of {@link agentLoop}. */
export interface AgentLoopOptions<Message, Chunk = unknown> {
  /** The format of the model: `chatFormat`, `responsesFormat`, `messagesFormat`, `geminiFormat`, or another. */
  readonly format: ModelFormat<Message, Chunk>
  /**
   * Calls the model: returns what its SDK streams, or the chunks of its response, such as `iterate(jsonDecoder(), response.body)`. Add what every request has: the model, the
   * descriptions of the tools, a system prompt. It is not called again if it fails: SDKs do that themselves.
   *
   * @param signal - Pass it on, so that a task that is canceled costs no more.
   */
  readonly model: (messages: Message[], signal: AbortSignal) => Source<Chunk> | PromiseLike<Source<Chunk>>
  /** The tools by name. Omitted: none. */
  readonly tools?: Readonly<Record<string, Tool>>
  /** How many responses a task may have: from 1. Then it fails as `budget_exhausted`. @defaultValue 16 */
  readonly maxTurns?: number
  /** Milliseconds that a tool may take: from 1. Then its call fails as `timeout`. @defaultValue 300 000 */
  readonly toolTimeoutMs?: number
  /**
   * The longest result of a tool: JSON in UTF-16 code units, from 1. A longer one is not kept, and its call fails.
   *
   * @defaultValue 1 000 000
   */
  readonly maxResultLength?: number
  /** Milliseconds that the model may be silent: from 1. Then the task fails as `timeout`. @defaultValue 300 000 */
  readonly modelTimeoutMs?: number
  /**
   * Called with what tools and the model throw, results that JSON cannot represent, and the errors of responses with the text of the
   * provider; must not throw. Returns the error that page and model get: an `ErrorInfo`, whose
   * message is safe to show. If it returns anything else, they get a code and a sentence without details. Omitted: the `onError` of the
   * task, if it has one.
   */
  readonly onError?: (error: unknown) => unknown
  /** Called with the diagnostics of the reader, and with `lossy:content` for turns of another format. Omitted: nothing is reported. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** The options with their defaults. */
export type LoopSettings<Message, Chunk> = Required<Omit<AgentLoopOptions<Message, Chunk>, 'onDiagnostic'>> &
  Pick<AgentLoopOptions<Message, Chunk>, 'onDiagnostic'> & { readonly signal: AbortSignal }

const optionNames = [
  'format',
  'model',
  'tools',
  'maxTurns',
  'toolTimeoutMs',
  'maxResultLength',
  'modelTimeoutMs',
  'onError',
  'onDiagnostic',
]

/** Throws a TypeError for an invalid task or options. */
export function loopSettings<Message, Chunk>(
  task: LoopTask,
  options: AgentLoopOptions<Message, Chunk>,
): LoopSettings<Message, Chunk> {
  requireObject('task', task)
  requireArray('task.turns', task.turns)
  requireSignal('task.signal', task.signal)
  requireFunction('task.approve', task.approve)
  requireOnly('options', options, optionNames)
  const {
    format,
    model,
    tools = {},
    maxTurns = 16,
    toolTimeoutMs = 300_000,
    maxResultLength = 1_000_000,
    modelTimeoutMs = 300_000,
  } = options
  const { onError = task.onError?.bind(task) ?? (() => undefined), onDiagnostic } = options
  requireObject('format', format)
  requireFunction('format.reader', format.reader)
  requireFunction('model', model)
  requireObject('tools', tools)
  if (Object.values(tools).some((tool) => typeof tool !== 'function'))
    throw mismatch('tools', 'functions by the names of tools', tools)
  const limits = { maxTurns, toolTimeoutMs, maxResultLength, modelTimeoutMs }
  for (const [name, limit] of Object.entries(limits)) requireInteger(name, limit, 1)
  requireFunction('onError', onError)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  return { ...options, ...limits, tools, onError, signal: task.signal }
}
