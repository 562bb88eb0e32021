/** Permissions that Claude asks for while it runs: `canUseTool` of its SDK, answered by the user of the task. */

import { Inbox } from '../../core/inbox.ts'
import { pause } from '../../core/timer.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { jsonTextOf } from '../../providers/shared/fields.ts'
import type { Approval } from '../../server/ask-options.ts'
import type { FrameworkTask } from './run-memory.ts'

/** `canUseTool` of the Claude Agent SDK. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: { readonly toolUseID: string },
) => Promise<Permission>

/** What Claude gets. */
export type Permission =
  | { behavior: 'allow'; updatedInput: Record<string, unknown> }
  | { behavior: 'deny'; message: string; interrupt?: boolean }

interface Asked {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: Record<string, unknown>
  readonly answer: (permission: Permission) => void
}

/** What asking needs of the run. */
export interface AskingRun<Out> {
  readonly approve: NonNullable<FrameworkTask['approve']>
  /** Ends the responses that are read, except those that are streamed: what these call is not known yet. */
  stop(): readonly Out[]
  /** Who calls. `undefined`: a response that is streamed may have the call. */
  callerOf(toolCallId: string): Caller<Out> | undefined
}

/** The agent whose call it is: that of the task, or of a subtask. */
export interface Caller<Out> {
  readonly taskId: string
  /** The call with an id of Claude. */
  idOf(given: string): string
  emit(draft: EventDraft): readonly Out[]
  /** A call that was approved. */
  start(toolCallId: string, toolName: string, args: Record<string, unknown>): readonly Out[]
  /** Notes that a call was not approved. */
  refuse(toolCallId: string): void
}

/** A step of what asks about the calls of an agent. */
interface Step<Out> {
  readonly caller: Caller<Out>
  /** The calls, and what was decided about them, once it is. */
  readonly asked: readonly Asked[]
  readonly asking: ReturnType<NonNullable<FrameworkTask['approve']>>
  readonly result?: IteratorResult<EventDraft, readonly Approval[]>
}

export class Permissions {
  #asked: Asked[] = []
  readonly #unanswered = new Set<Asked>()
  #wake: () => void = () => {}
  #hasEnded = false

  readonly canUseTool: CanUseTool = (toolName, input, { toolUseID: toolCallId }) =>
    new Promise((answer) => {
      if (this.#hasEnded) return answer(stopped)
      const asked = { toolCallId, toolName, input, answer }
      this.#asked.push(asked)
      this.#unanswered.add(asked)
      this.#wake()
    })

  /** Yields what is read of the run; while Claude waits, what asks for its permissions. */
  async *follow<Out, End>(
    drafts: AsyncGenerator<Out, End, undefined>,
    run: AskingRun<Out>,
  ): AsyncGenerator<Out, End, undefined> {
    try {
      for (;;) {
        const next = drafts.next()
        let result: IteratorResult<Out, End> | undefined
        while (result === undefined) {
          result = await Promise.race([next, this.#arrival()])
          // What has come before is read first.
          result ??= await Promise.race([next, pause(0).then(() => undefined)])
          if (result !== undefined) break
          yield* run.stop()
          const isAsked = yield* this.#ask(run)
          if (!isAsked) result = await next
        }
        if (result.done === true) return result.value
        yield result.value
      }
    } finally {
      this.#hasEnded = true
      for (const { answer } of this.#unanswered) answer(stopped)
      // It may wait for a source that waits for an answer.
      void drafts.return(undefined as End).catch(() => undefined)
    }
  }

  #arrival(): Promise<undefined> {
    return new Promise((resolve) => {
      this.#wake = () => resolve(undefined)
      if (this.#asked.length > 0) resolve(undefined)
    })
  }

  /** Asks about all calls whose callers are known, each agent in its task, and waits until all are answered; `false` if there is none. */
  async *#ask<Out>(run: AskingRun<Out>): AsyncGenerator<Out, boolean> {
    const inbox = new Inbox<Step<Out> | { readonly error: unknown }>()
    const next = (step: Step<Out>): void =>
      void step.asking.next().then(
        (result) => inbox.push({ ...step, result }),
        (error: unknown) => inbox.push({ error }),
      )
    const byTask = new Map<string, { readonly caller: Caller<Out>; readonly asked: Asked[] }>()
    const given = this.#asked
    this.#asked = []
    for (const each of given) {
      const caller = run.callerOf(each.toolCallId)
      const group = caller && (byTask.get(caller.taskId) ?? { caller, asked: [] })
      if (group === undefined) this.#asked.push(each)
      else byTask.set(group.caller.taskId, { ...group, asked: [...group.asked, each] })
    }
    for (const [taskId, { caller, asked }] of byTask) {
      const calls = asked.map(({ toolCallId, toolName, input }) => {
        return { toolCallId: caller.idOf(toolCallId), toolName, arguments: jsonTextOf(input) || '{}' }
      })
      next({ caller, asked, asking: run.approve(calls, { always: true, taskId }) })
    }
    for (let open = byTask.size; open > 0; ) {
      const step = await inbox.next()
      if ('error' in step) throw step.error
      const { caller, asked, result } = step
      if (result?.done !== true) {
        if (result !== undefined) yield* caller.emit(result.value)
        next(step)
        continue
      }
      open--
      for (const [i, each] of asked.entries()) yield* this.#answer(each, caller, result.value[i])
    }
    return byTask.size > 0
  }

  *#answer<Out>(asked: Asked, caller: Caller<Out>, approval: Approval | undefined): Generator<Out, void> {
    const { toolCallId, toolName, input, answer } = asked
    if (approval?.status === 'approved') {
      yield* caller.start(toolCallId, toolName, input)
      answer({ behavior: 'allow', updatedInput: input })
    } else {
      caller.refuse(toolCallId)
      answer({ behavior: 'deny', message: approval?.reason ?? 'The user declined the call.' })
    }
    this.#unanswered.delete(asked)
  }
}

const stopped: Permission = { behavior: 'deny', message: 'The run was stopped.', interrupt: true }
