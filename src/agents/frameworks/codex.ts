/** OpenAI Codex. */

import { apiOf } from '../../core/apis.ts'
import type { Source } from '../../core/source.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ErrorInfo } from '../../events/error.ts'
import { cleanObject } from '../../json/sanitize.ts'
import { openaiResponses } from '../../providers/openai-responses/openai-responses.ts'
import {
  countOf,
  type Fields,
  fieldsOf,
  firstText,
  objectsOf,
  textOf,
  without,
} from '../../providers/shared/fields.ts'
import { FrameworkRun } from './framework-run.ts'
import {
  type FrameworkDrafts,
  type FrameworkOptions,
  readFramework,
  requireFramework,
} from './read-framework.ts'
import { Recent } from './run-memory.ts'
import { usageOf } from './run-usage.ts'

/** What an item is beside its arguments: its result. */
const results = new Set(
  'id type status aggregated_output exit_code result error text message summary'.split(' '),
)

/**
 * Reads a run of Codex: the events of `codex exec --json`, as lines or parsed, or those that `thread.runStreamed(…)` of the
 * SDK yields. A message is a text, reasoning a thought; commands, changes of files, searches and calls of MCP servers are
 * tools that Codex runs, the list of things to do is an artifact. The task ends with the source, as the last turn did; a turn
 * without an end is cut off, and the task has failed.
 *
 * Diagnostics: `dropped:<event>`: an event or item without an equivalent, once for each type; `provider-warning`: an item of the type
 * `error`, after which Codex continues, such as that it does not know the model; `provider-error`: other errors; `unknown-type`
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
export function fromCodex(source: Source<unknown>, options: FrameworkOptions = {}): FrameworkDrafts {
  requireFramework(source, options)
  const run = new FrameworkRun(openaiResponses, options)
  /** How the last turn ended; it decides. `open`: not yet. */
  let outcome: 'open' | 'completed' | ErrorInfo = 'open'
  /** The texts and thoughts that were read. */
  const known = new Recent()
  /** The arguments of the calls that have no result: those of a search are known at its end only. */
  const started = new Map<string, Fields>()
  /** How many items of a type have no id: each ends before the next one begins. */
  const unnamed = new Map<string, number>()

  function idOf({ id, type }: Fields, isDone: boolean): string {
    if (textOf(id) !== '') return run.newIdOf(textOf(id))
    const of = textOf(type)
    const count = unnamed.get(of) ?? 0
    if (isDone) unnamed.set(of, count + 1)
    return run.newIdOf(`${of}-${count}`)
  }

  function isNew(id: string): boolean {
    const isKnown = known.has(id)
    known.add(id)
    if (isKnown) run.dropped('repeated-item')
    return !isKnown
  }

  function readItem(type: string, item: Fields): EventDraft[] {
    const of = textOf(item.type)
    const isDone = type === 'item.completed'
    const id = idOf(item, isDone)
    const content = textOf(item.text)
    if (of === 'agent_message' || of === 'assistant_message') {
      if (!isDone || !isNew(id)) return []
      const complete: EventDraft = { kind: 'content-complete', contentId: id, content }
      return [{ kind: 'content-delta', contentId: id, delta: content }, complete]
    }
    if (of === 'reasoning') {
      if (!isDone || content === '' || !isNew(id)) return []
      const thought = { thoughtType: 'reasoning', verbosity: 'normal', content, thoughtId: id } as const
      return [{ kind: 'thought-stream', ...thought }]
    }
    if (of === 'todo_list') {
      const data = cleanObject({ items: objectsOf(item.items) })
      return [{ kind: 'data-write', artifactId: id, name: 'plan', data }]
    }
    if (of === 'error') {
      // Codex continues: an error that ends its turn is stated by the turn.
      const message = 'Codex reported a warning.'
      run.report({ code: 'provider-warning', message, detail: { message: item.message } })
      return []
    }
    if (!/_(execution|change|call|search)$/.test(of)) {
      if (isDone) run.dropped(of)
      return []
    }
    const name = of === 'mcp_tool_call' ? firstText(item.tool, of) : of
    const args = cleanObject(without(item, results)) as Record<string, unknown>
    const drafts = run.start(id, name, args)
    if (!isDone) {
      if (drafts.length > 0) started.set(id, args)
      return drafts
    }
    const before = started.get(id)
    started.delete(id)
    const added = before === undefined ? {} : without(args, new Set(sameKeys(before, args)))
    const { aggregated_output, exit_code, result, error, summary } = item
    const exit = countOf(exit_code) ?? 0
    const isError = item.status === 'failed' || item.status === 'declined' || exit > 0
    const value =
      of === 'command_execution'
        ? { ...added, output: aggregated_output, exitCode: exit_code }
        : (result ?? summary ?? (Object.keys(added).length > 0 ? added : null))
    const stated = firstText(fieldsOf(error).message, error, aggregated_output)
    const reason = exit > 0 ? `Exit code ${exit}${stated && `: ${stated}`}` : stated
    return [...drafts, ...run.result(id, name, isError ? 'failed' : 'succeeded', isError ? reason : value)]
  }

  function readUsage(usage: Fields): void {
    const counts = usageOf({
      input: usage.input_tokens,
      output: usage.output_tokens,
      reasoning: usage.reasoning_output_tokens,
      cached: usage.cached_input_tokens,
      written: usage.cache_write_input_tokens,
    })
    if (Object.keys(counts).length > 0) run.usage = [...run.usage, counts]
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
      if (type === 'turn.started') {
        run.renewIds()
        outcome = 'open'
      } else if (type === 'turn.completed') {
        outcome = 'completed'
        readUsage(fieldsOf(event.usage))
      } else if (type === 'turn.failed' || type === 'error') {
        const stated = textOf(fieldsOf(event.error).message) || textOf(event.message)
        const failure = run.failure('Codex reported an error.', { message: stated })
        // Codex reports errors that it tries again after, too.
        if (type === 'turn.failed') outcome = failure
      } else if (type !== 'thread.started') run.dropped(type)
      return []
    },
    // The SDK throws what the program exits with after a turn that failed.
    mayEnd: () => outcome !== 'open',
    run,
    breakOff: () => run.close(),
    end() {
      if (outcome === 'open') return run.cutOff('Codex')
      return run.end(outcome === 'completed' ? undefined : outcome)
    },
  })
}

/** The names of members that are the same in both. */
function sameKeys(before: Fields, after: Fields): string[] {
  return Object.keys(after).filter((name) => JSON.stringify(before[name]) === JSON.stringify(after[name]))
}
