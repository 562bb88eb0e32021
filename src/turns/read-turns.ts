/** Turns from the events of a conversation: those that loops have saved, and what other agents wrote. */

import type { JsonValue } from '../core/json-value.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import { jsonText } from '../json/json-text.ts'
import { foldEvents } from '../streams/view/fold/index.ts'
import { emptyView, taskOf } from '../streams/view/index.ts'
import type { ToolPart } from '../streams/view/parts.ts'
import { isFields } from '../validation/predicates.ts'
import type { AssistantTurn, ToolResult, ToolTurn, Turn, TurnToolCall } from './turn.ts'

/** The draft that saves a turn in the stream of its task: for operators only. */
export interface TurnDraft {
  kind: 'internal:checkpoint'
  iteration: number
  state: { turn: Turn }
}

/** @param iteration - Of the response, or of that whose calls a result answers. */
export function turnDraft(turn: Turn, iteration: number): TurnDraft {
  return { kind: 'internal:checkpoint', iteration, state: { turn } }
}

/** A task of a conversation. */
interface TaskEvents {
  readonly events: ContextAnyEvent[]
  /** Whether it has begun: a message that waits for its turn is `submitted`, and may be canceled before it begins. */
  hasBegun: boolean
}

/**
 * The turns of the conversation of a task: those of the tasks that began before it, in that order, then its own. A task whose agent
 * saved none, or whose turns the log no longer has, has its input, its texts, and its calls with their results. Results that were not
 * saved are those of `tool-complete`.
 *
 * @param events - Of the whole conversation, in order.
 */
export function turnsOf(events: Iterable<ContextAnyEvent>, task: TaskName): Turn[] {
  const tasks = new Map<string, TaskEvents>()
  const begun: TaskEvents[] = []
  const own: TaskEvents = { events: [], hasBegun: false }
  tasks.set(task.taskId, own)
  for (const event of events) {
    if (event.contextId !== task.contextId) continue
    if (event.parentTaskId !== undefined && event.taskId !== task.taskId) continue
    const known = tasks.get(event.taskId) ?? { events: [], hasBegun: false }
    tasks.set(event.taskId, known)
    known.events.push(event)
    if (known.hasBegun || !isBeginning(event)) continue
    known.hasBegun = true
    // What began later is not before it.
    if (!own.hasBegun) begun.push(known)
  }
  return [...begun, own].flatMap((each) => turnsOfTask(each.events))
}

/** Whether an event is of a task that runs, and not of one that waits for its turn. */
function isBeginning(event: ContextAnyEvent): boolean {
  if (event.kind === 'task-created') return false
  return event.kind !== 'task-status' || !['submitted', 'canceled'].includes(event.status)
}

/** The calls of a response that have no result among the turns after it. */
export function unanswered({ calls = [] }: AssistantTurn, after: readonly Turn[]): string[] {
  const known = new Set(
    after.flatMap((turn) => (turn.role === 'tool' ? turn.results.map((each) => each.toolCallId) : [])),
  )
  return calls.flatMap(({ toolCallId }) => (known.has(toolCallId) ? [] : [toolCallId]))
}

function turnsOfTask(events: readonly ContextAnyEvent[]): Turn[] {
  const turns: Turn[] = []
  const completed = new Map<string, ToolResult>()
  for (const event of events) {
    if (event.kind === 'task-created' && event.metadata?.input !== undefined)
      turns.push({ role: 'user', content: event.metadata.input })
    if (event.kind === 'tool-complete') completed.set(event.toolCallId, resultOf(event))
    const turn = event.kind === 'internal:checkpoint' ? event.state?.turn : undefined
    if (isTurn(turn)) turns.push(turn)
  }
  if (turns.some(({ role }) => role === 'assistant')) return withResults(turns, completed)
  return [...turns, ...writtenTurns(events)]
}

/** Puts all results of a response right behind it. */
function withResults(turns: readonly Turn[], completed: ReadonlyMap<string, ToolResult>): Turn[] {
  return turns.flatMap((turn, i): Turn[] => {
    if (turn.role !== 'assistant') return turn.role === 'tool' ? [] : [turn]
    const next = turns.findIndex(({ role }, j) => j > i && role === 'assistant')
    const after = turns.slice(i + 1, next === -1 ? undefined : next)
    const missing = new Set(unanswered(turn, after))
    const results = (turn.calls ?? []).flatMap(({ toolCallId }): ToolResult[] => {
      const known = missing.has(toolCallId) ? completed.get(toolCallId) : savedResult(after, toolCallId)
      return known === undefined ? [] : [known]
    })
    return results.length === 0 ? [turn] : [turn, { role: 'tool', results }]
  })
}

function savedResult(after: readonly Turn[], toolCallId: string): ToolResult | undefined {
  for (const turn of after) {
    const found = turn.role === 'tool' && turn.results.find((each) => each.toolCallId === toolCallId)
    if (found) return found
  }
  return undefined
}

function resultOf(event: ContextAnyEvent & { kind: 'tool-complete' }): ToolResult {
  const { toolCallId, toolName, success, result = null, error = 'The tool failed.' } = event
  const outcome = success ? { success, result: result as JsonValue } : { success, error }
  return { toolCallId, toolName, ...outcome }
}

/**
 * What an agent without saved turns has written, or one whose turns the log no longer has: its texts, and its calls with their results.
 * The text after a call is another response.
 */
function writtenTurns(events: readonly ContextAnyEvent[]): Turn[] {
  const [first] = events
  const view = foldEvents(emptyView, events)
  const parts = (first && taskOf(view, first.taskId, first.contextId)?.parts) ?? []
  const written: { text: string; calls: TurnToolCall[]; results: ToolResult[] }[] = []
  for (const part of parts) {
    const latest = written.at(-1)
    const isNew = latest === undefined || (part.type === 'text' && latest.calls.length > 0)
    const turn = isNew ? { text: '', calls: [], results: [] } : latest
    if (part.type === 'text') turn.text += part.text
    else if (part.type !== 'tool' || !addCall(turn, part)) continue
    if (isNew) written.push(turn)
  }
  return written.flatMap(({ text, calls, results }): Turn[] =>
    calls.length === 0
      ? [{ role: 'assistant', text }]
      : [
          { role: 'assistant', text, calls },
          { role: 'tool', results },
        ],
  )
}

/** Adds a call that has ended; `false` if it has not, or is not known well enough. */
function addCall(turn: { calls: TurnToolCall[]; results: ToolResult[] }, part: ToolPart): boolean {
  const { toolCallId, toolName, status, result = null, error = 'The tool failed.' } = part
  if (toolName === undefined || !['succeeded', 'failed', 'declined', 'expired'].includes(status)) return false
  const text = jsonText(part.arguments ?? {}) ?? '{}'
  turn.calls.push({ toolCallId, toolName, arguments: text, status: 'complete' })
  const outcome =
    status === 'succeeded' ? { success: true, result: result as JsonValue } : { success: false, error }
  turn.results.push({ toolCallId, toolName, ...outcome })
  return true
}

/** Whether a checkpoint has a turn: others may save something else there. */
function isTurn(value: unknown): value is AssistantTurn | ToolTurn | Turn {
  if (!isFields(value)) return false
  const { role, text, calls = [], results } = value
  if (role === 'user') return value.content !== undefined
  if (role === 'tool') return areCalls(results)
  return role === 'assistant' && typeof text === 'string' && areCalls(calls)
}

function areCalls(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => isFields(each) && typeof each.toolCallId === 'string')
}
