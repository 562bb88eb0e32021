/** The begin of a session: the version, its id, and its mode. */

import { describeValue, listOf } from '../core/require.ts'
import type { Fields } from '../validation/predicates.ts'
import { fieldsOf, objectsIn, textIn } from '../validation/read-fields.ts'
import type { Connection } from './connection.ts'

/** An agent that breaks the protocol. */
export class Violation extends Error {}

/** An agent without the mode that was chosen. */
export class ModeError extends Error {}

/** A longer list of modes is cut in a message. */
const MAX_LISTED = 10

/** Begins a session, and returns its id and what it states of itself. */
export async function startSession(
  connection: Connection,
  { cwd, mode }: { readonly cwd: string; readonly mode: string | undefined },
): Promise<Fields & { readonly sessionId: string }> {
  const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false }
  const { protocolVersion } = await connection.request('initialize', {
    protocolVersion: 1,
    clientCapabilities,
  })
  if (protocolVersion !== 1)
    throw new Violation(`Expected version 1 of ACP, got ${describeValue(protocolVersion)}.`)
  const stated = await connection.request('session/new', { cwd, mcpServers: [] })
  const sessionId = textIn(stated, 'sessionId')
  if (sessionId === undefined)
    throw new Violation(`Expected the id of a session, got ${describeValue(stated.sessionId)}.`)
  const session = { ...stated, sessionId }
  return mode === undefined ? session : { ...session, modes: await chosen(connection, session, mode) }
}

/** Sets the mode of a session, unless it is in it. Returns its modes. */
async function chosen(connection: Connection, { sessionId, modes }: Fields, modeId: string): Promise<Fields> {
  const stated = fieldsOf(modes)
  const ids = objectsIn(stated, 'availableModes').map(({ id }) => id)
  if (!ids.includes(modeId)) {
    const known = ids.length === 0 ? 'none' : listOf(ids.slice(0, MAX_LISTED), 'and')
    throw new ModeError(`Expected an agent with the mode ${describeValue(modeId)}, got one with ${known}.`)
  }
  if (stated.currentModeId !== modeId) await connection.request('session/set_mode', { sessionId, modeId })
  return { ...stated, currentModeId: modeId }
}
