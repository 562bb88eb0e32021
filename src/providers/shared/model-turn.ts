/** The turn of the assistant: a response, assembled. */

import type { JsonValue } from '../../core/json-value.ts'
import type { MachineState } from '../../core/machine-state.ts'
import { mismatch } from '../../core/require.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { Usage } from '../../events/usage.ts'
import { isFields } from '../../validation/predicates.ts'
import { argumentsOf } from './calls.ts'
import { contentOf } from './growing.ts'
import type { CallState, ModelState } from './state.ts'
import type { TurnBlock, TurnBlocks } from './turn-blocks.ts'
import { turnCalls, turnContent } from './turn-content.ts'

/**
 * A response of a model, assembled as far as it was received.
 *
 * @typeParam Block - What `content` consists of: `modelTurn` knows it from the type of the state.
 */
export interface ModelTurn<Block = Record<string, unknown>> {
  /**
   * What the response consists of, in the provider's format and order, for the next request: the blocks of Anthropic and
   * Bedrock, the items of Responses, the parts of Gemini, the steps of Interactions, and the one message of Chat
   * Completions and Cohere. It has what the other fields do not: signatures, ids, tools that ran at the provider. Left out
   * is what a provider rejects, such as thoughts that were cut off. Arguments that are not whole are an empty object, where the
   * provider has them as an object, and otherwise the text that the model wrote.
   *
   * The type has the blocks that streams consist of and fits the parameters of the SDK; blocks of other types, such as those
   * of tools that ran at the provider, are as the provider sent them.
   */
  content: Block[]
  /** The texts, joined. */
  text: string
  /** The thoughts, in order. */
  thoughts: TurnThought[]
  /**
   * The calls of the application's tools, in order: those that `content` has, with the same ids, so that the next request
   * can answer each. Not among them are tools that ran at the provider, and calls without a name, which were reported.
   */
  calls: TurnCall[]
  /** Why the model stopped, as named by the provider. Omitted if the response is not complete. */
  finishReason?: string
  /** Omitted if the provider stated none. */
  usage?: Usage
  /**
   * What the provider states about the response and no event has, by its names for it, such as `usage` as it was stated,
   * with costs and times, the results of filters, and the grounding of Gemini. Omitted if there is nothing.
   */
  details?: Record<string, JsonValue>
  /** The error that the response ended with. Omitted if there was none. */
  error?: ErrorInfo
}

/** A thought of a {@link ModelTurn}. */
export interface TurnThought {
  /** Empty if the provider withholds it. */
  text: string
  /** The provider’s opaque value, to be sent back with the next request. Omitted if there is none. */
  signature?: string
  /** `true` if the provider withholds the text. Defaults to `false`. */
  redacted?: boolean
}

/** A call of a {@link ModelTurn}. */
export interface TurnCall {
  /** Empty if the provider has not stated it yet. */
  toolCallId: string
  toolName: string
  /** Only if `status` is `complete`. */
  arguments?: Record<string, unknown>
  /** The arguments as the model wrote them. */
  text: string
  /**
   * - `complete`: the arguments are whole, and a JSON object
   * - `incomplete`: they were cut off, or are still being written
   * - `invalid`: they are not a JSON object
   */
  status: 'complete' | 'incomplete' | 'invalid'
  /** The provider’s opaque value, to be sent back with the next request. Omitted if there is none. */
  signature?: string
}

/** The state of a machine of this entry point. */
export type ModelMachineState = MachineState<keyof TurnBlocks>

/**
 * Returns the response that a machine has read so far: usually at the end, for the next request of an agent loop. If the
 * stream has several responses, it is the last one.
 *
 * @throws TypeError if `state` is not the state of such a machine.
 *
 * @example
 * ```ts
 * const { calls } = modelTurn(runner.state) // [{ toolCallId, toolName, arguments, text, status: 'complete' }]
 * ```
 */
export function modelTurn<Reader extends keyof TurnBlocks>(
  state: MachineState<Reader>,
): ModelTurn<TurnBlock<Reader>> {
  requireModelState(state)
  const { texts, thoughts, finishReason, usage, details, error } = state
  const turn: ModelTurn<TurnBlock<Reader>> = {
    content: turnContent(state) as unknown as TurnBlock<Reader>[],
    text: texts.map(({ text }) => contentOf(text)).join(''),
    thoughts: thoughts
      .filter(({ text, metadata }) => contentOf(text) !== '' || metadata.signature !== undefined)
      .map(({ text, metadata: { signature, redacted } }) => ({
        text: contentOf(text),
        ...(signature !== undefined && { signature }),
        ...(redacted !== undefined && { redacted }),
      })),
    calls: turnCalls(state).map(turnCall),
  }
  if (finishReason !== null) turn.finishReason = finishReason
  if (usage !== null) turn.usage = { ...usage }
  if (Object.keys(details).length > 0) turn.details = structuredClone(details)
  if (error !== null) turn.error = { ...error }
  return turn
}

function turnCall({ toolCallId, toolName, text, status, signature }: CallState): TurnCall {
  const call: TurnCall = {
    toolCallId,
    toolName,
    text: contentOf(text),
    status: status === 'writing' || status === 'running' ? 'incomplete' : status,
  }
  if (status === 'complete') call.arguments = argumentsOf(call.text).value ?? {}
  if (signature !== '') call.signature = signature
  return call
}

function requireModelState(state: unknown): asserts state is ModelState {
  if (
    isFields(state) &&
    ['texts', 'thoughts', 'calls', 'contents'].every((name) => Array.isArray(state[name]))
  )
    return
  throw mismatch('state', 'the state of a machine that reads the stream of a model', state)
}
