/** Sends the session events that one core event maps to. */

import { boundedDelete, boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { ContentCompleteEvent, ContentDeltaEvent } from '../../../events/content.ts'
import type { AnyEvent, ContextAnyEvent } from '../../../events/event.ts'
import { EXTENSION } from '../wire/carried.ts'
import type { SessionServerEvent } from '../wire/event.ts'
import { idleRound, type ToSessionState } from './state.ts'
import {
  connectedTemplate,
  createdTemplate,
  endTemplate,
  planTemplates,
  resultTemplates,
  solveTemplate,
  type Template,
} from './templates.ts'

/** Events that may follow only after `solver.start`. */
const AFTER_SOLVER_START = /^(solver\.(progress|completed|cancelled)|agent\.final_answer)$/

/** Longer texts are not stored. */
const MAX_TEXT = 16 * 1024 * 1024

/** More sessions and open texts are not stored: at least this many, at most twice as many. */
const MAX_ITEMS = 1024

/** What all events of a machine have in common. */
export interface WriterOptions {
  readonly sessionId?: string
  readonly connectionId?: string
}

/** Collects the session events of one core event. */
export class SessionWriter extends StepBuilder<ToSessionState, SessionServerEvent> {
  /** The core event whose timestamp and context the session events take. */
  source: ContextAnyEvent
  readonly #options: WriterOptions

  constructor(state: ToSessionState, source: ContextAnyEvent, options: WriterOptions) {
    super(state)
    this.source = source
    this.#options = options
  }

  /** Sends an event. Sends `solver.start` first if the event requires it. */
  send({ event, content, metadata, preserved = {}, step_id }: Template): void {
    if (AFTER_SOLVER_START.test(event)) this.startSolving({ implied: true })
    const { timestamp, contextId, taskId } = this.source
    const session_id = this.#options.sessionId ?? contextId
    this.#open(session_id)
    const hasStep = !/^(aggregate|pipeline)/.test(event)
    this.emit({
      event,
      timestamp,
      session_id,
      ...(hasStep && { step_id: step_id ?? taskId }),
      content,
      metadata: { ...metadata, [EXTENSION]: preserved },
    } as SessionServerEvent)
  }

  /** Opens the connection and the session, unless they are open or the server does it. */
  #open(session_id: string): void {
    const { connectionId: connection_id } = this.#options
    if (connection_id === undefined || boundedGet(this.state.opened, session_id) !== undefined) return
    const { timestamp } = this.source
    if (!this.state.isConnected) this.emit(connectedTemplate(connection_id, timestamp))
    this.emit(createdTemplate(connection_id, session_id, timestamp))
    const { map: opened } = boundedSet(this.state.opened, session_id, true, MAX_ITEMS)
    this.update({ isConnected: true, opened })
  }

  /** Sends a part of the answer. */
  sendPartial(content: string, preserved: object): void {
    const { chunks, streamed } = this.state
    this.send({
      event: 'agent.partial_answer',
      content,
      metadata: { chunk_index: chunks },
      preserved,
    })
    const isStored = streamed !== null && streamed.length + content.length <= MAX_TEXT
    this.update({ chunks: chunks + 1, streamed: isStored ? streamed + content : null })
  }

  /** Sends an error. Attempts increase within a step: those that begin anew are of another one. */
  sendError(template: Template): void {
    const { attempt } = template.metadata
    if (typeof attempt !== 'number') {
      this.send(template)
      return
    }
    const retries = attempt > this.state.attempt ? this.state.retries : this.state.retries + 1
    this.update({ attempt, retries })
    this.send(retries === 0 ? template : { ...template, step_id: `${this.source.taskId}/retry-${retries}` })
  }

  /** Stores that a text is sent as it comes. */
  openText({ contentId = '' }: ContentDeltaEvent): void {
    const { openTexts } = this.state
    if (boundedGet(openTexts, contentId) === undefined) {
      this.update({ openTexts: boundedSet(openTexts, contentId, true, MAX_ITEMS).map })
    }
  }

  /** Stores a complete text. If others were sent in parts, it is a part of the answer as well. */
  completeText({ contentId = '', content }: ContentCompleteEvent): void {
    const { openTexts, chunks } = this.state
    if (boundedGet(openTexts, contentId) !== undefined) {
      this.update({ openTexts: boundedDelete(openTexts, contentId) })
    } else if (chunks > 0 && content !== '') this.sendPartial(content, { implied: true })
    this.update({ text: content })
  }

  /** Starts a round for a task. */
  startRound(taskId: string, input: unknown, model: string, preserved: object): void {
    for (const template of planTemplates(taskId, input, model, preserved)) this.send(template)
    // Arguments may be streamed before the event that starts the round.
    const { unstarted } = this.state
    this.update({ ...idleRound, unstarted, taskId })
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
    const answer = this.#answer(complete?.content)
    const { duration = 0, tokensUsed = 0 } = complete?.metadata ?? {}
    const { taskId } = this.source
    for (const template of resultTemplates(taskId, answer, duration, tokensUsed)) this.send(template)
    this.send(endTemplate('success', '', duration, ending.map(withoutContext)))
    this.endRound()
  }

  /** Returns to the idle state. */
  endRound(): void {
    this.update({ ...idleRound, endedTaskId: this.source.taskId })
  }

  /** The answer: all texts that were sent in parts, unless they are not those that the task states. */
  #answer(result: string = this.state.text): string {
    const { chunks, streamed } = this.state
    return chunks > 0 && streamed?.endsWith(result) === true ? streamed : result
  }
}

/** An event without the ids of its context, which its session event states. */
export function withoutContext(event: ContextAnyEvent): AnyEvent {
  const { contextId: _contextId, taskId: _taskId, ...fields } = event
  return fields as AnyEvent
}
