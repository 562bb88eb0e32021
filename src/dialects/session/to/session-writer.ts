/** Sends the session events that one core event maps to. */

import { StepBuilder } from '../../../core/step-builder.ts'
import type { AnyEvent, ContextAnyEvent } from '../../../events/event.ts'
import { EXTENSION } from '../wire/carried.ts'
import type { SessionServerEvent } from '../wire/event.ts'
import { idleState, type ToSessionState } from './state.ts'
import { endTemplate, planTemplates, resultTemplates, solveTemplate, type Template } from './templates.ts'

/** Events that may follow only after `solver.start`. */
const AFTER_SOLVER_START = /^(solver\.(progress|completed|cancelled)|agent\.final_answer)$/

/** Collects the session events of one core event. */
export class SessionWriter extends StepBuilder<ToSessionState, SessionServerEvent> {
  /** The core event whose timestamp and context the session events take. */
  source: ContextAnyEvent
  readonly #sessionId: string | undefined

  constructor(state: ToSessionState, source: ContextAnyEvent, sessionId: string | undefined) {
    super(state)
    this.source = source
    this.#sessionId = sessionId
  }

  /** Sends an event. Sends `solver.start` first if the event requires it. */
  send({ event, content, metadata, preserved = {}, step_id }: Template): void {
    if (AFTER_SOLVER_START.test(event)) this.startSolving({ implied: true })
    const { timestamp, contextId, taskId } = this.source
    const hasStep = !/^(aggregate|pipeline)/.test(event)
    this.emit({
      event,
      timestamp,
      session_id: this.#sessionId ?? contextId,
      ...(hasStep && { step_id: step_id ?? taskId }),
      content,
      metadata: { ...metadata, [EXTENSION]: preserved },
    } as SessionServerEvent)
  }

  /** Starts a round for a task. */
  startRound(taskId: string, input: unknown, model: string, preserved: object): void {
    for (const template of planTemplates(taskId, input, model, preserved)) this.send(template)
    // Arguments may be streamed before the event that starts the round.
    const { unstarted } = this.state
    this.update({ ...idleState, unstarted, taskId })
  }

  /** Sends `solver.start`, once per round. */
  startSolving(preserved: object): void {
    if (this.state.isSolving) return
    this.send(solveTemplate(preserved))
    this.update({ isSolving: true })
  }

  /** Ends the round successfully, with the one or two events that completed the task. */
  completeRound(ending: readonly [ContextAnyEvent, ...ContextAnyEvent[]]): void {
    this.source = ending[0]
    const complete = ending.find((event) => event.kind === 'task-complete')
    const answer = complete?.content ?? this.state.text
    const { duration = 0, tokensUsed = 0 } = complete?.metadata ?? {}
    const { taskId } = this.source
    for (const template of resultTemplates(taskId, answer, duration, tokensUsed)) this.send(template)
    this.send(endTemplate('success', '', duration, ending.map(withoutContext)))
    this.endRound()
  }

  /** Returns to the idle state. */
  endRound(): void {
    this.state = { ...idleState, endedTaskId: this.source.taskId }
  }
}

/** An event without the ids of its context, which its session event states. */
export function withoutContext(event: ContextAnyEvent): AnyEvent {
  const { contextId: _contextId, taskId: _taskId, ...fields } = event
  return fields as AnyEvent
}
