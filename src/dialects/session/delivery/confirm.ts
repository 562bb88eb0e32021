/** Asking the user, and matching the answer. */
import type { AgentUserConfirmEvent } from '../wire/agent-events.ts'
import { type CreateSessionOptions, createSessionEvent } from '../wire/create.ts'
import type { UserResponseEvent } from '../wire/user-events.ts'

/** What is asked; see {@link AgentUserConfirmEvent}. */
export interface ConfirmQuestion {
  /** What is asked, for people. */
  readonly message: string
  /** What is asked for: a yes or no, a choice, or a text. Absent: `approve`. */
  readonly confirmation_type?: AgentUserConfirmEvent['content']['confirmation_type']
  /** What to choose from; needed with `select`. */
  readonly options?: AgentUserConfirmEvent['content']['options']
  /** Seconds until the question expires. Absent: it does not. */
  readonly timeout_seconds?: number
  /** Whether it matters much. Absent: `false`. */
  readonly critical?: boolean
}

/** What is answered; see {@link UserResponseEvent}. */
export type ConfirmAnswer = UserResponseEvent['content']

/** The envelope of a question or an answer. */
export type ConfirmOptions = CreateSessionOptions & { readonly session_id: string }

/**
 * Makes a question to the user. The answer will have the same `step_id`.
 *
 * @throws TypeError when it is no valid event, or `select` comes without options.
 */
export function createConfirm(
  question: ConfirmQuestion,
  options: ConfirmOptions & { readonly step_id: string },
): AgentUserConfirmEvent {
  const { message, confirmation_type = 'approve', options: choices, timeout_seconds, critical } = question
  if (confirmation_type === 'select' && !choices?.length) {
    throw new TypeError('select needs options.')
  }
  return createSessionEvent(
    'agent.user_confirm',
    { message, confirmation_type, ...(choices !== undefined && { options: choices }) },
    { ...(timeout_seconds !== undefined && { timeout_seconds }), critical: critical ?? false },
    options,
  )
}

/**
 * Makes the answer to a question: in its session, with its `step_id`.
 *
 * The answer says `confirmed` as well as `approved`, as there are servers that read the one and
 * servers that read the other.
 *
 * @throws TypeError when it is no valid event, or does not fit the question by {@link matchConfirm}.
 */
export function answerConfirm(
  question: AgentUserConfirmEvent,
  answer: ConfirmAnswer,
  options: CreateSessionOptions,
): UserResponseEvent {
  const { session_id, step_id } = question
  const content = { ...answer, confirmed: answer.approved }
  const response = createSessionEvent('user.response', content, undefined, {
    session_id,
    step_id,
    ...options,
  })
  const match = matchConfirm(question, response)
  if (match === 'answered' || match === 'declined') return response
  throw new TypeError(`No answer to the question: ${match}.`)
}

/**
 * What a response is to a question:
 *
 * - `answered`, `declined`: its answer; `declined` is `approved: false`
 * - `other-question`: it belongs to another step or session
 * - `no-such-option`: it takes an option the question does not have, or none, with `select`
 * - `no-value`: it enters nothing, with `input`
 */
export type ConfirmMatch = 'answered' | 'declined' | 'other-question' | 'no-such-option' | 'no-value'

/** Says what a response is to a question. */
export function matchConfirm(question: AgentUserConfirmEvent, response: UserResponseEvent): ConfirmMatch {
  const { step_id, session_id, content } = response
  if (step_id !== question.step_id || session_id !== question.session_id) return 'other-question'
  if (!content.approved) return 'declined'
  const { confirmation_type, options = [] } = question.content
  if (confirmation_type === 'select' && !options.some(({ id }) => id === content.selected_id)) {
    return 'no-such-option'
  }
  if (confirmation_type === 'input' && content.value === undefined && content.data === undefined) {
    return 'no-value'
  }
  return 'answered'
}
