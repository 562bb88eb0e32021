/** From the session protocol to the core vocabulary. */

import type { Machine } from '../../../core/machine.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { type Fields, isCount, isFields, isTimestamp } from '../../../validation/predicates.ts'
import { asFields, numberOf, taskIdsOf, wordOf } from '../wire/coerce.ts'
import { lossesOf, sessionMappedFields } from '../wire/coverage.ts'
import { toTimestamp } from '../wire/create.ts'
import { MOST } from '../wire/limits.ts'
import type { SessionEventName } from '../wire/names.ts'
import { change, stepOf } from '../wire/step.ts'
import { errorOf } from './errors.ts'
import {
  begin,
  type Call,
  close,
  closeSegment,
  diagnostic,
  drop,
  ensure,
  type FromSessionState,
  failCall,
  finish,
  noRound,
  type Round,
  roundOf,
  type SessionInput,
  tell,
  timeOf,
  unlessEmpty,
} from './round.ts'

/** Settings of {@link fromSessionEvents}. */
export interface FromSessionOptions {
  /** The context of the events. Absent: the `session_id` of the session. */
  readonly contextId?: string
  /** The clock for events that tell no time. Absent: they take the time told last. */
  readonly now?: () => Date | number | string
}

/**
 * Turns events of a session, of both sides or of the server alone, into core events. Takes what
 * {@link decodeSessionEvent} calls known, in either mode, and unknown ones too.
 *
 * A round of planning and solving becomes a task: from `user.message`, or `plan.start`, to
 * `pipeline.completed`. Where that comes before the final answer, the end waits for the answer. A
 * round that is followed by another without an end is over: completed if it had a final answer,
 * canceled if not.
 *
 * Plan, results of solving and the aggregated result become `data-write`s, errors `task-error`s, and
 * progress of the whole a `task-status`. Servers that merge partial answers lose text: where the
 * final answer is longer than what was told, the rest of it is told as one more delta; where it is
 * another, it follows as a segment of its own.
 *
 * Diagnostics: `lossy:<path>` and `dropped:<name>` by {@link sessionMappedFields}; `repaired:<what>` where
 * something is told that the session did not say, or said otherwise.
 */
export function fromSessionEvents(
  options: FromSessionOptions = {},
): Machine<FromSessionState, SessionInput, ContextAnyEvent> {
  const { now } = options
  const clock = now === undefined ? undefined : () => toTimestamp(now())
  return {
    initial: noRound,
    step(state, event) {
      const round = roundOf(state, event)
      const { session_id: told } = event
      const isFree = state.taskId === null
      const session = isFree && typeof told === 'string' && told !== '' ? told : state.contextId || 'session'
      change(round, { contextId: options.contextId ?? session })
      const { at, repair } = timeOf(round, clock)
      change(round, { at })
      const isOwn = Object.hasOwn(conversions, event.event)
      if (isOwn) conversions[event.event as SessionEventName]?.(round)
      else drop(round)
      if (isOwn && round.core === undefined && Object.hasOwn(sessionMappedFields, event.event)) {
        round.diagnostics.push(...lossesOf(event))
      }
      if (repair !== undefined && round.out.length > 0) round.diagnostics.unshift(repair)
      return stepOf(round)
    },
    end(state) {
      const round = roundOf(state, { event: '' })
      if (state.taskId !== null && state.stage === 'ending') close(round)
      return stepOf(round)
    },
  }
}

/** A conversion that needs a round under way. */
const within =
  (convert: (round: Round) => void) =>
  (round: Round): void => {
    ensure(round)
    convert(round)
  }

/** A conversion that says something only of a round under way. */
const ifOpen =
  (convert: (round: Round) => void) =>
  (round: Round): void => {
    if (round.state.taskId === null) drop(round)
    else convert(round)
  }

const error = ifOpen((round) => {
  const error = errorOf(round.event)
  change(round, { error })
  tell(round, 'task-error', {}, { error }, round.core)
})

const conversions: { readonly [N in SessionEventName]?: (round: Round) => void } = {
  'user.message': (round) => {
    close(round)
    begin(round, round.content.question ?? round.event.content ?? undefined, 'asked')
  },
  'user.response': ifOpen((round) => {
    const { approved, confirmed } = round.content
    const question = find(round, 'input', round.event.step_id)
    if (question?.open !== true) return drop(round)
    keep(round, { ...question, open: false })
    const duration = round.metadata.response_time_ms
    const isDeclined = (approved ?? confirmed) === false
    const derived = {
      ...(isDeclined && { outcome: 'declined' }),
      ...(typeof duration === 'number' && { metadata: { duration } }),
    }
    tell(round, 'input-received', { inputId: question.id, providedBy: 'user' }, derived)
  }),
  'plan.start': (round) => {
    // The message that began the round has told the question.
    if (round.state.taskId !== null && round.state.stage === 'asked')
      return change(round, { stage: 'planned' })
    close(round)
    begin(round, round.content.question, 'planned')
  },
  'plan.completed': within((round) => {
    const ids = taskIdsOf(round.content)
    change(round, { planned: ids === null || ids.length > MOST ? null : ids })
    write(round, 'plan', round.event.content)
  }),
  'plan.validation_error': error,
  'plan.coercion_error': error,
  'plan.cancelled': ifOpen(cancel),
  'solver.start': within((round) => {
    const { stage } = round.state
    change(round, { stage: 'solving' })
    if (stage !== 'solving' && round.core?.implied !== true) {
      tell(round, 'task-status', { status: 'working' }, {}, round.core)
    }
  }),
  'solver.progress': within((round) => {
    const { status } = round.content
    const message = typeof status === 'string' && status !== '' ? { message: status } : {}
    const call = find(round, 'call', round.event.step_id)
    if (call?.open !== true) {
      return tell(
        round,
        'task-status',
        { status: 'working' },
        {
          ...message,
          metadata: { ...round.metadata },
        },
      )
    }
    const progress = numberOf(round.metadata.progress_percent) / 100
    tell(round, 'tool-progress', { toolCallId: call.id }, { ...message, progress }, round.core)
  }),
  'solver.completed': within((round) => write(round, 'results', round.event.content)),
  'solver.step_failed': error,
  'solver.retry': error,
  'solver.restarted': error,
  'solver.cancelled': ifOpen((round) => {
    const planned = round.state.planned?.filter((id) => id !== wordOf(round.metadata.task_id)) ?? []
    change(round, { planned })
    if (planned.length === 0) cancel(round)
    else drop(round)
  }),
  'agent.thinking': within((round) => {
    const { taskId, thoughts } = round.state
    const { thinking_type: type } = round.metadata
    const derived = {
      thoughtId: `${taskId}/thought-${thoughts}`,
      thoughtType: type === 'planning' ? type : 'reasoning',
      verbosity: 'normal',
      ...(type === 'analysis' && { metadata: { thinking_type: type } }),
    }
    const fields = { content: round.event.content, index: thoughts }
    if (tell(round, 'thought-stream', fields, derived, round.core)) change(round, { thoughts: thoughts + 1 })
  }),
  'agent.tool_call': within((round) => {
    start(round)
  }),
  'agent.tool_result': within((round) => {
    const { result, status } = round.content
    const { error: reason, execution_time_ms: duration } = round.metadata
    let call = find(round, 'call', callId(round))
    if (call?.open !== true) {
      diagnostic(round, 'repaired:tool-start', 'The result is of no open call.')
      call = start(round)
    }
    keep(round, { ...call, open: false })
    const success = status !== 'failed' && status !== 'error' && (reason ?? null) === null
    const told = success ? result : (reason ?? result)
    const derived = {
      ...((told ?? null) !== null && (success ? { result: told } : { error: textOf(told) })),
      ...(typeof duration === 'number' && duration > 0 && { metadata: { duration } }),
    }
    tell(round, 'tool-complete', { toolCallId: call.id, toolName: call.name, success }, derived, round.core)
  }),
  'agent.partial_answer': (round) => {
    const { content } = round.event
    // Servers mark the end of the answer with an empty piece.
    if (content === '' && round.core === undefined) return
    ensure(round)
    if (typeof content === 'string') delta(round, content)
    else drop(round)
  },
  'agent.llm_message': (round) => {
    if (round.core?.segment !== true || round.state.taskId === null) return drop(round)
    const { segment: _, ...core } = round.core
    tell(round, 'content-complete', { content: round.event.content }, {}, core)
    change(round, { segment: null })
  },
  'agent.final_answer': within((round) => {
    const { answer } = round.content
    if (typeof answer !== 'string') return drop(round)
    if (round.core === undefined) settle(round, answer)
    const { generation_time_ms: duration, total_tokens_used: tokensUsed } = round.metadata
    const metadata = {
      ...(typeof duration === 'number' && duration > 0 && { duration }),
      ...(typeof tokensUsed === 'number' && tokensUsed > 0 && { tokensUsed }),
    }
    change(round, { answer: { content: answer, ...unlessEmpty(metadata) } })
    if (round.state.stage === 'ending') finish(round, 'completed')
  }),
  'agent.user_confirm': within((round) => {
    const { message, confirmation_type: type, options } = round.content
    const { timeout_seconds: timeout, critical } = round.metadata
    if (typeof message !== 'string') return drop(round)
    const key = typeof round.event.step_id === 'string' ? round.event.step_id : `${round.state.taskId}/input`
    const { id } = fresh(round, 'input', key, '')
    const derived = {
      inputType: type === 'select' ? 'selection' : type === 'input' ? 'clarification' : 'confirmation',
      ...(critical === true && { requireUser: true }),
      ...(Array.isArray(options) && { options }),
      ...(typeof timeout === 'number' && { metadata: { timeout } }),
    }
    tell(round, 'input-required', { inputId: id, prompt: message }, derived, round.core)
  }),
  'agent.session_end': (round) => {
    close(round)
    drop(round)
  },
  'system.error': error,
  'error.validation': error,
  'error.timeout': error,
  'error.execution': error,
  'error.retry': error,
  'error.recovery_failed': error,
  'aggregate.completed': within((round) => {
    const { final_result: result } = round.content
    write(round, 'result', result === undefined || isFields(result) ? result : { result })
  }),
  'pipeline.completed': ifOpen((round) => {
    const { status, result_summary: summary } = round.metadata
    const { answer } = round.state
    if (status === 'failed') {
      const message = typeof summary === 'string' ? summary : ''
      const error = round.state.error ?? { code: 'internal', message, retry: 'terminal' }
      finish(round, 'failed', { ...(message !== '' && { message }), error })
    } else if (answer !== null || round.core !== undefined) finish(round, 'completed')
    else change(round, { stage: 'ending' })
  }),
}

function cancel(round: Round): void {
  const { content } = round.event
  const { reason } = round.metadata
  finish(round, 'canceled', {
    ...(typeof content === 'string' && { message: content }),
    ...(typeof reason === 'string' && { metadata: { reason } }),
  })
}

/** A result of the round is told as an artifact. */
function write(round: Round, name: string, data: unknown): void {
  if (round.core !== undefined || !isFields(data)) return
  tell(round, 'data-write', { artifactId: `${round.state.taskId}/${name}`, name, data }, {})
}

function delta(round: Round, text: string): void {
  const { next: index, text: before } = round.state.segment ?? { next: 0, text: '' }
  const { indexEnd: told, timestampEnd } = round.core ?? {}
  const end = numberOf(told)
  const indexEnd = isCount(end) && end > index ? end : index
  const fields = {
    delta: text,
    index,
    ...(indexEnd > index && { indexEnd }),
    ...(isTimestamp(timestampEnd) && { timestampEnd }),
  }
  tell(round, 'content-delta', fields, {})
  change(round, { segment: { next: indexEnd + 1, text: before + text } })
}

/** The final answer ends the segment that told it, or is one by itself. */
function settle(round: Round, answer: string): void {
  const { segment } = round.state
  if (segment !== null && answer !== segment.text) {
    diagnostic(round, 'repaired:content-delta', 'The partial answers are not the final one.', '/content')
    if (answer.startsWith(segment.text)) delta(round, answer.slice(segment.text.length))
    else closeSegment(round)
  }
  const isAgain = segment === null && round.state.answer?.content === answer
  if (round.state.segment !== null) closeSegment(round)
  else if (isAgain) diagnostic(round, 'duplicate', 'The answer is told again.', '/content')
  else tell(round, 'content-complete', { content: answer }, {})
}

function callId(round: Round): unknown {
  return round.metadata.call_id ?? round.event.step_id ?? ''
}

/** A tool is called. */
function start(round: Round): Call {
  const { tool_name: name, arguments: args } = round.content
  const { tool_type: provider } = round.metadata
  const call = fresh(round, 'call', callId(round), typeof name === 'string' && name !== '' ? name : 'unknown')
  const derived = typeof provider === 'string' && provider !== '' ? { metadata: { provider } } : {}
  const isResult = round.event.event === 'agent.tool_result'
  const fields = { toolCallId: call.id, toolName: call.name, arguments: asFields(args) }
  tell(round, 'tool-start', fields, derived, isResult ? undefined : round.core)
  return call
}

function find(round: Round, kind: 'call' | 'input', id: unknown): Call | undefined {
  const key = `${kind} ${wordOf(id)}`
  return round.state.calls.find((call) => call.key === key)
}

/** Names a call as the session does, unless the name was used before: servers use some again. */
function fresh(round: Round, kind: 'call' | 'input', told: unknown, name: string): Call {
  const before = find(round, kind, told)
  if (before !== undefined) failCall(round, before)
  const first = wordOf(told) || `${round.state.taskId}/${kind}`
  const [, count = '1'] = /~(\d+)$/.exec(before?.id ?? '') ?? []
  const id = before === undefined ? first : `${first}~${Number(count) + 1}`
  const call = { key: `${kind} ${wordOf(told)}`, id, name, open: true }
  keep(round, call)
  return call
}

/** Keeps a call in the place of the one with its key; the oldest goes when there are too many. */
function keep(round: Round, call: Call): void {
  const { calls } = round.state
  const at = calls.findIndex(({ key }) => key === call.key)
  const [oldest] = calls
  if (at !== -1) change(round, { calls: calls.with(at, call) })
  else if (oldest !== undefined && calls.length >= MOST) {
    failCall(round, oldest)
    change(round, { calls: [...calls.slice(1), call] })
  } else change(round, { calls: [...calls, call] })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value as Fields)
}
