/** The turns of sessions: what a prompt begins, what a session that is loaded has, and how it is canceled. */

import { createCommand } from '../../commands/create.ts'
import type { Receipt, Sender } from '../../commands/ledger/types.ts'
import type { Diagnostic } from '../../core/machine.ts'
import { describeValue } from '../../core/require.ts'
import { type Conversations, Refusal } from '../../server/handler/conversations.ts'
import { readTask, type TaskEvents } from '../../server/protocol/read-task.ts'
import { upToEnd } from '../../server/protocol/write-task.ts'
import type { Stream } from '../../server/stream.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import type { Connection } from '../connection.ts'
import { INTERNAL_ERROR } from '../to/to-acp.ts'
import type { AcpPromptResponse, AcpUpdate } from '../to/updates.ts'
import type { AcpMode } from './modes.ts'
import { Permissions } from './permissions.ts'
import {
  INVALID_REQUEST,
  isTaken,
  NOT_FOUND,
  promptCommands,
  promptText,
  questionIn,
  Refused,
  startOf,
} from './prompt.ts'
import { pastOf } from './replay.ts'
import type { Session } from './sessions.ts'
import { questionUpdate, turnWriter } from './turn-writer.ts'

/** What turns need. */
export interface TurnSettings {
  readonly sender: Sender
  readonly conversations: Conversations
  /** Empty: the agent has none. */
  readonly modes: readonly AcpMode[]
  readonly onError: (error: unknown) => unknown
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
}

export class Turns {
  readonly #settings: TurnSettings
  readonly #viewer: Viewer
  readonly #connection: Connection
  readonly #permissions: Permissions
  readonly #over: AbortSignal

  /** @param over - Aborted when the connection ends. */
  constructor(connection: Connection, settings: TurnSettings, over: AbortSignal) {
    this.#settings = settings
    this.#viewer = { audience: settings.sender.role }
    this.#connection = connection
    this.#permissions = new Permissions({ connection, ...settings })
    this.#over = over
  }

  /** Sends what has happened in a conversation unless `isReplayed` is `false`, and follows what still runs. */
  async load(session: Session, stream: Stream, isReplayed: boolean): Promise<void> {
    const { updates, running } = await pastOf(stream.log, this.#viewer)
    for (const update of updates)
      if (this.#isShown(session, update) && isReplayed) await this.#send(session, { update })
    for (const taskId of running) await this.#attach(session, stream, taskId, isReplayed)
  }

  /** Begins a task, or answers what one asks. Resolves when the turn ends. */
  async prompt(session: Session, blocks: unknown): Promise<AcpPromptResponse> {
    const { sessionId } = session.shown
    requireIdle(session)
    const text = promptText(blocks)
    const prompt: NonNullable<Session['prompt']> = { isCanceled: false }
    session.prompt = prompt
    try {
      const stream = await this.open(sessionId, true)
      const waiting = (await stream.requests()).filter(
        ({ type, isExecution }) => type !== 'tool' && !isExecution,
      )
      const question = questionIn(waiting)
      const auth = waiting.filter(({ type }) => type === 'auth')
      if (question === undefined && auth.length > 0) {
        await this.#send(session, { update: questionUpdate(auth.map((request) => request.prompt)) })
        return { stopReason: 'end_turn' }
      }
      const start = startOf(await this.#submit(stream, promptCommands(sessionId, text, question)), question)
      const task = await readTask(stream.log, start, this.#over)
      if (task === undefined) throw new Refused(INVALID_REQUEST, 'The question has been answered before.')
      // A task can be canceled once it has begun.
      const onEvent = (): void => {
        if (!prompt.isCanceled) return
        prompt.isCanceled = false
        this.#stop(sessionId, stream, { taskId: task.taskId }).catch(this.#settings.onError)
      }
      return await this.#follow(session, stream, task, { input: false, onEvent })
    } finally {
      session.prompt = undefined
    }
  }

  /** Cancels the tasks of a session. */
  async cancel(session: Session): Promise<void> {
    if (session.prompt !== undefined) session.prompt.isCanceled = true
    const { sessionId } = session.shown
    const stream = await this.#settings.conversations.open(this.#settings.sender, sessionId, false)
    if (!(stream instanceof Refusal)) await this.#stop(sessionId, stream)
  }

  /** Opens a conversation of the user. */
  async open(sessionId: string, create: boolean): Promise<Stream> {
    const opened = await this.#settings.conversations.open(this.#settings.sender, sessionId, create)
    if (opened instanceof Refusal) throw new Refused(NOT_FOUND, opened.message)
    return opened
  }

  /** Submits the first of some commands that is taken. Returns the receipt of the last. */
  async #submit(stream: Stream, commands: readonly [object, ...object[]]): Promise<Receipt> {
    const { sender, conversations } = this.#settings
    const [command, ...others] = commands
    const refusal = conversations.refusalOf(sender, command)
    if (refusal !== undefined) throw new Refused(INVALID_REQUEST, refusal.message)
    const receipt = await stream.submit(command, sender)
    const [next, ...rest] = others
    return next === undefined || isTaken(receipt) ? receipt : this.#submit(stream, [next, ...rest])
  }

  /** Cancels a task, or all tasks. */
  async #stop(contextId: string, stream: Stream, task: { readonly taskId?: string } = {}): Promise<void> {
    await stream.submit(createCommand({ kind: 'task.cancel', contextId, ...task }), this.#settings.sender)
  }

  /** Follows a task that no prompt of this connection has begun. Resolves when what it has done by now is sent. */
  async #attach(session: Session, stream: Stream, taskId: string, hasPast: boolean): Promise<void> {
    const signal = AbortSignal.any([this.#over, session.removed.signal])
    const task = await readTask(stream.log, { taskId }, signal)
    if (task === undefined || signal.aborted) return
    await new Promise<void>((resolve) => {
      const shown = hasPast ? task : { ...task, skipped: task.past.length }
      this.#follow(session, stream, shown, { input: true, onPast: resolve })
        .catch((error: unknown) => {
          if (!(error instanceof Refused)) this.#settings.onError(error)
        })
        .finally(resolve)
    })
  }

  /**
   * Sends what happens in a task, until it ends or asks a question.
   *
   * @param on.input - Whether the input of the task is sent.
   * @param on.onPast - Called when what has happened by now is sent.
   * @param on.onEvent - Called for each event.
   */
  async #follow(
    session: Session,
    stream: Stream,
    task: TaskEvents,
    on: { readonly input: boolean; readonly onPast?: () => void; readonly onEvent?: () => void },
  ): Promise<AcpPromptResponse> {
    const { onDiagnostic } = this.#settings
    const { input, onPast = () => {}, onEvent = () => {} } = on
    const writer = turnWriter(task.taskId, { viewer: this.#viewer, input }, onDiagnostic)
    const followed = { ...task, future: announced(task.future, onPast) }
    const push: typeof writer.push = (event) => {
      onEvent()
      // What is skipped states the mode as well.
      return writer
        .push(event)
        .filter((output) => !('update' in output) || this.#isShown(session, output.update))
    }
    for await (const output of upToEnd(followed, { ...writer, push })) {
      if ('result' in output) return output.result
      if ('error' in output) throw new Refused(output.error.code, output.error.message, output.error.data)
      if ('asked' in output) void this.#permissions.ask(session.shown.sessionId, stream, output.asked)
      else if ('closed' in output) this.#permissions.withdraw(output.closed)
      else await this.#send(session, output)
    }
    throw new Refused(INTERNAL_ERROR, 'The stream has ended.')
  }

  /** Whether the editor can show an update: it knows the modes of the session. Notes the mode that an agent states. */
  #isShown(session: Session, update: AcpUpdate): boolean {
    const { modes, onDiagnostic } = this.#settings
    if (update.sessionUpdate !== 'current_mode_update' || modes.length === 0) return true
    const mode = modes.find(({ id }) => id === update.currentModeId)
    session.modeId = mode?.id ?? session.modeId
    if (mode !== undefined) return true
    const message = `Expected one of the modes of the agent, got ${describeValue(update.currentModeId)}.`
    onDiagnostic({ code: 'dropped:current_mode_update', message })
    return false
  }

  async #send({ shown: { sessionId } }: Session, { update }: { readonly update: object }): Promise<void> {
    this.#connection.notify('session/update', { sessionId, update })
    await this.#connection.room()
  }
}

/** A session is not loaded while its prompt runs: the editor would have twice what is sent from then on. */
export function requireIdle(session: Session | undefined): void {
  if (session?.prompt !== undefined) throw new Refused(INVALID_REQUEST, 'A prompt of the session runs.')
}

/** The same, with a call before the first is asked for. */
async function* announced<T, End>(
  items: AsyncGenerator<T, End, undefined>,
  onFirst: () => void,
): AsyncGenerator<T, End, undefined> {
  onFirst()
  return yield* items
}
