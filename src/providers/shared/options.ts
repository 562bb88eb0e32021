/** The options that all providers share. */

import { optional, requireInteger, requireObject, requireOneOf, requireString } from '../../core/require.ts'
import type { ThoughtOptions } from '../../thoughts/options.ts'
import { thoughtEvents } from '../../thoughts/thought-events.ts'

/** Options of the machines that read the stream of a model. */
export interface ModelOptions {
  /**
   * Extracts thoughts from the text, for models that write them between tags such as `<think>`. Reasoning that the
   * provider sends apart from the text needs no option. `false`: tags are text.
   * @defaultValue `false`
   */
  thoughts?: ThoughtOptions | false
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
   * The iteration of the agent loop, for `internal:llm-call`: an integer from 0.
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
  readonly iteration: number
  readonly messageCount: number
  readonly toolCount: number
}

/** Fills in the defaults. Throws a TypeError for invalid options. */
export function modelSettings(options: ModelOptions): ModelSettings {
  requireObject('options', options)
  const { thoughts = false, calls = 'request', iteration = 0, messageCount = 0, toolCount = 0 } = options
  if (thoughts !== false) requireObject('thoughts', thoughts)
  requireOneOf('calls', calls, ['request', 'start'])
  requireInteger('iteration', iteration, 0)
  requireInteger('messageCount', messageCount, 0)
  requireInteger('toolCount', toolCount, 0)
  const extractor = thoughts === false ? null : thoughtEvents({ ...thoughts, live: true })
  return { extractor, startsCalls: calls === 'start', iteration, messageCount, toolCount }
}
