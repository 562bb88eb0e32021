/** The agents of a run of Claude: that of the task, and its subagents, which are subtasks. */

import { createEmitter, type Emitter } from '../../emitter/emitter.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { type Fields, fieldsOf, textOf } from '../../providers/shared/fields.ts'
import { ClaudeRun } from './claude-messages.ts'
import type { FrameworkOptions } from './read-framework.ts'
import { Recent } from './run-memory.ts'

/** A draft of the task, or an event of a subtask. */
export type Out = EventDraft | ContextAnyEvent

/** An agent that runs. */
export interface ClaudeAgent {
  readonly taskId: string
  readonly run: ClaudeRun
  /** Completes the events of a subtask. Omitted: it is the task itself. */
  readonly emitter?: Emitter
}

/** A subagent that runs. */
interface Subtask extends ClaudeAgent {
  readonly caller: ClaudeAgent
}

const beginning: readonly EventDraft[] = [
  { kind: 'task-created', initiator: 'agent' },
  { kind: 'task-status', status: 'working' },
]

export class ClaudeAgents {
  readonly main: ClaudeAgent
  readonly #options: FrameworkOptions
  readonly #starts: boolean
  readonly #subtasks = new Map<string, Subtask>()
  /** The calls without a result that have started: what they ask for, and who calls. */
  readonly #calls = new Map<string, { readonly prompt: string; readonly caller: ClaudeAgent }>()
  /** The subagents that have ended. */
  readonly #ended = new Recent()

  /** @param starts - As `ClaudeRun` takes it. */
  constructor(options: FrameworkOptions, starts: boolean) {
    this.#options = options
    this.#starts = starts
    this.main = { taskId: options.task?.taskId ?? '', run: new ClaudeRun(options, starts) }
  }

  /** Those that run. */
  get all(): readonly ClaudeAgent[] {
    return [this.main, ...this.#subtasks.values()]
  }

  /** The agent whose call has no result. */
  callerOf(id: string): ClaudeAgent | undefined {
    return this.all.find(({ run }) => run.run.callOf(id) !== undefined)
  }

  /** Starts a call that waits, of whichever agent. */
  start(id: string, toolName = '', args: Record<string, unknown> = {}): Out[] {
    const caller = this.callerOf(id)
    if (caller === undefined && toolName === '') return []
    const agent = caller ?? this.main
    return this.#noted(agent, agent.run.run.start(id, toolName, args))
  }

  read(message: Fields): Out[] {
    const { parent_tool_use_id: parent, subtype, tool_use_id: call, status } = message
    if (textOf(parent) !== '') return this.#readSubagent(this.#idOf(textOf(parent)), message)
    if (subtype === 'task_notification') return this.#end(this.#idOf(textOf(call)), textOf(status))
    return this.#readBy(this.main, message)
  }

  /** Ends the subtasks that are open. */
  endSubtasks(status = ''): Out[] {
    return [...this.#subtasks.keys()].flatMap((parent) => this.#end(parent, status))
  }

  #readSubagent(parent: string, message: Fields): Out[] {
    const { task } = this.#options
    if (task === undefined || this.#ended.has(parent)) {
      this.main.run.run.dropped('subagent')
      return []
    }
    const known = this.#subtasks.get(parent)
    if (known !== undefined) return this.#readBy(known, message)
    const started = this.start(parent)
    const { prompt = '', caller = this.main } = this.#calls.get(parent) ?? {}
    const taskId = `${task.taskId}-${parent}`
    const emitter = createEmitter({ contextId: task.contextId, taskId, parentTaskId: caller.taskId })
    const run = new ClaudeRun({ ...this.#options, task: { ...task, taskId } }, this.#starts)
    const begun: Subtask = { taskId, run, emitter, caller }
    this.#subtasks.set(parent, begun)
    const created = emitted(caller, [{ kind: 'subtask-created', subtaskId: taskId, prompt }])
    return [...started, ...created, ...emitted(begun, beginning), ...this.#readBy(begun, message)]
  }

  /** The call with an id of Claude. */
  #idOf(given: string): string {
    return (this.callerOf(given) ?? this.main).run.run.idOf(given)
  }

  /** What an agent does. A subagent ends with the call that started it, unless that has left it in the background. */
  #readBy(agent: ClaudeAgent, message: Fields): Out[] {
    const drafts = agent.run.read(message)
    const noted = this.#noted(agent, drafts)
    const over = drafts.flatMap((draft) => {
      if (draft.kind !== 'tool-complete') return []
      const isLeft = draft.success && fieldsOf(draft.result).isAsync === true
      return isLeft ? [] : this.#end(draft.toolCallId, draft.success ? '' : 'failed')
    })
    return [...over, ...noted]
  }

  #noted(caller: ClaudeAgent, drafts: readonly EventDraft[]): Out[] {
    for (const draft of drafts) {
      if (draft.kind !== 'tool-start') continue
      this.#calls.set(draft.toolCallId, { prompt: textOf(fieldsOf(draft.arguments).prompt), caller })
    }
    return emitted(caller, drafts)
  }

  /** Ends a subtask, and before it those that it has started. Its tokens are among those of the task. */
  #end(parent: string, status: string): Out[] {
    this.#calls.delete(parent)
    const known = this.#subtasks.get(parent)
    if (known === undefined) return []
    this.#subtasks.delete(parent)
    this.#ended.add(parent)
    const own = [...this.#subtasks].filter(([, { caller }]) => caller === known)
    const { run } = known
    const rest = emitted(known, [...run.stop(), ...run.run.close(), ...endOf(status)])
    return [...own.flatMap(([id]) => this.#end(id, status)), ...rest]
  }
}

export function emitted({ emitter }: ClaudeAgent, drafts: readonly EventDraft[]): Out[] {
  return emitter === undefined ? [...drafts] : drafts.map((draft) => emitter.emit(draft) as ContextAnyEvent)
}

/** How a subtask ends. */
function endOf(status: string): readonly EventDraft[] {
  if (status === 'stopped') return [{ kind: 'task-status', status: 'canceled' }]
  if (status !== 'failed') return [{ kind: 'task-complete' }, { kind: 'task-status', status: 'completed' }]
  const error = { code: 'provider_error', message: 'The subagent failed.', retry: 'terminal' } as const
  return [{ kind: 'task-status', status: 'failed', error }]
}
