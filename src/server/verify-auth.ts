/** Verifying what a client claims about an authentication, before the ledger decides about the command. */

import { decodeCommand } from '../commands/decode.ts'
import type { CommandLedgerState, VerifyAuth } from '../commands/ledger/ledger.ts'
import type { LedgerInput, LedgerOutput, Receipt, Sender, VerifiedAuth } from '../commands/ledger/types.ts'
import type { JsonValue } from '../core/json-value.ts'
import type { Machine } from '../core/machine.ts'
import { mismatch } from '../core/require.ts'
import { canonicalJson } from '../json/canonical.ts'
import { isFields } from '../validation/predicates.ts'
import { within } from './deadline.ts'

type Command = Extract<LedgerInput, { type: 'command' }>

/** What verifying needs of a stream. */
export interface VerifyingHost {
  readonly machine: Machine<CommandLedgerState, LedgerInput, LedgerOutput>
  readonly timeoutMs: number
  readonly verifyAuth: VerifyAuth | undefined
  time(): string
  apply(): Promise<{ readonly state: CommandLedgerState }>
}

/** Returns what verifies the claim of a command, outside of the queue of the stream: nothing else waits for it. */
export function claimVerifier({ machine, timeoutMs, verifyAuth, time, apply }: VerifyingHost) {
  /** What is verified now: a code can be exchanged once, and a command may be delivered twice at once. */
  const running = new Map<string, Promise<Verification | undefined>>()
  return async (command: unknown, sender: Sender): Promise<Verification | undefined> => {
    if (verifyAuth === undefined) return undefined
    const verify = async (): Promise<Verification | undefined> => {
      const { state } = await apply()
      const input = { type: 'command', command, sender, at: time() } as const
      return within(timeoutMs, 'verifyAuth', () => verifyClaim(machine, state, input, verifyAuth))
    }
    // The same command, and not another one with its id: that one's claim is its own.
    const key = textOf([sender.role, sender.id, command])
    if (key === undefined) return verify()
    const known = running.get(key)
    if (known !== undefined) return known
    const verifying = verify()
    running.set(key, verifying)
    return verifying.finally(() => running.delete(key))
  }
}

/** A value as text, to compare; `undefined` if it is not JSON. */
function textOf(value: unknown): string | undefined {
  try {
    return canonicalJson(value)
  } catch {
    return undefined
  }
}

/** That a claim is verified, or the receipt for one that is not true. */
export type Verification =
  | { readonly verified: VerifiedAuth; readonly refused?: undefined }
  | { readonly verified?: undefined; readonly refused: Receipt }

/**
 * Verifies the claim of a command, if it would be accepted: that of a stranger, or about a closed request, costs nothing.
 * `undefined` if there is nothing to verify.
 *
 * @throws TypeError if `verifyAuth` resolves to anything else than a decision.
 */
async function verifyClaim(
  machine: Machine<CommandLedgerState, LedgerInput, LedgerOutput>,
  state: CommandLedgerState,
  input: Command,
  verifyAuth: VerifyAuth,
): Promise<Verification | undefined> {
  const decoded = decodeCommand(input.command)
  if (decoded.status !== 'known') return undefined
  const { event: command } = decoded
  if (command.kind !== 'auth.respond' || command.outcome !== 'completed') return undefined
  const { out } = machine.step(state, { ...input, verified: {} })
  if (!out.some((each) => each.type === 'receipt' && each.receipt.status === 'accepted')) return undefined
  const { authId, taskId, commandId, claim = null } = command
  const decision: unknown = await verifyAuth({ authId, claim: claim as JsonValue }, input.sender)
  const { status, reason, credentialRef } = isFields(decision) ? decision : {}
  if (status === 'completed' && (credentialRef === undefined || isText(credentialRef))) {
    return { verified: credentialRef === undefined ? {} : { credentialRef } }
  }
  if (status !== 'failed' || !isText(reason)) {
    throw mismatch(
      'verifyAuth()',
      '{ status: "completed", credentialRef? } or { status: "failed", reason }',
      decision,
    )
  }
  const message = `Expected a true claim about authId "${authId}", got: ${reason}`
  const named = { authId, ...(taskId !== undefined && { taskId }) }
  const issues = [{ code: 'invalid-value', path: '/claim', message }]
  return {
    refused: { commandId, status: 'invalid', results: [{ status: 'invalid', message, ...named, issues }] },
  }
}

/** Whether a command may claim something. */
export function isClaim(command: unknown): boolean {
  return isFields(command) && command.kind === 'auth.respond' && command.outcome === 'completed'
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
