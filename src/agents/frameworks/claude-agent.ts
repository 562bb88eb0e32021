/** Claude Agent SDK and Claude Code. */

import { apiOf } from '../../core/apis.ts'
import type { Source } from '../../core/source.ts'
import { createEmitter, type Emitter } from '../../emitter/emitter.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ContextAnyEvent, TaskName } from '../../events/event.ts'
import { type Fields, fieldsOf, textOf } from '../../providers/shared/fields.ts'
import { ClaudeRun, types } from './claude-messages.ts'
import { type FrameworkOptions, readFramework, requireFramework } from './framework-run.ts'

type Out = EventDraft | ContextAnyEvent

/** A subagent that runs. */
interface Subtask {
  readonly taskId: string
  readonly run: ClaudeRun
  readonly emitter: Emitter
}

/**
 * Reads a run of Claude: the messages that `query(…)` of the Claude Agent SDK yields, with `includePartialMessages` or without,
 * or the lines of `claude -p --output-format stream-json --verbose`. A subagent is a subtask, whose id is that of the task and
 * of the call that started it; pass `task`.
 *
 * Diagnostics: those of `anthropicMessages`; `dropped:subagent`: a subagent, as `task` was omitted; `dropped:<type>`: a
 * message without an equivalent, once for each type; `unknown-type` and `ended-early`, see {@link FrameworkOptions}.
 *
 * @throws TypeError for an invalid source or option.
 *
 * @example
 * ```ts
 * const agent: Agent = async function* (task) {
 *   yield* fromClaudeAgent(query({ prompt: task.input, options: { includePartialMessages: true } }), { task })
 * }
 * ```
 */
export function fromClaudeAgent(
  source: Source<unknown>,
  options: FrameworkOptions = {},
): AsyncGenerator<EventDraft | ContextAnyEvent> {
  requireFramework(source, options)
  const { task } = options
  const main = new ClaudeRun(options)
  const subtasks = new Map<string, Subtask>()
  /** What each call of a subagent asks for. */
  const prompts = new Map<string, string>()
  let hasEnded = false

  function ofSubagent(parent: string, message: Fields): Out[] {
    if (task === undefined) {
      main.run.dropped('subagent')
      return []
    }
    const known = subtasks.get(parent) ?? newSubtask(task, parent)
    const isNew = !subtasks.has(parent)
    subtasks.set(parent, known)
    const begin: EventDraft[] = [
      { kind: 'task-created', initiator: 'agent' },
      { kind: 'task-status', status: 'working' },
    ]
    const drafts = [...(isNew ? begin : []), ...known.run.read(message)]
    const events = drafts.map((draft) => known.emitter.emit(draft) as ContextAnyEvent)
    const prompt = prompts.get(parent) ?? ''
    return isNew ? [{ kind: 'subtask-created', subtaskId: known.taskId, prompt }, ...events] : events
  }

  function newSubtask({ contextId, taskId: parentTaskId }: TaskName, parent: string): Subtask {
    const taskId = `${parentTaskId}-${parent}`
    return {
      taskId,
      run: new ClaudeRun(options),
      emitter: createEmitter({ contextId, taskId, parentTaskId }),
    }
  }

  /** Ends the subtasks whose call has a result. Their tokens are among those of the task. */
  function endSubtasks(isOver: (parent: string) => boolean): Out[] {
    return [...subtasks].flatMap(([parent, { run, emitter }]) => {
      if (!isOver(parent)) return []
      subtasks.delete(parent)
      const end: EventDraft = { kind: 'task-status', status: 'completed' }
      const drafts = [...run.stop(), ...run.run.close(), { kind: 'task-complete' } as const, end]
      return drafts.map((draft) => emitter.emit(draft) as ContextAnyEvent)
    })
  }

  return readFramework<Out>(source, options, {
    name: 'the Claude Agent SDK',
    isOwn(value) {
      const message = fieldsOf(value)
      return types.has(textOf(message.type)) || (message.session_id != null && apiOf(message) === '')
    },
    read(value) {
      const message = fieldsOf(value)
      const parent = textOf(message.parent_tool_use_id)
      if (parent !== '') return ofSubagent(parent, message)
      if (message.type !== 'result') {
        const drafts = main.read(message)
        for (const draft of drafts) {
          if (draft.kind !== 'tool-start') continue
          const { prompt } = fieldsOf(draft.arguments)
          if (textOf(prompt) !== '') prompts.set(draft.toolCallId, textOf(prompt))
        }
        const over = endSubtasks((id) =>
          drafts.some((d) => d.kind === 'tool-complete' && d.toolCallId === id),
        )
        return [...over, ...drafts]
      }
      hasEnded = true
      return [...endSubtasks(() => true), ...main.end(message)]
    },
    end: () => (hasEnded ? [] : [...endSubtasks(() => true), ...main.run.end()]),
  })
}
