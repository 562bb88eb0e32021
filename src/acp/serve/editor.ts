/** An editor that is connected: its requests, and the sessions that it has. */

import { createCommand } from '../../commands/create.ts'
import type { Receipt, Sender } from '../../commands/ledger/types.ts'
import type { Diagnostic } from '../../core/machine.ts'
import { randomId } from '../../core/random-id.ts'
import { type Conversations, Refusal } from '../../server/handler/conversations.ts'
import { readTask, type TaskEvents } from '../../server/protocol/read-task.ts'
import { upToEnd } from '../../server/protocol/write-task.ts'
import type { Stream } from '../../server/stream.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import type { Fields } from '../../validation/predicates.ts'
import { fieldsOf, textIn } from '../../validation/read-fields.ts'
import { AcpError, type AcpStream, Connection, type Incoming } from '../connection.ts'
import type { AcpPromptResponse } from '../to/updates.ts'
import { Permissions } from './permissions.ts'
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
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
import { questionUpdate, turnWriter } from './turn-writer.ts'

/** A session of an editor, as an agent sees it. */
export interface AcpSession {
  /** The id of the session, which is that of the conversation: the `contextId` of its tasks. */
  readonly sessionId: string
  /** The working directory, as an absolute path. */
  readonly cwd: string
  /** The MCP servers that the editor wants the agent to connect to, as it states them. */
  readonly mcpServers: readonly unknown[]
  /** What the editor offers, as it states it: ask before you request it. */
  readonly clientCapabilities: Readonly<Record<string, unknown>>
  /**
   * Sends a request to the editor, such as `fs/read_text_file` or `terminal/create`; `sessionId` is added to the parameters. Rejects
   * with the error of the editor, if the connection ends, or when the signal is aborted.
   */
  request(method: string, params: object, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>>
}

/** What an editor needs. */
export interface EditorSettings {
  readonly sender: Sender
  readonly conversations: Conversations
  readonly onError: (error: unknown) => unknown
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
}

interface Session {
  readonly shown: AcpSession
  /** The prompt that runs, and whether it was canceled: maybe before it has a task. */
  prompt: { isCanceled: boolean } | undefined
  /** Aborted when it is loaded again: its tasks are followed anew. */
  readonly left: AbortController
}

/** More sessions are not kept: the oldest without a prompt is forgotten, and has to be loaded again. */
const MAX_SESSIONS = 1000

export class Editor {
  readonly sessions: Map<string, Session> = new Map()
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>
  readonly #settings: EditorSettings
  readonly #viewer: Viewer
  readonly #connection: Connection
  readonly #permissions: Permissions
  readonly #over = new AbortController()
  #clientCapabilities: Fields = {}

  readonly #requests: Readonly<Record<string, (params: Fields) => object | Promise<object>>> = {
    initialize: (params) => this.#initialize(params),
    'session/new': (params) => this.#create(params),
    'session/load': (params) => this.#load(params, true),
    'session/resume': (params) => this.#load(params, false),
    'session/prompt': (params) => this.#prompt(params),
  }

  constructor(stream: AcpStream, settings: EditorSettings) {
    this.#settings = settings
    this.#viewer = { audience: settings.sender.role }
    const methods = [...Object.keys(this.#requests), 'session/cancel']
    this.ended = new Promise((resolve) => {
      this.#over.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const room = { room: async (): Promise<void> => {} }
    const onEnd = (error: unknown): void => {
      if (error instanceof AcpError) settings.onError(error)
      this.#over.abort()
    }
    this.#connection = new Connection(stream, (incoming) => void this.#handle(incoming), methods, room, onEnd)
    this.#permissions = new Permissions({ connection: this.#connection, ...settings })
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #handle({ method, id, params }: Incoming): Promise<void> {
    try {
      const result =
        method === 'session/cancel' ? await this.#cancel(params) : await this.#requests[method]?.(params)
      if (id !== undefined) this.#connection.respond(id, result ?? {})
    } catch (error) {
      const isRefused = error instanceof Refused
      if (!isRefused) this.#settings.onError(error)
      const refused = isRefused ? error : new Refused(INTERNAL_ERROR, 'The request failed.')
      if (id !== undefined) this.#connection.refuse(id, refused)
    }
  }

  #initialize({ clientCapabilities }: Fields): object {
    this.#clientCapabilities = fieldsOf(clientCapabilities)
    const agentCapabilities = { loadSession: true, sessionCapabilities: { resume: {} } }
    return { protocolVersion: 1, agentCapabilities, authMethods: [] }
  }

  #create(params: Fields): object {
    const sessionId = randomId()
    this.#keep(sessionId, params)
    return { sessionId }
  }

  /** Loads a conversation: what has happened is sent, and what still runs is followed. */
  async #load(params: Fields, isReplayed: boolean): Promise<object> {
    const sessionId = textIn(params, 'sessionId') ?? ''
    const stream = await this.#open(sessionId, false)
    requireIdle(this.sessions.get(sessionId))
    const session = this.#keep(sessionId, params)
    const { updates, running } = await pastOf(stream.log, this.#viewer)
    if (isReplayed) for (const update of updates) await this.#send(session, { update })
    for (const taskId of running) await this.#attach(session, stream, taskId, isReplayed)
    return {}
  }

  #keep(sessionId: string, { cwd, mcpServers }: Fields): Session {
    if (typeof cwd !== 'string' || cwd === '') throw new Refused(INVALID_PARAMS, 'Expected a cwd.')
    const shown: AcpSession = {
      ...{ sessionId, cwd, clientCapabilities: this.#clientCapabilities },
      mcpServers: Array.isArray(mcpServers) ? mcpServers : [],
      request: (method, params, signal) => this.#connection.request(method, { ...params, sessionId }, signal),
    }
    const session = { shown, prompt: undefined, left: new AbortController() }
    this.sessions.get(sessionId)?.left.abort()
    this.sessions.delete(sessionId)
    this.sessions.set(sessionId, session)
    if (this.sessions.size > MAX_SESSIONS)
      for (const [id, { prompt }] of this.sessions) {
        if (prompt !== undefined) continue
        this.sessions.delete(id)
        break
      }
    return session
  }

  async #prompt(params: Fields): Promise<AcpPromptResponse> {
    const session = this.#sessionOf(params)
    const { sessionId } = session.shown
    requireIdle(session)
    const text = promptText(params.prompt)
    const prompt: NonNullable<Session['prompt']> = { isCanceled: false }
    session.prompt = prompt
    try {
      const stream = await this.#open(sessionId, true)
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
      const task = await readTask(stream.log, start, this.#over.signal)
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

  /** Submits the first of some commands that is taken. Returns the receipt of the last. */
  async #submit(stream: Stream, commands: readonly [object, ...object[]]): Promise<Receipt> {
    const { sender, conversations } = this.#settings
    const [command, ...others] = commands
    const refusal = conversations.refusalOf(sender, stream, command)
    if (refusal !== undefined) throw new Refused(INVALID_REQUEST, refusal.message)
    const receipt = await stream.submit(command, sender)
    const [next, ...rest] = others
    return next === undefined || isTaken(receipt) ? receipt : this.#submit(stream, [next, ...rest])
  }

  /** Cancels the tasks of a session. */
  async #cancel(params: Fields): Promise<object> {
    const session = this.#sessionOf(params)
    if (session.prompt !== undefined) session.prompt.isCanceled = true
    const { sessionId } = session.shown
    const stream = await this.#settings.conversations.open(this.#settings.sender, sessionId, false)
    if (!(stream instanceof Refusal)) await this.#stop(sessionId, stream)
    return {}
  }

  /** Cancels a task, or all tasks. */
  async #stop(contextId: string, stream: Stream, task: { readonly taskId?: string } = {}): Promise<void> {
    await stream.submit(createCommand({ kind: 'task.cancel', contextId, ...task }), this.#settings.sender)
  }

  /** Follows a task that no prompt of this connection has begun. Resolves when what it has done by now is sent. */
  async #attach(session: Session, stream: Stream, taskId: string, hasPast: boolean): Promise<void> {
    const signal = AbortSignal.any([this.#over.signal, session.left.signal])
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
      return writer.push(event)
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

  async #send({ shown: { sessionId } }: Session, { update }: { readonly update: object }): Promise<void> {
    this.#connection.notify('session/update', { sessionId, update })
    await this.#connection.room()
  }

  #sessionOf({ sessionId }: Fields): Session {
    const session = this.sessions.get(String(sessionId))
    if (session === undefined) throw new Refused(NOT_FOUND, 'There is no such session.')
    return session
  }

  async #open(sessionId: string, create: boolean): Promise<Stream> {
    const opened = await this.#settings.conversations.open(this.#settings.sender, sessionId, create)
    if (opened instanceof Refusal) throw new Refused(NOT_FOUND, opened.message)
    return opened
  }
}

/** A session is not loaded while its prompt runs: the editor would have twice what is sent from then on. */
function requireIdle(session: Session | undefined): void {
  if (session?.prompt !== undefined) throw new Refused(INVALID_REQUEST, 'A prompt of the session runs.')
}

/** The same, with a call before the first is asked for. */
async function* announced<T>(
  items: AsyncGenerator<T, void, undefined>,
  onFirst: () => void,
): AsyncGenerator<T, void, undefined> {
  onFirst()
  yield* items
}
