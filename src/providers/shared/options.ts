/** The options that all providers share. */

import {
  mismatch,
  optional,
  requireFunction,
  requireInteger,
  requireOneOf,
  requireOnly,
  requireString,
} from '../../core/require.ts'
import type { NeedsApproval } from '../../events/approval.ts'
import type { thoughtEvents } from '../../thoughts/thought-events.ts'

/** Options of the machines that read the stream of a model. */
export interface ModelOptions {
  /**
   * Extracts thoughts from the text, for models that write them between tags such as `<think>`: a machine that
   * {@link thoughtEvents} of `turnstream/thoughts` makes. With its option `live`, thoughts are streamed. Reasoning that the
   * provider sends apart from the text needs no option. Omitted: tags are text.
   */
  thoughts?: ReturnType<typeof thoughtEvents>
  /**
   * What a call of one of the application's tools is:
   *
   * - `request`: a request, which the application answers. Its arguments are `tool-arguments-delta`s; whoever runs
   *   the tool emits `tool-start` and `tool-complete`.
   * - `start`: the start of the tool. Complete arguments are followed by a `tool-start`; whoever runs the tool emits
   *   `tool-complete`.
   *
   * @defaultValue `'request'`
   */
  calls?: 'request' | 'start'
  /**
   * Names the calls that must not start unless they were approved: with `calls: 'start'`, they are requests. Pass what the
   * store has as `needsApproval`. Omitted: all calls start.
   */
  needsApproval?: NeedsApproval
  /**
   * The iteration of the agent loop: an integer from 0. If it is given, texts, thoughts and calls state it;
   * `internal:llm-call` always does.
   * @defaultValue 0
   */
  iteration?: number
  /**
   * How many messages were sent to the model, for `internal:llm-call`: an integer from 0.
   * @defaultValue 0
   */
  messageCount?: number
  /**
   * How many tools were offered to the model, for `internal:llm-call`: an integer from 0.
   * @defaultValue 0
   */
  toolCount?: number
  /**
   * Creates what the ids of calls and files of a response begin with, if the provider states neither those ids nor one of
   * the response. Called at most once for each response, within a step. Omitted: the `iteration` and a hash of the chunk:
   * the same for the same chunks, and another one for each response of a stream that states another time or usage, has
   * another content or another `iteration`.
   */
  newId?: () => string
}

/** Options of the machines whose stream does not state the model. */
export interface NamedModelOptions extends ModelOptions {
  /** The id of the model, for `internal:llm-call` and the usage: the stream does not state it. Omitted: unknown. */
  model?: string
}

/** Throws a TypeError for an invalid name. */
export function requireModel({ model }: NamedModelOptions): void {
  optional(requireString, 'model', model)
}

/** The machine that separates thoughts from text. */
export type Extractor = ReturnType<typeof thoughtEvents>

/** The options with all defaults. */
export interface ModelSettings {
  /** `null`: tags are text. */
  readonly extractor: Extractor | null
  readonly startsCalls: boolean
  readonly needsApproval: NeedsApproval | undefined
  readonly iteration: number
  /** Whether texts, thoughts and calls state it. */
  readonly statesIteration: boolean
  readonly messageCount: number
  readonly toolCount: number
  readonly newId: (() => string) | undefined
}

function requireExtractor(name: string, value: unknown): void {
  const { step, end } = (value ?? {}) as Partial<Extractor>
  if (typeof step === 'function' && typeof end === 'function') return
  throw mismatch(name, 'a machine, such as thoughtEvents({ tags: ["think"] })', value)
}

const optionNames = [
  'thoughts',
  'calls',
  'needsApproval',
  'iteration',
  'messageCount',
  'toolCount',
  'newId',
  'model',
]

/** Fills in the defaults. Throws a TypeError for invalid options. */
export function modelSettings(options: ModelOptions): ModelSettings {
  requireOnly('options', options, optionNames)
  const { thoughts, calls = 'request', iteration = 0, messageCount = 0, toolCount = 0, newId } = options
  const { needsApproval } = options
  optional(requireExtractor, 'thoughts', thoughts)
  requireOneOf('calls', calls, ['request', 'start'])
  optional(requireFunction, 'needsApproval', needsApproval)
  requireInteger('iteration', iteration, 0)
  requireInteger('messageCount', messageCount, 0)
  requireInteger('toolCount', toolCount, 0)
  optional(requireFunction, 'newId', newId)
  const startsCalls = calls === 'start'
  const statesIteration = options.iteration !== undefined
  const settings = { needsApproval, iteration, statesIteration, messageCount, toolCount, newId }
  return { extractor: thoughts ?? null, startsCalls, ...settings }
}
