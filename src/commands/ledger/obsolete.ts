/** Events of an agent that come too late, because the ledger was faster. */

import { boundedGet } from '../../core/bounded-map/bounded-map.ts'
import type { Diagnostic } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { contextKey, itemKey } from '../../streams/context-key.ts'
import type { CommandLedgerState } from './ledger.ts'
import { isWaiting, requestIn } from './ledger-step.ts'
import type { LedgerState, RequestRecord } from './state.ts'

/**
 * Why an event is not to be appended any more; `null` if that loses nothing, `undefined` if it is:
 *
 * - the end of a request that is closed
 * - the end of a call whose result the client has sent
 * - a status that waits for requests which were answered before: a request comes before the status that waits for it
 */
export function isObsolete(state: CommandLedgerState, event: ContextAnyEvent): Diagnostic | null | undefined {
  const ledger = state as unknown as LedgerState
  const { kind, contextId, taskId } = event
  const isClosed = (type: RequestRecord['type'], id: string): boolean => {
    const status = requestIn(ledger, type, event, id)?.status
    return status !== undefined && status !== 'open'
  }
  if (kind === 'input-received' || kind === 'input-canceled') {
    if (isClosed('input', event.inputId))
      return dropped(kind, `inputId "${event.inputId}" is no longer open.`)
  } else if (kind === 'auth-completed' || kind === 'auth-failed') {
    if (isClosed('auth', event.authId)) return dropped(kind, `authId "${event.authId}" is no longer open.`)
  } else if (kind === 'tool-complete') {
    if (boundedGet(ledger.calls, itemKey(event, event.toolCallId))?.result !== undefined)
      return dropped(kind, `The client has sent the result of toolCallId "${event.toolCallId}".`)
  } else if (kind === 'task-status' && isWaiting(event)) {
    const type = event.status === 'waiting-input' ? 'input' : 'auth'
    const isOpen = ledger.open.some(
      (each) => each.type === type && each.contextId === contextId && each.taskId === taskId,
    )
    const task = boundedGet(ledger.tasks, contextKey(contextId, taskId))
    if (task?.isAnswered === true && !isOpen) return null
  }
  return undefined
}

/** Kinds that {@link isObsolete} looks at, besides statuses that wait. */
const isEnd = /^(?:input-(?:received|canceled)|auth-(?:completed|failed)|tool-complete)$/

/** Whether an event is one of those that may be obsolete. */
export function mayBeLate(event: ContextAnyEvent): boolean {
  return isEnd.test(event.kind) || (event.kind === 'task-status' && isWaiting(event))
}

function dropped(kind: string, message: string): Diagnostic {
  return { code: `dropped:${kind}`, message, detail: { reason: 'after-end' } }
}
