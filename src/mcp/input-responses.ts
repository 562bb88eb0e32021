/** Answers of the user, as an MCP server gets them. */
import type { Diagnostic } from '../core/machine.ts'
import { requireArray, requireObject } from '../core/require.ts'
import { toPointer } from '../encoding/pointer.ts'
import { isFields, isListOf, isText } from '../validation/predicates.ts'
import { jsonCopy, type McpQuestion, type McpRequest } from './reading.ts'

/** How a request was closed: what `Stream.ask` returns, or what `Stream.answer` resolves to. */
export interface McpAnswer {
  /** Of a `Reply`. */
  readonly status?: 'answered' | 'declined' | 'expired' | 'canceled'
  /** Of an `Answer`. */
  readonly outcome?: 'answered' | 'declined' | 'completed' | 'denied' | 'failed'
  /** The fields of the form: texts, finite numbers, booleans and lists of texts. Omitted or `null`: none. */
  readonly value?: unknown
}

/** The answer to an elicitation: the result of the request `elicitation/create`. */
export type McpElicitResult = {
  /** `cancel`: the user has not decided. */
  action: 'accept' | 'decline' | 'cancel'
  /** The fields of the form. Omitted if the request is not accepted, or has none. */
  content?: Record<string, string | number | boolean | string[]>
}

/** What a server is to get. */
export type McpInputResponses = {
  /**
   * The `params` to add to those of the `tools/call` when it is sent again, with an `id` of its own. With a `taskId`, the `params` of
   * `tasks/update`. Of an `elicitation/create`, its response is in `inputResponses`, under its `id` as a text.
   */
  readonly params: {
    inputResponses?: Record<string, McpElicitResult>
    requestState?: string
    taskId?: string
  }
  /**
   * What is not sent: `dropped:elicitation/create` for a request without an answer, `dropped:answer` for an answer without a request,
   * and `invalid-value` for one that no form can have. The path is that of the request or of the answer.
   */
  readonly diagnostics: readonly Diagnostic[]
}

const actions: Readonly<Record<string, McpElicitResult['action']>> = {
  ...{ answered: 'accept', completed: 'accept' },
  ...{ declined: 'decline', denied: 'decline' },
  ...{ expired: 'cancel', canceled: 'cancel', failed: 'cancel' },
}

/**
 * Converts the answers to a question of {@link fromMcp} to what its server gets back. What was declined is declined; what was closed
 * without an answer, such as by its expiry, is canceled. A request without a `key` gets no response: the call is sent again. Never
 * throws on an answer.
 *
 * @param answers - By the `id` of the request. `undefined` is a request that was closed without an answer.
 * @throws TypeError if `question` has no `requests`, or `answers` is no object.
 *
 * @example
 * ```ts
 * const reply = yield* stream.ask({ ...task, inputId: request.id, prompt: request.prompt })
 * const { params } = toMcpInputResponses(question, { [request.id]: reply })
 * ```
 */
export function toMcpInputResponses(
  question: McpQuestion,
  answers: Readonly<Record<string, McpAnswer | undefined>>,
): McpInputResponses {
  requireObject('question', question)
  requireArray('question.requests', question.requests)
  for (const request of question.requests) requireObject('question.requests', request)
  requireObject('answers', answers)
  const { requests, requestState, taskId } = question
  const diagnostics: Diagnostic[] = []
  const responses: [string, McpElicitResult][] = []
  for (const [i, request] of requests.entries()) {
    const result = Object.hasOwn(answers, request.id)
      ? resultOf(request, answers[request.id])
      : missing(request, `/requests/${i}`)
    if ('code' in result) diagnostics.push(result)
    else if (request.key !== undefined) responses.push([request.key, result])
  }
  const asked = new Set(requests.map(({ id }) => id))
  for (const id of Object.keys(answers).filter((each) => !asked.has(each))) {
    const message = `Expected an answer to the question, got one to "${id}".`
    diagnostics.push({
      code: 'dropped:answer',
      message,
      path: toPointer([id]),
      detail: { reason: 'no-open-question' },
    })
  }
  return {
    params: {
      // Creates an own member even for `__proto__`.
      ...(requests.some(({ key }) => key !== undefined) && { inputResponses: Object.fromEntries(responses) }),
      ...(requestState !== undefined && { requestState }),
      ...(taskId !== undefined && { taskId }),
    },
    diagnostics,
  }
}

function missing({ id }: McpRequest, path: string): Diagnostic {
  const message = `Expected an answer to "${id}", got none.`
  return { code: 'dropped:elicitation/create', message, path, detail: { reason: 'waiting' } }
}

function resultOf({ id, type }: McpRequest, answer: unknown): McpElicitResult | Diagnostic {
  const invalid = (expected: string, field: string): Diagnostic => {
    const path = toPointer([id, ...(field === '' ? [] : [field])])
    return { code: 'invalid-value', message: `Expected ${expected}, got another value.`, path }
  }
  if (answer === undefined) return { action: 'cancel' }
  const copy = jsonCopy(answer)
  if (!isFields(copy)) return invalid('an answer', '')
  const { status, outcome, value } = copy
  const how = status ?? outcome
  const action = typeof how === 'string' && Object.hasOwn(actions, how) ? actions[how] : undefined
  if (action === undefined || (outcome !== undefined && outcome !== how))
    return invalid('one status or outcome', status === undefined ? 'outcome' : 'status')
  if (action !== 'accept' || type === 'auth' || value === undefined || value === null) return { action }
  return isContent(value) ? { action, content: value } : invalid('the fields of a form', 'value')
}

function isContent(value: unknown): value is NonNullable<McpElicitResult['content']> {
  return isFields(value) && Object.values(value).every(isFieldValue)
}

function isFieldValue(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || isListOf(value, isText)
}
