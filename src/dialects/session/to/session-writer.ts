/** Sends the session events that one core event maps to. */

import { boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { EventWriter } from '../../engine/event-writer.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import { EXTENSION } from '../wire/carried.ts'
import { losses } from '../wire/coverage.ts'
import type { SessionServerEvent } from '../wire/event.ts'
import { idleRound, type ToSessionState } from './state.ts'
import {
  connectedTemplate,
  createdTemplate,
  endTemplate,
  planTemplates,
  resultTemplates,
  type Template,
  withoutContext,
} from './templates.ts'

/** Events that may follow only after `solver.start`. */
const AFTER_SOLVER_START = /^solver\.(?!start)|final_answer$/

/** Longer texts are not stored. */
const MAX_TEXT = 16 * 1024 * 1024

/** What all events of a machine have in common. */
export interface WriterOptions {
  readonly sessionId?: string
  readonly connectionId?: string
}

/** Collects the session events of one core event. */
export class SessionWriter extends EventWriter<Mutable<ToSessionState>, SessionServerEvent> {
  /** The core event whose timestamp and context the session events take. */
  source: ContextAnyEvent
  readonly #options: WriterOptions

  constructor(state: ToSessionState, source: ContextAnyEvent, options: WriterOptions) {
    super({ ...state }, losses)
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
    this.state.isConnected = true
    this.state.opened = opened
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
    this.state.chunks = chunks + 1
    this.state.streamed = isStored ? streamed + content : null
  }

  /** Sends an error. Attempts increase within a step: those that begin anew are of another one. */
  sendError(template: Template): void {
    const { attempt } = template.metadata
    if (typeof attempt !== 'number') {
      this.send(template)
      return
    }
    if (attempt <= this.state.attempt) this.state.retries++
    this.state.attempt = attempt
    const { retries } = this.state
    this.send(retries === 0 ? template : { ...template, step_id: `${this.source.taskId}/retry-${retries}` })
  }

  /** Starts a round for a task. */
  startRound(taskId: string, input: unknown, model: string, preserved: object): void {
    for (const template of planTemplates(taskId, input, model, preserved)) this.send(template)
    this.state = { ...this.state, ...idleRound, taskId }
  }

  /** Sends `solver.start`, once per round. */
  startSolving(preserved: object): void {
    if (this.state.isSolving) return
    const metadata = { task_count: 1, total_tasks: 1, estimated_duration_sec: 0 }
    this.send({ event: 'solver.start', content: null, metadata, preserved })
    this.state.isSolving = true
  }

  /** Ends the round successfully, with the one or two events that completed the task. The first is the source. */
  completeRound(...ending: readonly ContextAnyEvent[]): void {
    const complete = ending.find((event) => event.kind === 'task-complete')
    const { chunks, streamed, text } = this.state
    const result = complete?.content ?? text
    // All texts that were sent in parts, unless they are not those that the task states.
    const answer = chunks > 0 && streamed?.endsWith(result) === true ? streamed : result
    const { duration = 0, tokensUsed = 0 } = complete?.metadata ?? {}
    const { taskId } = this.source
    for (const template of resultTemplates(taskId, answer, duration, tokensUsed)) this.send(template)
    this.endRound(endTemplate('success', '', duration), ...ending)
  }

  /** Sends the end of the round, with the events that ended the task. */
  endRound(template: Template, ...ending: readonly ContextAnyEvent[]): void {
    this.send({ ...template, preserved: { ending: ending.map(withoutContext) } })
    const { map: ended } = boundedSet(this.state.ended, this.source.taskId, true, MAX_ITEMS)
    this.state = { ...this.state, ...idleRound, ended }
  }
}
