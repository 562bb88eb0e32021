/** Formats: what models read and write, as turns. */

import type { JsonValue } from '../../core/json-value.ts'
import type { Diagnostic, Machine } from '../../core/machine.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { parsedJson } from '../../json/parsed.ts'
import { type ModelEnd, type ModelMachineState, modelTurn } from '../../providers/index.ts'
import type { TurnCall } from '../../providers/shared/model-turn.ts'
import type { AssistantTurn, ToolResult, Turn, TurnToolCall } from '../../turns/index.ts'
import { type Fields, isFields } from '../../validation/predicates.ts'

/** What a reader of a response states in `internal:llm-call`. */
export interface ReaderOptions {
  /** The response of the task, from 0. */
  readonly iteration: number
  readonly messageCount: number
  readonly toolCount: number
}

/**
 * The format of an API for models.
 *
 * @typeParam Message - What a request has of the conversation.
 * @typeParam Chunk - What a response is streamed in.
 */
export interface ModelFormat<Message, Chunk = unknown> {
  /** Names the format in stored turns: another one cannot read their `content`. */
  readonly name: string
  /** Returns the machine that reads a response. */
  reader(options: ReaderOptions): Machine<ModelMachineState, Chunk, EventDraft, ModelEnd>
  /** Returns the response that the machine has read. */
  turn(state: ModelMachineState): AssistantTurn
  /**
   * Returns turns as messages. Those of this format are sent back exactly; those of others by their text, calls and results. Each call
   * has a result: those without one have not run.
   *
   * @param onDiagnostic - Called with `lossy:content` for each turn of another format that has more than text and calls.
   */
  messages(turns: readonly Turn[], onDiagnostic?: (diagnostic: Diagnostic) => void): Message[]
}

/** A result, and the call that it answers. */
export interface AnsweredCall {
  readonly call: TurnToolCall
  readonly result: ToolResult
}

/** What is particular to the format of an API. */
export interface FormatTable<Message> {
  readonly name: string
  readonly reader: (options: ReaderOptions) => Machine<ModelMachineState, unknown, EventDraft, ModelEnd>
  readonly user: (text: string) => Message
  /** A response of this format. */
  readonly own: (content: readonly JsonValue[]) => readonly Message[]
  /** A response of another one: with a text, a call, or both. */
  readonly foreign: (text: string, calls: readonly TurnToolCall[]) => readonly Message[]
  /** The results of a response. At least one. */
  readonly results: (answers: readonly AnsweredCall[], content: readonly JsonValue[]) => readonly Message[]
  /** What only this API can read of a block. */
  readonly providerOnly: (block: Fields) => readonly string[]
  /** The finish reason of a response that the model continues when it is called again. Omitted: there is none. */
  readonly pauseReason?: string
}

/** A format from what is particular to it. */
export function modelFormat<Message>(table: FormatTable<Message>): ModelFormat<Message> {
  const { name, reader, pauseReason } = table
  return {
    name,
    reader,
    turn(state) {
      const { text, calls, content, finishReason, usage, error } = modelTurn(state)
      const blocks = content as JsonValue[]
      const providerOnly = [
        ...new Set(blocks.flatMap((block) => (isFields(block) ? table.providerOnly(block) : []))),
      ]
      return {
        ...{ role: 'assistant', text, format: name, content: blocks },
        ...(calls.length > 0 && { calls: calls.map(callOf) }),
        ...(providerOnly.length > 0 && { providerOnly }),
        ...(pauseReason !== undefined && finishReason === pauseReason && { isPaused: true }),
        ...(finishReason !== undefined && { finishReason }),
        ...(usage !== undefined && { usage }),
        ...(error !== undefined && { error }),
      }
    },
    messages(turns, onDiagnostic) {
      return turns.flatMap((turn, i): readonly Message[] => {
        if (turn.role === 'user') return [table.user(textOf(turn.content))]
        // They are sent with the response whose calls they answer.
        if (turn.role === 'tool') return []
        const { calls = [], content = [], format, text } = turn
        const isOwn = format === name
        if (!isOwn) reportLosses(turn, name, onDiagnostic)
        if (isOwn ? content.length === 0 : text === '' && calls.length === 0) return []
        // Another provider knows the calls by the ids that it is sent.
        const known = isOwn ? calls : calls.map(({ providerId: _, ...call }) => call)
        const answers = answersTo(known, turns.slice(i + 1))
        return [
          ...(isOwn ? table.own(content) : table.foreign(text, calls)),
          ...(answers.length === 0 ? [] : table.results(answers, isOwn ? content : [])),
        ]
      })
    },
  }
}

/** What the model gets as the result of a call. */
export function resultText({ success, result, code, error = '', arguments: edited }: ToolResult): string {
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? null)
  const outcome = success ? text : code === undefined ? error : `${code}: ${error}`
  return edited === undefined ? outcome : `The user has changed the arguments to ${edited}\n${outcome}`
}

/** The id by which the provider knows a call. */
export function providerIdOf({ toolCallId, providerId = toolCallId }: TurnToolCall): string {
  return providerId
}

/** The arguments of a call as an object, for APIs that have them so: empty if they are none. */
export function argumentsOf({ arguments: text }: TurnToolCall): Record<string, JsonValue> {
  const value = parsedJson(text)
  return isFields(value) ? (value as Record<string, JsonValue>) : {}
}

function callOf({ toolCallId, toolName, text, status }: TurnCall): TurnToolCall {
  return { toolCallId, toolName, arguments: text, status }
}

function textOf(content: JsonValue): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** A result for each call: APIs refuse a call without one. */
function answersTo(calls: readonly TurnToolCall[], after: readonly Turn[]): AnsweredCall[] {
  const end = after.findIndex(({ role }) => role === 'assistant')
  const results = after
    .slice(0, end === -1 ? undefined : end)
    .flatMap((turn) => (turn.role === 'tool' ? turn.results : []))
  return calls.map((call) => {
    const { toolCallId, toolName } = call
    const known = results.find((result) => result.toolCallId === toolCallId)
    return { call, result: known ?? { toolCallId, toolName, success: false, ...notRun } }
  })
}

const notRun = { code: 'canceled', error: 'The call has no result: its task ended before.' }

function reportLosses(
  { format = 'another agent', providerOnly = [] }: AssistantTurn,
  name: string,
  onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined,
): void {
  if (providerOnly.length === 0) return
  const message = `Expected a response of ${name}, got one of ${format}: ${providerOnly.join(', ')} cannot be sent.`
  onDiagnostic?.({ code: 'lossy:content', message, detail: { format, types: [...providerOnly] } })
}
