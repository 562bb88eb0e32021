/** Reads the answers that a run begins with, and ends questions that are not answered. */

import { isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import type { AgUiRunInput } from '../wire/types/index.ts'
import { isPaused } from './read-tool.ts'
import type { Question, RunWriter } from './state.ts'

/** What the client answered a question with. */
interface Answer {
  readonly isDeclined: boolean
  /** The result of a call that the client has executed. */
  readonly result?: { readonly content: string; readonly error?: string }
}

/**
 * Emits the answers that start a run. If its request is unknown, all questions were answered; otherwise those are open still
 * that it does not answer.
 *
 * @returns The questions that are open.
 */
export function answerQuestions(
  writer: RunWriter,
  questions: readonly Question[],
  request: AgUiRunInput | undefined,
): readonly Question[] {
  const answerOf = request === undefined ? undefined : answersIn(request)
  return questions.filter((question) => {
    const { interruptId, isExecution } = question
    if (answerOf === undefined && !isExecution) {
      writer.inferred('input-received', `Expected the answer to ${interruptId} in the request, got none.`)
    }
    const answer = answerOf === undefined ? { isDeclined: false } : answerOf(question)
    if (answer !== undefined) receive(writer, question, answer)
    return answer === undefined
  })
}

/** The answers of a request: those in `resume`, the results of calls, and what older clients of LangGraph resume with. */
function answersIn({
  resume = [],
  messages,
  forwardedProps,
}: AgUiRunInput): (q: Question) => Answer | undefined {
  const answers = new Map(resume.map((answer) => [answer.interruptId, answer]))
  const results = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message]] : [])),
  )
  const command = fieldsOf(forwardedProps).command
  const older = fieldsOf(command).resume
  return ({ interruptId, callId, isExecution }) => {
    const result = isExecution && callId !== null ? results.get(callId) : undefined
    if (result !== undefined) {
      const { content, error } = result
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      return { isDeclined: false, result: { content: text, ...(error !== undefined && { error }) } }
    }
    const answer = answers.get(interruptId)
    if (answer === undefined && (older === undefined || older === null)) return undefined
    const payload = answer === undefined ? older : answer.payload
    const isRefusal = isFields(payload) && payload.approved === false
    return { isDeclined: answer?.status === 'cancelled' || isRefusal }
  }
}

/** Emits an answer. */
function receive(writer: RunWriter, question: Question, { isDeclined, result }: Answer): void {
  const { type, id, owner, callId, isExecution } = question
  const { userId = 'user' } = writer.options
  const task = writer.item('tasks', owner)
  if (task === undefined) return
  if (type === 'auth') {
    if (isDeclined) writer.emitDraft({ kind: 'auth-failed', authId: id, reason: 'denied' }, task)
    else writer.emitDraft({ kind: 'auth-completed', authId: id, userId }, task)
  } else {
    const outcome = isDeclined ? { outcome: 'declined' as const } : {}
    writer.emitDraft({ kind: 'input-received', inputId: id, providedBy: 'user', userId, ...outcome }, task)
  }
  const call = callId === null ? undefined : writer.item('calls', callId)
  if (call === undefined) return
  const phase = isExecution ? 'executed' : isPaused(call) ? 'asked' : 'resumed'
  writer.setItem('calls', call.key, { ...call, phase, answer: result ?? null })
}

/** Ends questions that nobody answers any more. */
export function closeQuestions(
  writer: RunWriter,
  questions: readonly Question[],
  reason: 'withdrawn' | 'task-ended',
): void {
  for (const { type, id: inputId, owner, callId, isExecution } of questions) {
    const task = writer.item('tasks', owner)
    const call = callId === null ? undefined : writer.item('calls', callId)
    // The run went on with it.
    if (call?.phase === 'running' && !isExecution)
      writer.setItem('calls', call.key, { ...call, phase: 'resumed' })
    else if (call?.phase === 'cut') writer.setItem('calls', call.key, { ...call, phase: 'asked' })
    if (type === 'input' && task !== undefined && task.phase !== 'ended')
      writer.emitDraft({ kind: 'input-canceled', inputId, reason }, task)
  }
}
