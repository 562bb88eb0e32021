/** Approvals of a session, asked of the editor. */

import { createCommand } from '../../commands/create.ts'
import type { Sender } from '../../commands/index.ts'
import type { OpenRequest } from '../../commands/ledger/read.ts'
import { commandsFromAcpPermission, toAcpPermission } from '../../commands/wires/acp.ts'
import type { Diagnostic } from '../../core/machine.ts'
import type { Stream } from '../../server/stream.ts'
import type { Fields } from '../../validation/predicates.ts'
import { AcpError, type Connection } from '../connection.ts'
import { acpCallId } from '../to/to-acp.ts'
import type { AskedName } from './turn-writer.ts'

interface Asking {
  readonly connection: Connection
  readonly sender: Sender
  readonly onError: (error: unknown) => unknown
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
}

/** The permissions that an editor was asked for. Each is asked for once, and withdrawn when somebody else has answered. */
export class Permissions {
  readonly #asking: Asking
  readonly #open = new Map<string, AbortController>()

  constructor(asking: Asking) {
    this.#asking = asking
  }

  async ask(sessionId: string, stream: Stream, name: AskedName): Promise<void> {
    const key = keyOf(name)
    if (this.#open.has(key)) return
    const controller = new AbortController()
    this.#open.set(key, controller)
    try {
      const requests = await stream.requests()
      const request = requests.find(
        ({ type, id, taskId }) => type === 'input' && id === name.id && taskId === name.taskId,
      )
      if (request !== undefined) await this.#askAbout(sessionId, stream, request, controller.signal)
    } catch (error) {
      this.#asking.onError(error)
    } finally {
      this.#open.delete(key)
    }
  }

  withdraw(name: AskedName): void {
    this.#open.get(keyOf(name))?.abort()
  }

  async #askAbout(
    sessionId: string,
    stream: Stream,
    request: OpenRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const { connection, sender, onDiagnostic } = this.#asking
    const { toolCall, options } = toAcpPermission(request)
    const toolCallId = acpCallId(request.taskId, toolCall.toolCallId)
    const params = { sessionId, toolCall: { ...toolCall, toolCallId }, options }
    let response: Fields | undefined
    try {
      response = await connection.request('session/request_permission', params, signal)
    } catch (error) {
      // Without an editor, or an answer of it, the request stays open: another client may answer.
      if (!(error instanceof AcpError)) return
      this.#asking.onError(error)
    }
    const { commands, diagnostics } = commandsFromAcpPermission(response, { request, options })
    for (const diagnostic of diagnostics) onDiagnostic(diagnostic)
    for (const command of commands.length > 0 ? commands : [declined(request)])
      await stream.submit(command, sender)
  }
}

/** An answer that cannot be read allows nothing. */
function declined({ contextId, taskId, id: inputId }: OpenRequest): object {
  const responses = [{ inputId, taskId, outcome: 'declined' as const }]
  return createCommand({ kind: 'input.respond', contextId, responses })
}

function keyOf({ taskId, id }: AskedName): string {
  return JSON.stringify([taskId, id])
}
