/** Claude Agent SDK and Claude Code. */

import { apiOf } from '../../core/apis.ts'
import { requireFunction } from '../../core/require.ts'
import type { Source } from '../../core/source.ts'
import { createEmitter, type Emitter } from '../../emitter/emitter.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { type Fields, fieldsOf, textOf } from '../../providers/shared/fields.ts'
import { ClaudeRun, types } from './claude-messages.ts'
import { type CanUseTool, Permissions } from './claude-permissions.ts'
import {
  type FrameworkDrafts,
  type FrameworkOptions,
  readFramework,
  requireFramework,
  requireFrameworkOptions,
} from './read-framework.ts'
import { Recent } from './run-memory.ts'

type Out = EventDraft | ContextAnyEvent

/** An agent that runs. */
interface Agent {
  readonly taskId: string
  readonly run: ClaudeRun
  /** Completes the events of a subtask. Omitted: it is the task itself. */
  readonly emitter?: Emitter
}

/** A subagent that runs. */
interface Subtask extends Agent {
  readonly caller: Agent
}

const beginning: readonly EventDraft[] = [
  { kind: 'task-created', initiator: 'agent' },
  { kind: 'task-status', status: 'working' },
]

/**
 * Reads a run of Claude: the messages that `query(…)` of the Claude Agent SDK yields, with `includePartialMessages` or without,
 * or the lines of `claude -p --output-format stream-json --verbose`. A subagent is a subtask, whose id is that of the task and
 * of the call that started it; pass `task`. One in the background ends when Claude states that it has, and the task with the messages:
 * each `result` states what the run has used so far.
 *
 * To let the user permit what Claude wants to do, pass a function that gets `canUseTool`: the task asks about each call that Claude asks
 * about, and waits; a subagent asks in its subtask. A call starts when it is permitted, or with its result if it needs no permission.
 *
 * Diagnostics: those of `anthropicMessages`; `dropped:subagent`: a subagent, as `task` was omitted or it has ended; `dropped:<type>`: a
 * message without an equivalent, once for each type; `unknown-type` and `ended-early`, see {@link FrameworkOptions}.
 *
 * @throws TypeError for an invalid source or option.
 *
 * @example
 * ```ts
 * const agent: Agent = async function* (task) {
 *   const prompt = String(task.input)
 *   yield* fromClaudeAgent((canUseTool) => query({ prompt, options: { includePartialMessages: true, canUseTool } }), { task })
 * }
 * ```
 */
export function fromClaudeAgent(
  source: Source<unknown> | ((canUseTool: CanUseTool) => Source<unknown>),
  options: FrameworkOptions = {},
): FrameworkDrafts<Out> {
  const permissions = new Permissions()
  const starts = typeof source !== 'function'
  if (!starts) {
    requireFrameworkOptions(options)
    requireFunction('task.approve', options.task?.approve)
  }
  const messages = starts ? source : source(permissions.canUseTool)
  requireFramework(messages, options)
  const { task } = options
  const main: Agent = { taskId: task?.taskId ?? '', run: new ClaudeRun(options, starts) }
  const subtasks = new Map<string, Subtask>()
  /** The calls without a result that have started: what they ask for, and who calls. */
  const calls = new Map<string, { readonly prompt: string; readonly caller: Agent }>()
  /** The subagents that have ended. */
  const ended = new Recent()

  function ofSubagent(given: string, message: Fields): Out[] {
    const parent = idOf(given)
    if (task === undefined || ended.has(parent)) {
      main.run.run.dropped('subagent')
      return []
    }
    const known = subtasks.get(parent)
    if (known !== undefined) return readBy(known, message)
    const started = start(parent)
    const { prompt = '', caller = main } = calls.get(parent) ?? {}
    const taskId = `${task.taskId}-${parent}`
    const emitter = createEmitter({ contextId: task.contextId, taskId, parentTaskId: caller.taskId })
    const begun: Subtask = {
      taskId,
      run: new ClaudeRun({ ...options, task: { ...task, taskId } }, starts),
      emitter,
      caller,
    }
    subtasks.set(parent, begun)
    return [
      ...started,
      ...emitted(caller, [{ kind: 'subtask-created', subtaskId: taskId, prompt }]),
      ...emitted(begun, beginning),
      ...readBy(begun, message),
    ]
  }

  function agents(): readonly Agent[] {
    return [main, ...subtasks.values()]
  }

  /** The call with an id of Claude. */
  function idOf(given: string): string {
    return (callerOf(given) ?? main).run.run.idOf(given)
  }

  /** The agent whose call has no result. */
  function callerOf(id: string): Agent | undefined {
    return agents().find(({ run }) => run.run.callOf(id) !== undefined)
  }

  /** Starts a call that waits, of whichever agent. */
  function start(id: string, toolName = '', args: Record<string, unknown> = {}): Out[] {
    const caller = callerOf(id)
    if (caller === undefined && toolName === '') return []
    const agent = caller ?? main
    const drafts = agent.run.run.start(id, toolName, args)
    noteCalls(agent, drafts)
    return emitted(agent, drafts)
  }

  function noteCalls(caller: Agent, drafts: readonly EventDraft[]): void {
    for (const draft of drafts) {
      if (draft.kind !== 'tool-start') continue
      calls.set(draft.toolCallId, { prompt: textOf(fieldsOf(draft.arguments).prompt), caller })
    }
  }

  /** What an agent does. A subagent ends with the call that started it, unless that has left it in the background. */
  function readBy(agent: Agent, message: Fields): Out[] {
    const drafts = agent.run.read(message)
    noteCalls(agent, drafts)
    const over: Out[] = []
    for (const draft of drafts) {
      if (draft.kind !== 'tool-complete') continue
      const isLeft = draft.success && fieldsOf(draft.result).isAsync === true
      if (!isLeft) over.push(...endSubtask(draft.toolCallId, draft.success ? '' : 'failed'))
    }
    return [...over, ...emitted(agent, drafts)]
  }

  /** Ends a subtask, and before it those that it has started. Its tokens are among those of the task. */
  function endSubtask(parent: string, status = ''): Out[] {
    calls.delete(parent)
    const known = subtasks.get(parent)
    if (known === undefined) return []
    subtasks.delete(parent)
    ended.add(parent)
    const own = [...subtasks].flatMap(([id, { caller }]) => (caller === known ? endSubtask(id, status) : []))
    const { run } = known
    return [...own, ...emitted(known, [...run.stop(), ...run.run.close(), ...endOf(status)])]
  }

  function endSubtasks(status = ''): Out[] {
    return [...subtasks.keys()].flatMap((parent) => endSubtask(parent, status))
  }

  const drafts = readFramework<Out>(messages, options, {
    name: 'the Claude Agent SDK',
    isOwn(value) {
      const message = fieldsOf(value)
      return types.has(textOf(message.type)) || (message.session_id != null && apiOf(message) === '')
    },
    read(value) {
      const message = fieldsOf(value)
      const parent = textOf(message.parent_tool_use_id)
      if (parent !== '') return ofSubagent(parent, message)
      const { subtype, tool_use_id: call, status } = message
      if (subtype === 'task_notification') return endSubtask(idOf(textOf(call)), textOf(status))
      return readBy(main, message)
    },
    mayEnd: () => main.run.hasResult,
    run: main.run.run,
    breakOff: () => [...endSubtasks('failed'), ...main.run.stop(), ...main.run.run.close()],
    end: () => [...endSubtasks(), ...main.run.end()],
  })
  if (starts || task?.approve === undefined) return drafts
  return permissions.follow(drafts, {
    approve: task.approve,
    stop: () =>
      agents()
        .filter(({ run }) => !run.isStreaming)
        .flatMap((agent) => emitted(agent, agent.run.stop('tool_use'))),
    callerOf(id) {
      const isUnknown = agents().some(({ run }) => run.isStreaming)
      const caller = callerOf(id) ?? (isUnknown ? undefined : main)
      if (caller === undefined) return undefined
      return {
        taskId: caller.taskId,
        idOf: (given) => caller.run.run.idOf(given),
        emit: (draft) => emitted(caller, [draft]),
        start,
        refuse: (toolCallId) => void caller.run.refused.add(toolCallId),
      }
    },
  })
}

function emitted({ emitter }: Agent, drafts: readonly EventDraft[]): Out[] {
  return emitter === undefined ? [...drafts] : drafts.map((draft) => emitter.emit(draft) as ContextAnyEvent)
}

/** How a subtask ends. */
function endOf(status: string): readonly EventDraft[] {
  if (status === 'stopped') return [{ kind: 'task-status', status: 'canceled' }]
  if (status !== 'failed') return [{ kind: 'task-complete' }, { kind: 'task-status', status: 'completed' }]
  const error = { code: 'provider_error', message: 'The subagent failed.', retry: 'terminal' } as const
  return [{ kind: 'task-status', status: 'failed', error }]
}
