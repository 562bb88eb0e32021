/** Permissions that Claude asks for while it runs: `canUseTool` of its SDK, answered by the user of the task. */

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
  /** Whether a response is streamed: what it calls is not known yet. */
  readonly isStreaming: boolean
  /** Ends the response that is read. */
  stop(): readonly Out[]
  /** A call that was approved. */
  start(toolCallId: string, toolName: string, args: Record<string, unknown>): readonly Out[]
  /** Notes that a call was not approved. */
  refuse(toolCallId: string): void
}

export class Permissions {
  readonly #asked: Asked[] = []
  #wake: () => void = () => {}
  #hasEnded = false

  readonly canUseTool: CanUseTool = (toolName, input, { toolUseID: toolCallId }) =>
    new Promise((answer) => {
      if (this.#hasEnded) return answer(stopped)
      this.#asked.push({ toolCallId, toolName, input, answer })
      this.#wake()
    })

  /** Yields what is read of the run; while Claude waits, what asks for its permissions. */
  async *follow<Out, End>(
    drafts: AsyncGenerator<Out, End, undefined>,
    approve: NonNullable<FrameworkTask['approve']>,
    run: AskingRun<Out>,
  ): AsyncGenerator<Out | EventDraft, End, undefined> {
    try {
      for (;;) {
        const next = drafts.next()
        let result: IteratorResult<Out, End> | undefined
        while (result === undefined) {
          result = await Promise.race([next, this.#arrival()])
          // What has come before is read first.
          result ??= await Promise.race([next, pause(0).then(() => undefined)])
          if (result !== undefined) break
          if (run.isStreaming) result = await next
          else yield* this.#ask(approve, run)
        }
        if (result.done === true) return result.value
        yield result.value
      }
    } finally {
      this.#hasEnded = true
      for (const { answer } of this.#asked.splice(0)) answer(stopped)
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

  async *#ask<Out>(
    approve: NonNullable<FrameworkTask['approve']>,
    run: AskingRun<Out>,
  ): AsyncGenerator<Out | EventDraft, void, undefined> {
    const asked = this.#asked.splice(0)
    try {
      yield* run.stop()
      const calls = asked.map(({ toolCallId, toolName, input }) => {
        return { toolCallId, toolName, arguments: jsonTextOf(input) || '{}' }
      })
      const approvals: readonly Approval[] = yield* approve(calls, { always: true })
      for (const [i, { toolCallId, toolName, input, answer }] of asked.entries()) {
        const approval = approvals[i]
        if (approval?.status === 'approved') {
          yield* run.start(toolCallId, toolName, input)
          answer({ behavior: 'allow', updatedInput: input })
        } else {
          run.refuse(toolCallId)
          answer({ behavior: 'deny', message: approval?.reason ?? 'The user declined the call.' })
        }
      }
    } finally {
      for (const { answer } of asked) answer(stopped)
    }
  }
}

const stopped: Permission = { behavior: 'deny', message: 'The run was stopped.', interrupt: true }
