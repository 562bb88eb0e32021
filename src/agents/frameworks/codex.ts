/** OpenAI Codex. */

import { apiOf } from '../../core/apis.ts'
import type { Source } from '../../core/source.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { openaiResponses } from '../../providers/openai-responses/openai-responses.ts'
import {
  countOf,
  type Fields,
  fieldsOf,
  firstText,
  sumOf,
  textOf,
  without,
} from '../../providers/shared/fields.ts'
import { type FrameworkOptions, FrameworkRun, readFramework, requireFramework } from './framework-run.ts'

/** What an item is beside its arguments: its result. */
const results = new Set(
  'id type status aggregated_output exit_code result error text message summary'.split(' '),
)

/**
 * Reads a run of Codex: the events of `codex exec --json`, as lines or parsed, or those that `thread.runStreamed(…)` of the
 * SDK yields. A message is a text, reasoning a thought; commands, changes of files, searches and calls of MCP servers are
 * tools that Codex runs, the list of things to do is an artifact.
 *
 * Diagnostics: `dropped:<event>`: an event or item without an equivalent, once for each type; `unknown-type`
 * and `ended-early`, see {@link FrameworkOptions}.
 *
 * @throws TypeError for an invalid source or option.
 *
 * @example
 * ```ts
 * const { events } = await thread.runStreamed(input)
 * yield* fromCodex(events)
 * ```
 */
export function fromCodex(
  source: Source<unknown>,
  options: FrameworkOptions = {},
): AsyncGenerator<EventDraft> {
  requireFramework(source, options)
  const run = new FrameworkRun(openaiResponses, options)
  let turn = 0
  let hasEnded = false
  const idOf = (item: Fields): string => `turn-${turn}-${textOf(item.id)}`

  function readItem(type: string, item: Fields): EventDraft[] {
    const of = textOf(item.type)
    const isDone = type === 'item.completed'
    if (of === 'agent_message' || of === 'assistant_message') {
      const content = textOf(item.text)
      return isDone
        ? [
            { kind: 'content-delta', contentId: idOf(item), delta: content },
            { kind: 'content-complete', contentId: idOf(item), content },
          ]
        : []
    }
    if (of === 'reasoning') {
      const content = textOf(item.text)
      return isDone && content !== ''
        ? [
            {
              kind: 'thought-stream',
              thoughtType: 'reasoning',
              verbosity: 'normal',
              content,
              thoughtId: idOf(item),
            },
          ]
        : []
    }
    if (of === 'todo_list') {
      return [
        { kind: 'data-write', artifactId: idOf(item), name: 'plan', data: { items: item.items as never } },
      ]
    }
    if (of === 'error') {
      run.report({
        code: 'provider-error',
        message: 'Codex reported an error.',
        detail: { message: item.message },
      })
      return []
    }
    if (!/_(execution|change|call|search)$/.test(of)) {
      if (isDone) run.dropped(of)
      return []
    }
    const name = of === 'mcp_tool_call' ? firstText(item.tool, of) : of
    const drafts = run.start(idOf(item), name, without(item, results) as Record<string, unknown>)
    if (!isDone) return drafts
    const isError =
      item.status === 'failed' || item.status === 'declined' || (countOf(item.exit_code) ?? 0) > 0
    const { aggregated_output, exit_code, result, error, summary } = item
    const value =
      of === 'command_execution'
        ? { output: aggregated_output, exitCode: exit_code }
        : (result ?? summary ?? null)
    const failure = firstText(fieldsOf(error).message, error, aggregated_output) || 'The tool failed.'
    return [...drafts, ...run.result(idOf(item), name, isError, isError ? failure : value)]
  }

  function readUsage(usage: Fields): void {
    const { input_tokens: input, output_tokens: output, cached_input_tokens: cached } = usage
    const counts = {
      inputTokens: countOf(input),
      outputTokens: countOf(output),
      cachedInputTokens: countOf(cached),
    }
    const known = Object.entries({ ...counts, totalTokens: sumOf(input, output) }).filter(
      ([, count]) => count !== undefined,
    )
    if (known.length > 0) run.usage = [...run.usage, Object.fromEntries(known)]
  }

  return readFramework(source, options, {
    name: 'Codex',
    isOwn(value) {
      const event = fieldsOf(value)
      return event.type === 'error' || apiOf(event) === 'Codex'
    },
    read(value) {
      const event = fieldsOf(value)
      const type = textOf(event.type)
      if (type.startsWith('item.')) return readItem(type, fieldsOf(event.item))
      if (type === 'turn.started') turn++
      else if (type === 'turn.completed') readUsage(fieldsOf(event.usage))
      else if (type === 'turn.failed' || type === 'error') {
        const message = 'Codex reported an error.'
        const stated = textOf(fieldsOf(event.error).message) || textOf(event.message)
        run.report({ code: 'provider-error', message, detail: { message: stated } })
        if (hasEnded || type === 'error') return []
        hasEnded = true
        return run.end({ code: 'provider_error', message, retry: 'terminal' })
      } else if (type !== 'thread.started') run.dropped(type)
      return []
    },
    end: () => (hasEnded ? [] : run.end()),
  })
}
