/** An editor that is connected: its requests, and its sessions. */

import { randomId } from '../../core/random-id.ts'
import { requireArray, requireObject } from '../../core/require.ts'
import type { Fields } from '../../validation/predicates.ts'
import { fieldsOf, textIn } from '../../validation/read-fields.ts'
import { AcpError, type AcpStream, Connection, type Incoming, WITHDRAW } from '../connection.ts'
import { INTERNAL_ERROR } from '../to/to-acp.ts'
import { modesField } from './modes.ts'
import { INVALID_PARAMS, NOT_FOUND, Refused } from './prompt.ts'
import { type AcpSessionFilter, type AcpSessionPage, type Session, Sessions } from './sessions.ts'
import { requireIdle, type TurnSettings, Turns } from './turns.ts'

/** What an editor needs. */
export interface EditorSettings extends TurnSettings {
  /** `undefined`: there is no list. */
  readonly listSessions:
    | ((filter: AcpSessionFilter) => AcpSessionPage | PromiseLike<AcpSessionPage>)
    | undefined
}

export class Editor {
  readonly sessions: Sessions
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>
  readonly #settings: EditorSettings
  readonly #connection: Connection
  readonly #turns: Turns
  readonly #over = new AbortController()
  /** The parameters of the prompts that run, by the ids of their requests. */
  readonly #prompts = new Map<unknown, Fields>()
  #clientCapabilities: Fields = {}

  readonly #requests: Readonly<Record<string, (params: Fields) => unknown>> = {
    initialize: (params) => this.#initialize(params),
    'session/new': (params) => this.#create(params),
    'session/load': (params) => this.#load(params, true),
    'session/resume': (params) => this.#load(params, false),
    'session/prompt': (params) => this.#turns.prompt(this.#sessionOf(params), params.prompt),
    'session/cancel': (params) => this.#turns.cancel(this.#sessionOf(params)),
    [WITHDRAW]: (params) => this.#withdraw(params),
    'session/set_mode': (params) => this.#setMode(params),
    'session/close': (params) => this.#closeSession(params),
    'session/list': (params) => this.#list(params),
  }

  constructor(stream: AcpStream, settings: EditorSettings) {
    this.#settings = settings
    this.sessions = new Sessions(settings.modes)
    const methods = Object.keys(this.#requests).filter(
      (method) => method !== 'session/list' || settings.listSessions !== undefined,
    )
    this.ended = new Promise((resolve) => {
      this.#over.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const room = { room: async (): Promise<void> => {} }
    const onEnd = (error: unknown): void => {
      if (error instanceof AcpError) settings.onError(error)
      this.#over.abort()
    }
    this.#connection = new Connection(stream, (incoming) => void this.#handle(incoming), methods, room, onEnd)
    this.#turns = new Turns(this.#connection, settings, this.#over.signal)
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #handle({ method, id, params }: Incoming): Promise<void> {
    if (method === 'session/prompt' && id !== undefined) this.#prompts.set(id, params)
    try {
      const result = await this.#requests[method]?.(params)
      if (id !== undefined) this.#connection.respond(id, fieldsOf(result))
    } catch (error) {
      const isRefused = error instanceof Refused
      if (!isRefused) this.#settings.onError(error)
      const refused = isRefused ? error : new Refused(INTERNAL_ERROR, 'The request failed.')
      if (id !== undefined) this.#connection.refuse(id, refused)
    } finally {
      this.#prompts.delete(id)
    }
  }

  /** Cancels a prompt that the editor withdraws. Other requests end by themselves. */
  async #withdraw({ requestId }: Fields): Promise<void> {
    const params = this.#prompts.get(requestId)
    if (params !== undefined) await this.#turns.cancel(this.#sessionOf(params))
  }

  #initialize({ clientCapabilities }: Fields): object {
    this.#clientCapabilities = fieldsOf(clientCapabilities)
    const list = this.#settings.listSessions && { list: {} }
    const agentCapabilities = { loadSession: true, sessionCapabilities: { resume: {}, close: {}, ...list } }
    return { protocolVersion: 1, agentCapabilities, authMethods: [] }
  }

  #create(params: Fields): object {
    const sessionId = randomId()
    const { modeId } = this.#keep(sessionId, params)
    return { sessionId, ...modesField(this.#settings.modes, modeId) }
  }

  /** Loads a conversation: what has happened is sent, and what still runs is followed. */
  async #load(params: Fields, isReplayed: boolean): Promise<object> {
    const sessionId = textIn(params, 'sessionId') ?? ''
    const stream = await this.#turns.open(sessionId, false)
    requireIdle(this.sessions.get(sessionId))
    const session = this.#keep(sessionId, params)
    await this.#turns.load(session, stream, isReplayed)
    return modesField(this.#settings.modes, session.modeId)
  }

  #keep(sessionId: string, params: Fields): Session {
    return this.sessions.keep(sessionId, params, {
      clientCapabilities: this.#clientCapabilities,
      request: (method, params, signal) => this.#connection.request(method, { ...params, sessionId }, signal),
    })
  }

  #setMode(params: Fields): object {
    const session = this.#sessionOf(params)
    const mode = this.#settings.modes.find(({ id }) => id === params.modeId)
    if (mode === undefined) throw new Refused(INVALID_PARAMS, 'There is no such mode.')
    session.modeId = mode.id
    return {}
  }

  /** Cancels the tasks of a session, and forgets it. */
  async #closeSession(params: Fields): Promise<object> {
    const session = this.#sessionOf(params)
    await this.#turns.cancel(session)
    this.sessions.remove(session)
    return {}
  }

  async #list(params: Fields): Promise<object> {
    const [cwd, cursor] = [textIn(params, 'cwd'), textIn(params, 'cursor')]
    const filter = { ...(cwd !== undefined && { cwd }), ...(cursor !== undefined && { cursor }) }
    const listed = await this.#settings.listSessions?.(filter)
    requireObject('listSessions()', listed)
    requireArray('listSessions().sessions', listed?.sessions)
    return { ...listed }
  }

  #sessionOf({ sessionId }: Fields): Session {
    const session = this.sessions.get(sessionId)
    if (session === undefined) throw new Refused(NOT_FOUND, 'There is no such session.')
    return session
  }
}
