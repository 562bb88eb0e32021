/** The events of one task, for a snapshot. */

import type { ContextAnyEvent } from '../../../events/event.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import { isSameAudience, type LabeledEvent, labelOf } from '../audience-label.ts'
import type { AuthPart, InputPart, PartView } from '../parts.ts'
import type { TaskView } from '../view.ts'
import { isLater, TaskWriter, type Untimed } from './task-writer.ts'
import { TextSerializer } from './texts.ts'
import { ThoughtSerializer } from './thoughts.ts'
import { ToolSerializer } from './tools.ts'

/** Writes one task: its beginning, its parts in order, and its end. */
export class TaskSerializer {
  readonly writer: TaskWriter
  readonly #texts: TextSerializer
  readonly #thoughts: ThoughtSerializer
  readonly #tools: ToolSerializer
  /** The position of the part before which the status is written; 0 for the beginning. */
  readonly #statusPosition: number
  /** Answers to the requests that the task waits for, which come after its status. */
  readonly #lateAnswers: (() => void)[] = []

  constructor(task: TaskView, events: ContextAnyEvent[], isExact: boolean) {
    this.writer = new TaskWriter(task, events)
    this.#texts = new TextSerializer(this.writer, isExact)
    this.#thoughts = new ThoughtSerializer(this.writer)
    this.#tools = new ToolSerializer(this.writer)
    this.#statusPosition = statusPositionOf(task)
  }

  begin(): void {
    const { task } = this.writer
    const { createdAt, initiator = 'agent', metadata, input } = task
    if (createdAt !== undefined) {
      const all = input === undefined ? metadata : { ...metadata, input }
      const created = { kind: 'task-created', initiator } as const
      this.writer.write(all === undefined ? created : { ...created, metadata: all }, undefined, createdAt)
    }
    if (this.#statusPosition === 0) this.#writeStatus()
  }

  /** Writes the part at a position. Artifacts have serializers of their own. */
  writePart(part: PartView, position: number): void {
    if (position === this.#statusPosition && position > 0) this.#writeStatus()
    this.#write(part, position)
    this.#texts.complete(position)
    this.#tools.complete(position)
  }

  #write(part: PartView, position: number): void {
    const write = this.writer.part(part)
    switch (part.type) {
      case 'text':
        this.#texts.write(part, position)
        return
      case 'thought':
        this.#thoughts.write(part, write)
        return
      case 'tool':
        this.#tools.write(part, position, write)
        return
      case 'input':
        this.#writeRequest(inputEvents(part, this.writer.task), part.status, write)
        return
      case 'auth':
        this.#writeRequest(authEvents(part), part.status, write)
        return
      case 'subtask': {
        const { subtaskId, agentId, prompt } = part
        write({ kind: 'subtask-created', subtaskId, ...(agentId === undefined ? {} : { agentId }), prompt })
        return
      }
      case 'error':
        write({ kind: 'task-error', error: part.error })
        return
      case 'custom': {
        const { name, data, customId, metadata } = part
        write({
          kind: 'custom',
          name,
          data,
          ...(customId === undefined ? {} : { customId }),
          ...(metadata === undefined ? {} : { metadata }),
        })
        return
      }
      case 'artifact':
        return
      default:
        part satisfies never
    }
  }

  /** Writes a request and its answer. A task that waits has its status while a request is open. */
  #writeRequest(
    [request, answer]: readonly [Untimed | undefined, Untimed | undefined],
    status: string,
    write: (event: Untimed) => void,
  ): void {
    if (request !== undefined) write(request)
    if (answer === undefined || status === 'open') return
    if (request !== undefined && this.#isWaiting) this.#lateAnswers.push(() => write(answer))
    else write(answer)
  }

  get #isWaiting(): boolean {
    const { status } = this.writer.task
    return status === 'waiting-input' || status === 'waiting-auth'
  }

  /** Writes what follows the parts, but for the end of the task. */
  finishParts(): void {
    const { parts } = this.writer.task
    if (this.#statusPosition === parts.length && parts.length > 0) this.#writeStatus()
    for (const answer of this.#lateAnswers) answer()
  }

  #writeStatus(): void {
    const { task } = this.writer
    const { status, statusAt = this.writer.after() } = task
    if (status === null || isTerminalStatus(status)) return
    this.writer.write(statusOf(task, status), undefined, statusAt)
  }

  /** Writes the end of the task, if it has ended. */
  end(): void {
    const { task } = this.writer
    const { status, result, usage, message, error, statusMetadata } = task
    const { statusAt = this.writer.after() } = task
    const hasDetails = message !== undefined || error !== undefined || statusMetadata !== undefined
    if (result !== undefined) {
      const { content, artifacts, metadata } = result
      const all = usage === undefined ? metadata : { ...metadata, usage: [...usage] }
      const complete: Untimed = {
        kind: 'task-complete',
        ...(content === undefined ? {} : { content }),
        ...(artifacts === undefined ? {} : { artifacts: [...artifacts] }),
        ...(all === undefined ? {} : { metadata: all }),
      }
      // With details, the time is that of the status, which some readers of the result may not see.
      const isShown = !hasDetails || isShownLike(complete, statusOf(task, 'completed'))
      this.writer.write(complete, undefined, isShown ? statusAt : this.writer.after())
    }
    if (status !== null && isTerminalStatus(status) && (result === undefined || hasDetails)) {
      this.writer.write(statusOf(task, status), undefined, statusAt)
    }
  }
}

/** Whether the labels of two events show the second one to everybody who is shown the first. */
function isShownLike(event: LabeledEvent, other: LabeledEvent): boolean {
  const label = labelOf(event)
  const otherLabel = labelOf(other)
  return otherLabel === undefined || isSameAudience(label, otherLabel)
}

/**
 * The position of the part before which the status of a task comes: that of the first part which began later, or of an
 * error after which only the end of the task may come. 0: it comes with the beginning of the task.
 */
function statusPositionOf({ parts, statusAt }: TaskView): number {
  const isBefore = ({ at }: PartView): boolean => statusAt === undefined || !isLater(at, statusAt)
  const next = parts.findLastIndex(isBefore) + 1
  const fatal = parts.findIndex(
    (part) =>
      part.type === 'error' &&
      (part.error.scope ?? 'task') === 'task' &&
      (part.error.retry === 'exhausted' || part.error.retry === 'terminal'),
  )
  return fatal === -1 ? next : Math.min(fatal, next)
}

function statusOf(
  { message, error, statusMetadata }: TaskView,
  status: NonNullable<TaskView['status']>,
): Untimed {
  return {
    kind: 'task-status',
    status,
    ...(message === undefined ? {} : { message }),
    ...(error === undefined ? {} : { error }),
    ...(statusMetadata === undefined ? {} : { metadata: statusMetadata }),
  }
}

/** The request of an input, if known, and its answer, unless it is the end of the task. */
function inputEvents(part: InputPart, task: TaskView): readonly [Untimed | undefined, Untimed | undefined] {
  const { inputId, request, answer, status, reason = 'withdrawn' } = part
  const required: Untimed | undefined = request && { kind: 'input-required', inputId, ...request }
  if (answer !== undefined) {
    const outcome = status === 'declined' ? ({ outcome: status } as const) : {}
    return [required, { kind: 'input-received', inputId, ...outcome, ...answer }]
  }
  const isEnded = reason === 'task-ended' && isTerminalStatus(task.status) && request !== undefined
  return [required, isEnded ? undefined : { kind: 'input-canceled', inputId, reason }]
}

/** The request of an authentication, if known, and its outcome. */
function authEvents(part: AuthPart): readonly [Untimed | undefined, Untimed | undefined] {
  const { authId, request, status, userId = '', reason = 'failed', message, metadata } = part
  const required: Untimed | undefined = request && { kind: 'auth-required', authId, ...request }
  if (status === 'completed') {
    const details = metadata === undefined ? {} : { metadata }
    return [required, { kind: 'auth-completed', authId, userId, ...details }]
  }
  if (status !== 'failed') return [required, undefined]
  const details = message === undefined ? {} : { message }
  return [required, { kind: 'auth-failed', authId, reason, ...details }]
}
