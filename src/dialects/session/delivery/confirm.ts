/** Confirmation questions to the user, and their answers. */

import { mismatch, requireObject } from '../../../core/require.ts'
import { isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { type CreateSessionOptions, createSessionEvent } from '../wire/create.ts'
import type { AgentUserConfirmEvent, UserResponseEvent } from '../wire/types.generated.ts'

/** A question to the user, as in `agent.user_confirm`. */
export interface ConfirmQuestion {
  /** The question, human-readable. */
  readonly message: string
  /** The expected answer: yes or no, one of the options, or text. Defaults to `approve`. */
  readonly confirmation_type?: AgentUserConfirmEvent['content']['confirmation_type']
  /** The options of a `select` question, for which they are required. */
  readonly options?: AgentUserConfirmEvent['content']['options']
  /** Seconds until the question expires. Omitted: it does not expire. */
  readonly timeout_seconds?: number
  /** Whether the question is critical. Defaults to `false`. */
  readonly critical?: boolean
}

/** A question as decoded in either mode. */
export interface AskedQuestion {
  readonly session_id?: string
  readonly step_id?: string
  readonly content?: {
    readonly confirmation_type?: string
    readonly options?: readonly { readonly id?: string | number }[]
  }
}

/** An answer, as in `user.response`. */
export type ConfirmAnswer = UserResponseEvent['content']

/** Options of {@link createConfirm}: envelope fields and a clock. */
export type ConfirmOptions = CreateSessionOptions & { readonly session_id: string }

/**
 * Creates a question to the user. The answer has the same `step_id`.
 *
 * @throws TypeError if the event would be invalid, or a `select` question has no options.
 */
export function createConfirm(
  question: ConfirmQuestion,
  options: ConfirmOptions & { readonly step_id: string },
): AgentUserConfirmEvent {
  requireObject('question', question)
  const { message, confirmation_type = 'approve', options: choices, timeout_seconds, critical } = question
  if (confirmation_type === 'select' && !(Array.isArray(choices) && choices.length > 0)) {
    throw mismatch('question.options', 'a non-empty array with confirmation_type "select"', choices)
  }
  return createSessionEvent(
    'agent.user_confirm',
    { message, confirmation_type, ...(choices !== undefined && { options: choices }) },
    { ...(timeout_seconds !== undefined && { timeout_seconds }), critical: critical ?? false },
    options,
  )
}

/**
 * Creates the answer to a question, in its session and with its `step_id`. Takes questions decoded in either mode.
 *
 * The answer has `confirmed` as well as `approved`, as some servers read one and some the other.
 *
 * @throws TypeError if the event would be invalid, or does not match the question by {@link matchConfirm}.
 */
export function answerConfirm(
  question: AskedQuestion,
  answer: ConfirmAnswer,
  options: CreateSessionOptions,
): UserResponseEvent {
  requireObject('question', question)
  requireObject('answer', answer)
  const { session_id, step_id } = question
  const content = { ...answer, confirmed: answer.approved }
  const response = createSessionEvent('user.response', content, undefined, {
    ...(session_id !== undefined && { session_id }),
    ...(step_id !== undefined && { step_id }),
    ...options,
  })
  const match = matchConfirm(question, response)
  if (match === 'answered' || match === 'declined') return response
  throw new TypeError(`Expected an answer that matches the question, got ${match}.`)
}

/**
 * How a response relates to a question:
 *
 * - `answered`: it answers the question
 * - `declined`: it answers the question with `approved: false`
 * - `other-question`: it belongs to another step or session
 * - `no-such-option`: it selects no option of a `select` question
 * - `no-value`: it has no value for an `input` question
 */
export type ConfirmMatch = 'answered' | 'declined' | 'other-question' | 'no-such-option' | 'no-value'

/**
 * Determines how a response relates to a question. Never throws on data: a value that is no response belongs to another
 * question, and one without content declines.
 *
 * @throws TypeError if `question` is not an object.
 */
export function matchConfirm(question: AskedQuestion, response: UserResponseEvent): ConfirmMatch {
  requireObject('question', question)
  const received: unknown = response
  if (!isFields(received)) return 'other-question'
  const { step_id, session_id } = received
  if (step_id !== question.step_id || session_id !== question.session_id) return 'other-question'
  const content = fieldsOf(received.content)
  if (content.approved !== true) return 'declined'
  const { confirmation_type, options } = fieldsOf(question.content)
  const choices: readonly unknown[] = Array.isArray(options) ? options : []
  if (
    confirmation_type === 'select' &&
    !choices.some((choice) => fieldsOf(choice).id === content.selected_id)
  ) {
    return 'no-such-option'
  }
  if (confirmation_type === 'input' && content.value === undefined && content.data === undefined) {
    return 'no-value'
  }
  return 'answered'
}
