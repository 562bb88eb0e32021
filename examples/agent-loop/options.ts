/** What an agent needs, whatever its model is. */
import type { ContextAnyEvent, Emitter } from 'turnstream'
import type { TurnCall } from 'turnstream/providers'

export interface Tool {
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: { readonly type: 'object'; readonly [keyword: string]: unknown }
  /** Whether the user is asked before each call. */
  readonly needsApproval?: boolean
  /** Resolves to JSON. Rejects when `signal` is aborted. */
  run(args: Record<string, unknown>, signal: AbortSignal): Promise<unknown>
}

export interface AgentOptions {
  readonly model: string
  readonly tools: Readonly<Record<string, Tool>>
  readonly emitter: Emitter
  readonly signal: AbortSignal
  /** Asks a user, and resolves to the answer. Rejects when `signal` is aborted. */
  readonly approve: (call: TurnCall, signal: AbortSignal) => Promise<{ approved: boolean; userId: string }>
  /** Milliseconds before the first retry of a model call; twice as many before each further one. Defaults to 1000. */
  readonly retryDelay?: number
  /** How many responses of the model may lead to calls. Defaults to 16. */
  readonly maxIterations?: number
}

/** Yields the events of a task as they come. */
export type Events<Result> = AsyncGenerator<ContextAnyEvent, Result, undefined>
