/** Reading the state of a ledger: what is open, what was answered, what is to stop. */

import { boundedGet, boundedValues } from '../../core/bounded-map/bounded-map.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { CommandLedgerState } from './ledger.ts'
import { requestKey } from './ledger-step.ts'
import type { LedgerState, RequestRecord } from './state.ts'
import type { Answer } from './types.ts'

/** A request that waits for an answer. */
export interface OpenRequest {
  readonly type: 'input' | 'auth'
  readonly contextId: string
  /** The task that asks. */
  readonly taskId: string
  /** The `inputId` or `authId`. */
  readonly id: string
  /** Human-readable question. */
  readonly prompt: string
  /** Whether only the user may answer. */
  readonly requireUser: boolean
  /** The kind of answer requested. Only of inputs. */
  readonly inputType?: string
  /** The tool call that the request is about, and its digest. Omitted if there is none. */
  readonly call?: {
    readonly toolCallId: string
    readonly toolName: string
    /** The arguments as JSON text. */
    readonly arguments: string
    readonly digest: string
  }
  /** When the request expires: RFC 3339 in UTC. Omitted if it does not. */
  readonly expiresAt?: string
}

/** The requests that wait for an answer, oldest first. */
export function openRequests(state: CommandLedgerState): OpenRequest[] {
  const { open, requests } = asLedger(state)
  return open.flatMap((key) => {
    const request = boundedGet(requests, key)
    return request?.status === 'open' ? [shown(request)] : []
  })
}

function shown({ type, contextId, taskId, id, prompt, requireUser, ...rest }: RequestRecord): OpenRequest {
  const { inputType, call, expiresAt } = rest
  return {
    ...{ type, contextId, taskId, id, prompt, requireUser },
    ...(inputType !== undefined && { inputType }),
    ...(call !== undefined && { call: { ...call } }),
    ...(expiresAt !== null && { expiresAt: instant(expiresAt) }),
  }
}

/** Names a request. */
export interface RequestName {
  /** The `inputId` of a request for input, or else the `authId`. */
  readonly inputId?: string
  /** The `authId` of a request for authentication. */
  readonly authId?: string
  /** The conversation. Omitted: the only one of the stream. */
  readonly contextId?: string
}

/** Where a request stands: `open`, `answered`, or `closed` without an answer. */
export type RequestStatus =
  | { readonly status: 'open' | 'closed' | 'unknown' }
  | { readonly status: 'answered'; readonly answer: Answer }

/**
 * Where a request stands, with its answer if the ledger has accepted one. For an agent that waits for an answer, also in
 * another process than the one that received it.
 */
export function answerTo(state: CommandLedgerState, name: RequestName): RequestStatus {
  const { requests, contextId: only, hasSeveralContexts } = asLedger(state)
  const contextId = name.contextId ?? (hasSeveralContexts ? undefined : only)
  const [type, id] =
    name.inputId === undefined ? (['auth', name.authId] as const) : (['input', name.inputId] as const)
  if (contextId === undefined || contextId === null || id === undefined) return { status: 'unknown' }
  const request = boundedGet(requests, requestKey(type, contextId, id))
  if (request === undefined) return { status: 'unknown' }
  if (request.status === 'answered' && request.answer !== undefined) {
    return { status: 'answered', answer: structuredClone(request.answer) }
  }
  return { status: request.status === 'open' ? 'open' : 'closed' }
}

/** When the next request expires, in milliseconds since 1970: the time to give the ledger the time. `undefined`: none. */
export function nextExpiry(state: CommandLedgerState): number | undefined {
  const { open, requests } = asLedger(state)
  const times = open.flatMap((key) => {
    const request = boundedGet(requests, key)
    return request?.status === 'open' && request.expiresAt !== null ? [request.expiresAt] : []
  })
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b))
}

/** The tasks that are to stop or have ended: whoever runs them has to. */
export function stoppedTasks(
  state: CommandLedgerState,
): { contextId: string; taskId: string; reason?: string }[] {
  return [...boundedValues(asLedger(state).tasks)].flatMap(({ contextId, taskId, isCanceled, reason }) =>
    isCanceled ? [{ contextId, taskId, ...(reason !== undefined && { reason }) }] : [],
  )
}

/** Whether a task is to stop. */
export function isCanceled(state: CommandLedgerState, task: { contextId: string; taskId: string }): boolean {
  return boundedGet(asLedger(state).tasks, contextKey(task.contextId, task.taskId))?.isCanceled === true
}

function asLedger(state: CommandLedgerState): LedgerState {
  return state as unknown as LedgerState
}

/** An expiry may be beyond what dates can hold. */
function instant(milliseconds: number): string {
  return new Date(Math.min(milliseconds, 253_402_300_799_999)).toISOString()
}
