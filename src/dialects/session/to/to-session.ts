/** From the core vocabulary to the session protocol. */

import type { Diagnostic, Machine } from '../../../core/machine.ts'
import { unstamp } from '../../../emitter/stamp.ts'
import type { AnyEvent, ContextAnyEvent } from '../../../events/event.ts'
import { EXTENSION } from '../wire/coverage.ts'
import type { SessionServerEvent } from '../wire/event.ts'
import { change, stepOf } from '../wire/step.ts'
import { type Bare, type Draft, drafts, endDraft, planDrafts, resultDrafts, solveDraft } from './templates.ts'

/** What {@link toSessionEvents} remembers. */
export interface ToSessionState {
  /** The task under way. `null`: none. */
  readonly taskId: string | null
  /** The task that ended last. `null`: none. */
  readonly done: string | null
  /** Whether the task has begun to be solved. */
  readonly solving: boolean
  /** How many partial answers were sent of the task. */
  readonly chunks: number
  /** What the model said last. */
  readonly text: string
  /** What ended the task well, held back for what belongs to it. */
  readonly held: ContextAnyEvent | null
}

/** Settings of {@link toSessionEvents}. */
export interface ToSessionOptions {
  /** The session. Absent: the `contextId` of the events. */
  readonly sessionId?: string
}

const idle: ToSessionState = { taskId: null, done: null, solving: false, chunks: 0, text: '', held: null }

/**
 * Turns core events into what a server of the session protocol sends. A task becomes one round,
 * with a plan of one task: itself.
 *
 * - What the protocol has no place for travels in `metadata.core`, where {@link fromSessionEvents}
 *   finds it. Numbers and names it demands and the core does not have are `0` and `''`.
 * - A segment of content that is complete becomes an `agent.llm_message`; what the task ends with is
 *   the `agent.final_answer`.
 * - `task-status: completed` and `task-complete` become one end of the round. The first of them is
 *   held back until the next event, or the end.
 *
 * Diagnostics: `dropped:<kind>` for what the protocol has nothing for, such as states in between, answers
 * of the user, artifacts, and all events of another task than the one under way: a session does one
 * thing at a time, and knows no subtasks. `repaired:task-created` when a task begins in the middle.
 *
 * @see {@link sessionCoverage}
 */
export function toSessionEvents(
  options: ToSessionOptions = {},
): Machine<ToSessionState, ContextAnyEvent, SessionServerEvent> {
  return {
    initial: idle,
    step(state, event) {
      const round: Round = { state, out: [], diagnostics: [], at: event, sessionId: options.sessionId }
      const { held } = state
      const belongs = held !== null && held.taskId === event.taskId && held.kind !== event.kind
      if (held !== null && belongs && endsWell(event)) end(round, [held, event])
      else {
        if (held !== null) end(round, [held])
        take(round, event)
      }
      return stepOf(round)
    },
    end(state) {
      const { held } = state
      if (held === null) return { state, out: [] }
      const round: Round = { state, out: [], diagnostics: [], at: held, sessionId: options.sessionId }
      end(round, [held])
      return stepOf(round)
    },
  }
}

/** One input being converted. */
interface Round {
  state: ToSessionState
  readonly out: SessionServerEvent[]
  readonly diagnostics: Diagnostic[]
  /** The event whose time and place the next ones take. */
  at: ContextAnyEvent
  readonly sessionId: string | undefined
}

/** What the session tells only once solving has begun. */
const SOLVING = /^(solver\.(progress|completed|cancelled)|agent\.final_answer)$/

function send(round: Round, { event, content, metadata, rest = {}, step_id }: Draft): void {
  if (SOLVING.test(event)) solve(round, { implied: true })
  const { timestamp, contextId, taskId } = round.at
  const inStep = !/^(aggregate|pipeline)/.test(event)
  round.out.push({
    event,
    timestamp,
    session_id: round.sessionId ?? contextId,
    ...(inStep && { step_id: step_id ?? taskId }),
    content,
    metadata: { ...metadata, [EXTENSION]: rest },
  } as SessionServerEvent)
}

function endsWell(event: ContextAnyEvent): boolean {
  return event.kind === 'task-complete' || (event.kind === 'task-status' && event.status === 'completed')
}

function drop(round: Round, { kind }: ContextAnyEvent): Round {
  round.diagnostics.push({ code: `dropped:${kind}`, message: 'The protocol has nothing for this.' })
  return round
}

function take(round: Round, event: ContextAnyEvent): Round {
  round.at = event
  const { taskId, chunks } = round.state
  const { kind, timestamp: _, ...fields } = bare(event)
  const isOther = taskId === null ? event.taskId === round.state.done : event.taskId !== taskId
  if (isOther || event.parentTaskId !== undefined || (taskId !== null && kind === 'task-created'))
    return drop(round, event)
  if (event.kind === 'task-created') {
    const { input, model = '' } = event.metadata ?? {}
    return plan(round, event.taskId, input, model, fields)
  }
  const draft = drafts[kind] as ((event: object) => Draft) | undefined
  if (draft === undefined && !OWN.has(kind)) return drop(round, event)
  if (taskId === null) {
    round.diagnostics.push({ code: 'repaired:task-created', message: 'The task begins in the middle.' })
    plan(round, event.taskId, '', '', {})
  }
  if (event.kind === 'task-status' && !endsWell(event)) return status(round, event, fields)
  if (endsWell(event)) change(round, { held: event })
  else if (event.kind === 'content-delta') {
    const { delta, index: _index, ...rest } = fields as Bare<typeof event>
    send(round, { event: 'agent.partial_answer', content: delta, metadata: { chunk_index: chunks }, rest })
    change(round, { chunks: chunks + 1 })
  } else if (draft !== undefined) send(round, draft(fields))
  if (event.kind === 'content-complete') change(round, { text: event.content })
  return round
}

/** What is converted here, as it needs to know of other events. */
const OWN: ReadonlySet<string> = new Set(['task-status', 'task-complete', 'content-delta'])

/** The round begins. */
function plan(round: Round, taskId: string, input: unknown, model: string, rest: object): Round {
  for (const draft of planDrafts(taskId, input, model, rest)) send(round, draft)
  change(round, { ...idle, taskId })
  return round
}

/** Solving begins, unless it has. */
function solve(round: Round, rest: object): Round {
  if (round.state.solving) return round
  send(round, solveDraft(rest))
  change(round, { solving: true })
  return round
}

function status(round: Round, event: ContextAnyEvent & { kind: 'task-status' }, fields: object): Round {
  if (event.status === 'working' && !round.state.solving) return solve(round, fields)
  if (event.status !== 'failed' && event.status !== 'canceled') return drop(round, event)
  if (event.status === 'failed') {
    send(round, endDraft('failed', event.message ?? event.error?.message ?? '', 0, [bare(event)]))
  } else {
    const reason = event.metadata?.reason ?? 'user_request'
    const metadata = { task_id: event.taskId, reason, execution_time_ms: 0 }
    const rest = { ending: [bare(event)] }
    send(round, { event: 'solver.cancelled', content: event.message ?? null, metadata, rest })
  }
  return over(round)
}

/** The round ends well, with what the task ended with. */
function end(round: Round, ending: readonly [ContextAnyEvent, ...ContextAnyEvent[]]): Round {
  round.at = ending[0]
  const complete = ending.find((event) => event.kind === 'task-complete')
  const answer = complete?.content ?? round.state.text
  const { duration = 0, tokensUsed = 0 } = complete?.metadata ?? {}
  for (const draft of resultDrafts(ending[0].taskId, answer, duration, tokensUsed)) send(round, draft)
  send(round, endDraft('success', '', duration, ending.map(bare)))
  return over(round)
}

function over(round: Round): Round {
  round.state = { ...idle, done: round.at.taskId }
  return round
}

function bare(event: ContextAnyEvent): AnyEvent {
  return unstamp(event) as AnyEvent
}
