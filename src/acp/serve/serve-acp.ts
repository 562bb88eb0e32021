/** Our agents, for editors that speak ACP. */

import type { Sender } from '../../commands/ledger/types.ts'
import type { Diagnostic } from '../../core/machine.ts'
import { onAbort } from '../../core/on-abort.ts'
import {
  optional,
  requireFunction,
  requireObject,
  requireOnly,
  requireSignal,
  requireText,
} from '../../core/require.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { AgentTask } from '../../server/agent-task.ts'
import { Conversations } from '../../server/handler/conversations.ts'
import { handlerSettings } from '../../server/handler/options.ts'
import { requireSender } from '../../server/receipt-in.ts'
import type { Store } from '../../server/store.ts'
import type { AcpStream } from '../connection.ts'
import { Editor } from './editor.ts'
import { type AcpMode, requireModes } from './modes.ts'
import type { AcpSession, AcpSessionFilter, AcpSessionPage } from './sessions.ts'

/** Options of {@link serveAcp}. */
export interface ServeAcpOptions {
  /** Where the conversations are: a session is one of them. */
  readonly store: Store
  /** Who uses the editor: the id of a user, or a sender with another role. Whoever speaks over the connection is this user. */
  readonly user: string | Sender
  /** Called for each prompt: any agent, which may read the session, such as its working directory. */
  readonly agent: (task: AgentTask, session: AcpSession) => AsyncIterable<EventDraft | ContextAnyEvent>
  /**
   * The modes of the agent, such as one that only plans: the editor chooses one, and `session.modeId` is its id. A session begins with
   * the first, and a loaded one with the one that its agent has written last, as the artifact `mode`. Omitted: there is no choice.
   */
  readonly modes?: readonly AcpMode[]
  /** Lists the sessions of the user, which the editor may load: a store lists none. Omitted: the editor is offered no list. */
  readonly listSessions?: (filter: AcpSessionFilter) => AcpSessionPage | PromiseLike<AcpSessionPage>
  /** Aborting it ends the connection. Omitted: the editor ends it. */
  readonly signal?: AbortSignal
  /**
   * Called with what has no equivalent in ACP, see `toAcp`; and `dropped:current_mode_update` if the agent states a mode that is not in
   * `modes`. Omitted: nothing is reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /**
   * Called with what goes wrong: what the agent and its tools throw, and what the store does. Returns the error that the editor receives,
   * if it is an `ErrorInfo`. Must not throw. Omitted: nothing is reported.
   */
  readonly onError?: (error: unknown) => unknown
}

const optionNames: readonly string[] = [
  ...['store', 'user', 'agent', 'modes', 'listSessions', 'signal', 'onDiagnostic', 'onError'],
]

/**
 * Serves an agent to an editor that speaks the Agent Client Protocol, version 1, such as Zed. Resolves when the connection ends.
 *
 * A session is a conversation of the user in the store, under the same name as in `agentHandler`: a page shows it, answers its requests, and
 * the editor loads it again. A prompt is a task; what it asks about calls is asked of the editor as `session/request_permission`, and the
 * answer passes the gate of the store. Who answers first, there or on a page, has answered. Other questions end the turn as text, and
 * the next prompt is the answer. `session/cancel` and `session/close` cancel the tasks of the session.
 *
 * A prompt is text and links to files; images and embedded resources are not offered. The end of the connection cancels no task.
 *
 * @param stream - The connection, such as `ndJsonStream` of `@agentclientprotocol/sdk` over the standard streams of the process.
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin))
 * await serveAcp(stream, { store: memoryStore(), user: 'ann', agent })
 * ```
 */
export async function serveAcp(stream: AcpStream, options: ServeAcpOptions): Promise<void> {
  requireFunction('stream.readable.getReader', stream?.readable?.getReader)
  requireFunction('stream.writable.getWriter', stream?.writable?.getWriter)
  requireOnly('options', options, optionNames)
  const { store, user, agent, modes = [], listSessions, signal } = options
  const { onDiagnostic = () => {}, onError = () => undefined } = options
  if (typeof user === 'string') requireText('user', user)
  else requireObject('user', user)
  const sender: Sender = typeof user === 'string' ? { role: 'user', id: user } : user
  requireSender(sender)
  requireFunction('agent', agent)
  optional(requireModes, 'modes', options.modes)
  optional(requireFunction, 'listSessions', listSessions)
  optional(requireSignal, 'signal', signal)
  requireFunction('onDiagnostic', onDiagnostic)
  const sessionOf = ({ contextId }: AgentTask): AcpSession => {
    const session = editor.sessions.get(contextId)
    if (session === undefined) throw new Error(`The editor has not loaded the session ${contextId}.`)
    return session.shown
  }
  const conversations = new Conversations(
    handlerSettings({ store, user: () => sender, agent: (task) => agent(task, sessionOf(task)), onError }),
  )
  const editor = new Editor(stream, { sender, conversations, modes, listSessions, onDiagnostic, onError })
  const close = (): void => void editor.close()
  if (signal?.aborted === true) close()
  else if (signal !== undefined) void editor.ended.then(onAbort(signal, close))
  await editor.ended
  await editor.close()
}
