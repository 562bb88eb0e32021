/** The sessions of an editor. */

import { describeValue } from '../../core/require.ts'
import type { Fields } from '../../validation/predicates.ts'
import { textIn } from '../../validation/read-fields.ts'
import type { AcpMode } from './modes.ts'
import { INVALID_PARAMS, Refused } from './prompt.ts'

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
   * The id of the mode that the session is in now. The editor may change it while a task runs: read it whenever you need it, not
   * once. `undefined` if `serveAcp` was given no modes.
   */
  readonly modeId: string | undefined
  /**
   * Sends a request to the editor, such as `fs/read_text_file` or `terminal/create`; `sessionId` is added to the parameters. Rejects
   * with the error of the editor, if the connection ends, or when the signal is aborted.
   */
  request(method: string, params: object, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>>
}

/** A session that an editor may load. */
export interface AcpSessionInfo {
  readonly sessionId: string
  /** Its working directory, as an absolute path. */
  readonly cwd: string
  readonly title?: string
  /** When something happened in it last, in ISO 8601. */
  readonly updatedAt?: string
}

/** Which sessions an editor lists. */
export interface AcpSessionFilter {
  /** Only those in this directory. Omitted: in any. */
  readonly cwd?: string
  /** The `nextCursor` of the page before. Omitted: the first page. */
  readonly cursor?: string
}

/** A page of sessions. */
export interface AcpSessionPage {
  readonly sessions: readonly AcpSessionInfo[]
  /** Names the next page. Omitted: this is the last. */
  readonly nextCursor?: string
}

export interface Session {
  readonly shown: AcpSession
  /** The prompt that runs, and whether it was canceled: maybe before it has a task. */
  prompt: { isCanceled: boolean } | undefined
  /** `undefined`: the agent has no modes. */
  modeId: string | undefined
  /** Aborted when it is loaded again, or closed: its tasks are not followed any more. */
  readonly removed: AbortController
}

/** More sessions are not kept: the oldest without a prompt is forgotten, and has to be loaded again. */
const MAX_SESSIONS = 1000

export class Sessions {
  readonly #sessions = new Map<string, Session>()
  readonly #modes: readonly AcpMode[]

  /** @param modes - Those of the agent: a session begins with the first. */
  constructor(modes: readonly AcpMode[]) {
    this.#modes = modes
  }

  get(sessionId: unknown): Session | undefined {
    return typeof sessionId === 'string' ? this.#sessions.get(sessionId) : undefined
  }

  /** Keeps a session with the parameters with which it was created or loaded. It replaces one with its id. */
  keep(
    sessionId: string,
    params: Fields,
    other: Pick<AcpSession, 'clientCapabilities' | 'request'>,
  ): Session {
    const { mcpServers } = params
    const cwd = textIn(params, 'cwd')
    // Also one of Windows: the editor may run there.
    if (cwd === undefined || !/^([/\\]|[a-z]:[/\\])/i.test(cwd))
      throw new Refused(INVALID_PARAMS, `Expected a cwd that is an absolute path, got ${describeValue(cwd)}.`)
    const session: Session = {
      shown: {
        ...{ sessionId, cwd, mcpServers: Array.isArray(mcpServers) ? mcpServers : [], ...other },
        get modeId() {
          return session.modeId
        },
      },
      prompt: undefined,
      modeId: this.#modes[0]?.id,
      removed: new AbortController(),
    }
    const known = this.#sessions.get(sessionId)
    if (known !== undefined) this.remove(known)
    this.#sessions.set(sessionId, session)
    if (this.#sessions.size > MAX_SESSIONS) this.#forgetOldest()
    return session
  }

  remove(session: Session): void {
    const { sessionId } = session.shown
    session.removed.abort()
    if (this.#sessions.get(sessionId) === session) this.#sessions.delete(sessionId)
  }

  #forgetOldest(): void {
    for (const session of this.#sessions.values()) {
      if (session.prompt !== undefined) continue
      this.remove(session)
      return
    }
  }
}
