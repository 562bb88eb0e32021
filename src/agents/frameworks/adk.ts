/** Google ADK. */

import type { Source } from '../../core/source.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { geminiContent } from '../../providers/gemini-content/gemini-content.ts'
import { cutOff } from '../../providers/shared/errors.ts'
import {
  type Fields,
  fieldsOf,
  firstText,
  isFields,
  objectsOf,
  textOf,
} from '../../providers/shared/fields.ts'
import { FrameworkRun, type Outcome } from './framework-run.ts'
import {
  type FrameworkDrafts,
  type FrameworkOptions,
  readFramework,
  requireFramework,
} from './read-framework.ts'
import { SideBySide } from './side-by-side.ts'

/** Calls in place of which ADK asks something. */
const questions: ReadonlySet<unknown> = new Set([
  'adk_request_confirmation',
  'adk_request_input',
  'adk_request_credential',
])

/** Members of events, one of which each has. */
const own = ['author', 'invocationId', 'invocation_id', 'errorCode', 'error_code']

/**
 * Reads a run of the Google ADK: the events that `runner.runAsync(…)` yields, or the JSON of those of Python, such as that of
 * `/run_sse`. Events with `partial` are streamed; the whole event after them adds what they lack. A tool starts when its result
 * comes. One whose confirmation is requested is an `input-required`, and the task waits, as it does for the input and the credentials that a tool requests. Pass `task`,
 * and the run after the answers continues it. A run that ends within a response has failed.
 *
 * Diagnostics: those of `geminiContent`; `unknown-type` and `ended-early`, see {@link FrameworkOptions}.
 *
 * @returns The questions that the run waits for: none if it is over. The confirmation of a call is `confirmation-` and the id of the
 * call; `metadata.functionCall` is what the answer is the response to.
 * @throws TypeError for an invalid source or option.
 *
 * @example
 * ```ts
 * const agent: Agent = async function* (task) {
 *   let parts: object[] = [{ text: String(task.input) }]
 *   while (parts.length > 0) {
 *     const run = runner.runAsync({ userId, sessionId: task.taskId, newMessage: { role: 'user', parts } })
 *     const questions = yield* fromAdk(run, { task })
 *     parts = []
 *     for (const { inputId, metadata } of questions) {
 *       const answer = await task.answer({ inputId })
 *       const response = { confirmed: answer?.call !== undefined }
 *       parts.push({ functionResponse: { ...Object(metadata?.functionCall), response } })
 *     }
 *   }
 * }
 * ```
 */
export function fromAdk(source: Source<unknown>, options: FrameworkOptions = {}): FrameworkDrafts {
  requireFramework(source, options)
  const run = new FrameworkRun(geminiContent, options)
  /** What was streamed of the response: its text and its thoughts. */
  let streamed = { text: '', thought: '' }
  let error: Fields | undefined

  /** The parts of a whole event that the ones before had not. */
  function rest(parts: readonly Fields[]): Fields[] {
    const left = { ...streamed }
    return parts.flatMap((part) => {
      const { text } = part
      if (typeof text !== 'string') return [part]
      const known = left[kindOf(part)]
      left[kindOf(part)] = known.slice(text.length)
      if (known === '' || !(known.startsWith(text) || text.startsWith(known))) return [part]
      return text.length > known.length ? [{ ...part, text: text.slice(known.length) }] : []
    })
  }

  function readModel(event: Fields, parts: readonly Fields[]): EventDraft[] {
    const { content, finishReason, usageMetadata, modelVersion = 'unknown', groundingMetadata } = event
    const isPartial = event.partial === true
    const given = { ...fieldsOf(content), parts: isPartial ? parts : rest(parts) }
    const candidate = { index: 0, content: given, finishReason, groundingMetadata }
    const usage = usageMetadata != null && { usageMetadata }
    const drafts = run.push({ candidates: [candidate], modelVersion, ...usage })
    if (isPartial) {
      for (const part of parts) streamed[kindOf(part)] += textOf(part.text)
      return drafts
    }
    streamed = { text: '', thought: '' }
    // A whole event ends a response, also if it does not state why.
    const stop = { candidates: [{ index: 0, finishReason: 'STOP' }] }
    return [...drafts, ...(finishReason == null ? run.push(stop) : []), ...run.endResponse()]
  }

  /** A question in the form of a call. */
  function ask({ id, name, args }: Fields): EventDraft[] {
    const { originalFunctionCall, toolConfirmation, ...more } = camel(fieldsOf(args))
    const metadata = { functionCall: { id: textOf(id), name: textOf(name) } }
    const call = fieldsOf(originalFunctionCall)
    if (name === 'adk_request_confirmation') return confirm(textOf(call.id), toolConfirmation, call, metadata)
    const inputId = textOf(id)
    if (run.hasAsked(inputId)) return []
    const isLogin = name === 'adk_request_credential'
    const prompt =
      firstText(more.message, more.prompt) || `The agent needs ${isLogin ? 'a credential' : 'an input'}.`
    return run.ask({ inputId, inputType: isLogin ? 'custom' : 'clarification', prompt, metadata })
  }

  /** Whether a tool may be called: asked by a call, and with the result of the tool. */
  function confirm(given: string, confirmation: unknown, call: Fields = {}, more: object = {}): EventDraft[] {
    const id = run.idOf(given)
    const inputId = `confirmation-${id}`
    if (run.hasAsked(inputId)) return []
    const { toolName: name, arguments: args } = run.callOf(id) ?? {
      toolName: textOf(call.name),
      arguments: call.args ?? {},
    }
    const { hint } = fieldsOf(confirmation)
    return run.askAbout(inputId, { id, name, arguments: JSON.stringify(args) }, textOf(hint), more)
  }

  function readEvent(event: Fields): EventDraft[] {
    const parts = objectsOf(fieldsOf(event.content).parts).map(camel)
    if (textOf(event.errorCode) !== '') error = event
    const calls = parts.map(({ functionCall }) => fieldsOf(functionCall)).filter(isQuestion)
    const results = parts.map(({ functionResponse }) => fieldsOf(functionResponse)).filter(isResult)
    const others = parts.filter(
      ({ functionCall, functionResponse }) => functionResponse == null && !isQuestion(fieldsOf(functionCall)),
    )
    const isModel = event.author !== 'user' && (others.length > 0 || event.finishReason != null)
    const drafts = isModel ? readModel(event, others) : []
    const confirmations = fieldsOf(camel(fieldsOf(event.actions)).requestedToolConfirmations)
    for (const { id, name, response } of results) {
      // What the tool returns that waits for its confirmation.
      if (Object.hasOwn(confirmations, textOf(id))) continue
      const { outcome, value } = outcomeOf(response)
      drafts.push(...run.result(textOf(id), textOf(name), outcome, value))
    }
    for (const call of calls) drafts.push(...ask(call))
    for (const [id, asked] of Object.entries(confirmations)) drafts.push(...confirm(id, asked))
    return drafts
  }

  // Agents of a `ParallelAgent` have a branch each.
  const branches = new SideBySide(readEvent, () => run.isReading)
  return readFramework(source, options, {
    name: 'Google ADK',
    run,
    breakOff: () => [...branches.end(() => run.endResponse()), ...run.close()],
    isOwn: (value) => own.some((name) => fieldsOf(value)[name] != null),
    read(value) {
      const event = camel(fieldsOf(value))
      return branches.push(textOf(event.branch), event)
    },
    end() {
      const rest = [...branches.end(() => run.endResponse()), ...run.endResponse()]
      // A response that was streamed in part, without the whole event after it.
      const isCut = rest.some((draft) => draft.kind === 'task-error')
      if (error === undefined) return [...rest, ...run.end(isCut ? cutOff : undefined)]
      const detail = { code: error.errorCode, message: error.errorMessage }
      return [...rest, ...run.end(run.failure('The agent reported an error.', detail))]
    },
  })
}

/** What a part with a text is. */
function kindOf({ thought }: Fields): 'text' | 'thought' {
  return thought === true ? 'thought' : 'text'
}

function isQuestion({ name }: Fields): boolean {
  return questions.has(name)
}

/** Whether a response is the result of a tool, and not the answer to a question. */
function isResult(response: Fields): boolean {
  return Object.keys(response).length > 0 && !isQuestion(response)
}

/** A tool has failed that states an error. What else it states is part of it. */
function outcomeOf(response: unknown): { outcome: Outcome; value: unknown } {
  const { error, ...others } = fieldsOf(response)
  if (error === 'This tool call is rejected.') return { outcome: 'refused', value: error }
  const isError = textOf(error) !== '' || isFields(error)
  const value = isError && Object.keys(others).length === 0 ? error : response
  return { outcome: isError ? 'failed' : 'succeeded', value }
}

/** The fields with the names of JavaScript, of those of Python. */
function camel(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
      value,
    ]),
  )
}
