/** The stream of a model as the events of one task. */

import type { Machine } from '../../core/machine.ts'
import { createEmitter } from '../../emitter/emitter.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { RecordedValue } from '../recording/recorded.ts'
import { type CoreOutput, type EventReader, isTime, UNKNOWN_TIME } from './event-reader.ts'

/** More open calls are not stored: one is enough to know that the task has not ended. */
const MAX_OPEN = 1024

/** The context of responses: they state none. */
export const CONTEXT = 'recording'

/** A machine of `turnstream/providers`. */
export type ModelMachine<State> = Machine<State, unknown, EventDraft, never>

/**
 * Reads one response: the task begins with the first value and ends with the last. It fails if the response did; after
 * calls that the application has to answer, it continues.
 */
export function modelReader<State>(machine: ModelMachine<State>, taskId: string): EventReader {
  let state = machine.initial
  let hasBegun = false
  let line = 0
  let at: number | string = UNKNOWN_TIME
  let ids = 0
  let failure: ErrorInfo | undefined
  /** The calls that are not answered. */
  const open = new Set<string>()
  const { emit } = createEmitter({
    contextId: CONTEXT,
    taskId,
    now: () => at,
    newId: () => `${taskId}-thought-${++ids}`,
  })

  function outputs(step: ReturnType<ModelMachine<State>['end']>): CoreOutput[] {
    state = step.state
    const out: CoreOutput[] = []
    for (const diagnostic of step.diagnostics ?? []) out.push({ diagnostic, line })
    for (const draft of step.out) {
      if (draft.kind === 'task-error' && (draft.error.scope ?? 'task') === 'task') failure = draft.error
      if (draft.kind === 'tool-complete') open.delete(draft.toolCallId)
      else if (
        (draft.kind === 'tool-arguments-delta' || draft.kind === 'tool-start') &&
        open.size < MAX_OPEN
      ) {
        open.add(draft.toolCallId)
      }
      out.push(event(draft))
    }
    return out
  }

  function event(draft: EventDraft): CoreOutput {
    const made = emit(draft as EventDraft & { kind: 'custom' }) as ContextAnyEvent
    return { event: made, line, ...(at === UNKNOWN_TIME && { isTimeless: true }) }
  }

  return {
    push(recorded: RecordedValue) {
      line = recorded.line
      if (recorded.at !== undefined && isTime(recorded.at)) at = recorded.at
      const { value, event: type } = recorded
      const begin: CoreOutput[] = []
      if (!hasBegun) {
        hasBegun = true
        begin.push(
          event({ kind: 'task-created', initiator: 'user' }),
          event({ kind: 'task-status', status: 'working' }),
        )
      }
      const input = type === undefined ? value : { value, raw: '', event: type, id: '' }
      return [...begin, ...outputs(machine.step(state, input))]
    },
    end() {
      if (!hasBegun) return []
      const out = outputs(machine.end(state))
      if (failure !== undefined) out.push(event({ kind: 'task-status', status: 'failed', error: failure }))
      else if (open.size === 0) {
        out.push(event({ kind: 'task-status', status: 'completed' }), event({ kind: 'task-complete' }))
      }
      return out
    },
  }
}
