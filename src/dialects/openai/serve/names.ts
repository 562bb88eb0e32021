/** The names of a request: those of its conversation and its command. */

import { derivedId, type ReadCommands } from '../../../commands/wires/command-reader.ts'
import { randomId } from '../../../core/random-id.ts'
import type { ProtocolRequest } from '../../../server/handler/options.ts'
import type { CompletionNames } from '../commands/chat-completion.ts'

/** The names of a request, and the commands that it was read as. */
export interface RequestNames extends CompletionNames {
  read?: ReadCommands
}

/** The names of the latest requests, by what they are recognized by. */
export type Recent = Map<string, RequestNames>

const MAX_RECENT = 1000

/**
 * New names, unless the client sends a request again: with the same `Idempotency-Key`, or as the SDKs do after a failure, which count
 * their attempts.
 */
export function namesOf(
  { request: { headers }, body, sender }: ProtocolRequest,
  conversation: string | undefined,
  recent: Recent,
): RequestNames {
  const { role, id } = sender
  const key = headers.get('idempotency-key')
  const stated = key === null ? undefined : derivedId('completion', [role, id, conversation ?? null, key])
  if (stated !== undefined)
    return (
      recent.get(stated) ?? kept(recent, stated, { contextId: conversation ?? stated, commandId: stated })
    )
  const content = derivedId(JSON.stringify([role, id, conversation ?? null]), body)
  const isAgain = Number(headers.get('x-stainless-retry-count') ?? 0) > 0
  const known = content !== undefined && isAgain ? recent.get(content) : undefined
  if (known !== undefined) return known
  const commandId = `completion:${randomId()}`
  const names = { contextId: conversation ?? commandId, commandId }
  return content === undefined ? names : kept(recent, content, names)
}

/** Keeps names, and forgets the oldest of too many. */
function kept(recent: Recent, key: string, names: RequestNames): RequestNames {
  recent.delete(key)
  recent.set(key, names)
  const [oldest] = recent.keys()
  if (recent.size > MAX_RECENT && oldest !== undefined) recent.delete(oldest)
  return names
}
