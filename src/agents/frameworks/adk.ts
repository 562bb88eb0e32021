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
import { type FrameworkOptions, FrameworkRun, readFramework, requireFramework } from './framework-run.ts'
import { SideBySide } from './side-by-side.ts'

/** Members of events, one of which each has. */
const own = ['author', 'invocationId', 'invocation_id', 'errorCode', 'error_code']

/**
 * Reads a run of the Google ADK: the events that `runner.runAsync(…)` yields, or the JSON of those of Python, such as that of
 * `/run_sse`. Events with `partial` are streamed; the whole event after them adds what they lack. A tool whose confirmation
 * is requested is an `input-required`, and the task waits. A run that ends within a response has failed.
 *
 * Diagnostics: those of `geminiContent`; `unknown-type` and `ended-early`, see {@link FrameworkOptions}.
 *
 * @throws TypeError for an invalid source or option.
 *
 * @example
 * ```ts
 * const agent: Agent = async function* ({ taskId, input }) {
 *   yield* fromAdk(runner.runAsync({ userId, sessionId: taskId, newMessage: { role: 'user', parts: [{ text: input }] } }))
 * }
 * ```
 */
export function fromAdk(source: Source<unknown>, options: FrameworkOptions = {}): AsyncGenerator<EventDraft> {
  requireFramework(source, options)
  const run = new FrameworkRun(geminiContent, options)
  /** What was streamed of the response: its text and its thoughts. */
  let streamed = { text: '', thought: '' }
  let error: Fields | undefined

  /** The parts of a whole event that the ones before had not. */
  function rest(parts: readonly Fields[]): Fields[] {
    const left = { ...streamed }
    return parts.flatMap((part) => {
      const { text, thought } = part
      if (typeof text !== 'string') return [part]
      const of = thought === true ? 'thought' : 'text'
      const known = left[of]
      const isKnown = known !== '' && (known.startsWith(text) || text.startsWith(known))
      left[of] = known.slice(text.length)
      return isKnown
        ? text.length > known.length
          ? [{ ...part, text: text.slice(known.length) }]
          : []
        : [part]
    })
  }

  function readModel(event: Fields, parts: readonly Fields[]): EventDraft[] {
    const isPartial = event.partial === true
    const { content, finishReason, usageMetadata, modelVersion = 'unknown', groundingMetadata } = event
    const given = isPartial ? parts : rest(parts)
    for (const { text, thought } of isPartial ? parts : []) {
      streamed[thought === true ? 'thought' : 'text'] += textOf(text)
    }
    const candidate = {
      index: 0,
      content: { ...fieldsOf(content), parts: given },
      finishReason,
      groundingMetadata,
    }
    const drafts = run.push({
      candidates: [candidate],
      modelVersion,
      ...(usageMetadata != null && { usageMetadata }),
    })
    if (isPartial) return drafts
    streamed = { text: '', thought: '' }
    // A whole event ends a response, also if it does not state why.
    return [
      ...drafts,
      ...(finishReason == null ? run.push({ candidates: [{ index: 0, finishReason: 'STOP' }] }) : []),
      ...run.endResponse(),
    ]
  }

  function readEvent(event: Fields): EventDraft[] {
    const parts = objectsOf(fieldsOf(event.content).parts).map(camel)
    if (textOf(event.errorCode) !== '') error = event
    const results = parts.filter((part) => part.functionResponse != null)
    const others = parts.filter((part) => part.functionResponse == null)
    const isModel = event.author !== 'user' && (others.length > 0 || event.finishReason != null)
    const drafts = isModel ? readModel(event, others) : []
    for (const { functionResponse } of results) {
      const { id, name, response } = fieldsOf(functionResponse)
      const { isError, value } = outcomeOf(response)
      drafts.push(...run.result(textOf(id), textOf(name), isError, value))
    }
    for (const [id, asked] of Object.entries(
      fieldsOf(camel(fieldsOf(event.actions)).requestedToolConfirmations),
    )) {
      const prompt = firstText(fieldsOf(asked).hint) || 'May the agent call the tool?'
      drafts.push(...run.ask({ inputId: `confirmation-${id}`, inputType: 'confirmation', prompt }))
    }
    return drafts
  }

  // Agents of a `ParallelAgent` have a branch each.
  const branches = new SideBySide(readEvent, () => run.isReading)
  return readFramework(source, options, {
    name: 'Google ADK',
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
      const message = 'The agent reported an error.'
      run.report({
        code: 'provider-error',
        message,
        detail: { code: error.errorCode, message: error.errorMessage },
      })
      return [...rest, ...run.end({ code: 'provider_error', message, retry: 'terminal' })]
    },
  })
}

/** A tool has failed that states an error. What else it states is part of it. */
function outcomeOf(response: unknown): { isError: boolean; value: unknown } {
  const { error, ...others } = fieldsOf(response)
  const isError = textOf(error) !== '' || isFields(error)
  return { isError, value: isError && Object.keys(others).length === 0 ? error : response }
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
