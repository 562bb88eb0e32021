/**
 * Calls that a remote agent has announced, until it is known whether they run: it may ask to approve them as its response ends. What
 * is asked about starts once it is approved, and the others with what follows of them.
 */

import type { ContextAnyEvent } from '../../events/event.ts'
import { parsedArguments } from '../../json/parsed.ts'
import { contextKey } from '../../streams/context-key.ts'
import { isFields } from '../../validation/predicates.ts'
import { type Answered, type InputRequired, isClientCall } from './answered.ts'

type ToolStart = Extract<ContextAnyEvent, { kind: 'tool-start' }>

interface Held {
  readonly start: ToolStart
  /** `announced`: nobody was asked. `answered`: the answer does not state whether it may run. */
  readonly status: 'announced' | 'asked' | 'answered' | 'declined'
}

/** More are not held. */
const MAX_HELD = 1024

export class HeldCalls {
  readonly #held = new Map<string, Held>()

  /** The events to yield for one of the agent. */
  take(event: ContextAnyEvent): readonly ContextAnyEvent[] {
    if (event.kind === 'tool-start') {
      if (this.#held.size >= MAX_HELD) return [event]
      this.#held.set(keyOf(event), { start: event, status: 'announced' })
      return []
    }
    if (event.kind === 'input-required') return this.#ask(event)
    if (event.kind === 'iteration-reset') {
      const started = [...this.#held.values()].filter((each) => each.start.taskId === event.taskId)
      return [...started.flatMap((each) => this.#release(each)), event]
    }
    if (event.kind !== 'tool-progress' && event.kind !== 'tool-complete') return [event]
    const held = this.#held.get(keyOf(event))
    if (held === undefined) return [event]
    if (held.status !== 'declined') return [...this.#release(held), event]
    if (event.kind === 'tool-progress') return []
    this.#held.delete(keyOf(event))
    // What a framework returns for a call that was declined: the call has not run.
    const { success, result, ...rest } = event
    if (!success) return [event]
    const error = typeof result === 'string' ? result : 'The call was declined.'
    return [{ ...rest, success: false, error }]
  }

  /** The calls that start now: those whose requests were all approved. */
  decide(answers: readonly Answered[]): readonly ContextAnyEvent[] {
    const decided = new Map<string, Held>()
    for (const { request, reply } of answers) {
      const key = keyOfCall(request)
      const held = key === undefined ? undefined : (decided.get(key) ?? this.#held.get(key))
      if (key === undefined || held === undefined || held.status === 'declined') continue
      if (reply.status !== 'answered' && reply.value === undefined)
        decided.set(key, { ...held, status: 'declined' })
      else if (reply.status !== 'answered' || reply.call === undefined)
        decided.set(key, { ...held, status: 'answered' })
      else if (held.status !== 'answered')
        decided.set(key, { ...held, start: approved(held.start, reply.call) })
    }
    const starts: ContextAnyEvent[] = []
    for (const [key, held] of decided) {
      this.#held.set(key, held)
      if (held.status !== 'asked') continue
      this.#held.delete(key)
      starts.push(held.start)
    }
    return starts
  }

  #ask(event: InputRequired): readonly ContextAnyEvent[] {
    const key = keyOfCall(event)
    const held = key === undefined ? undefined : this.#held.get(key)
    if (key === undefined || held === undefined) return [event]
    // The client runs it.
    if (isClientCall(event)) return [...this.#release(held), event]
    this.#held.set(key, { ...held, status: 'asked' })
    return [event]
  }

  #release({ start, status }: Held): readonly ContextAnyEvent[] {
    this.#held.delete(keyOf(start))
    if (status === 'announced') return [start]
    // The agent runs it where the stream cannot hold it back.
    return [{ ...start, metadata: { ...start.metadata, provider: 'provider' } }]
  }
}

function approved(
  start: ToolStart,
  call: { readonly arguments: string; readonly isEdited: boolean },
): ToolStart {
  const args = call.isEdited ? parsedArguments(call.arguments) : start.arguments
  return isFields(args) ? { ...start, arguments: args } : start
}

function keyOf({ taskId, toolCallId }: { readonly taskId: string; readonly toolCallId: string }): string {
  return contextKey(taskId, toolCallId)
}

function keyOfCall({ taskId, metadata }: InputRequired): string | undefined {
  const id = metadata?.toolCall?.id
  return id === undefined ? undefined : contextKey(taskId, id)
}
