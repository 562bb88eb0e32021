/** Folding questions and requests for access. */

import { unstamp } from '../../emitter/stamp.ts'
import type { EventKind } from '../../events/event.ts'
import type { AuthPart, InputPart } from './parts.ts'
import type { Draft, Folds } from './view-builder.ts'

type RequestKind = Extract<EventKind, `${'input' | 'auth'}-${string}`>

export const requestFolds: Folds<RequestKind> = {
  'input-required'(draft, event) {
    const { kind: _, timestamp: at, inputId, ...request } = unstamp(event)
    if (draft.part('input', inputId) !== undefined) {
      draft.problem('repeated', 'A question that was there before.', { id: inputId })
      return
    }
    draft.setPart(inputId, { type: 'input', at, inputId, status: 'open', request })
    draft.setOpen('inputs', inputId, true)
  },

  'input-received'(draft, event) {
    const { inputId, outcome = 'answered', providedBy, userId, agentId, metadata } = event
    const part = openInput(draft, inputId, event.timestamp)
    if (part === undefined) return
    const answer = {
      providedBy,
      ...(userId === undefined ? {} : { userId }),
      ...(agentId === undefined ? {} : { agentId }),
      ...(metadata === undefined ? {} : { metadata }),
    }
    draft.setPart(inputId, { ...part, status: outcome, answer })
    draft.setOpen('inputs', inputId, false)
  },

  'input-canceled'(draft, { inputId, reason, timestamp }) {
    const part = openInput(draft, inputId, timestamp)
    if (part === undefined) return
    draft.setPart(inputId, { ...part, status: 'canceled', reason })
    draft.setOpen('inputs', inputId, false)
  },

  'auth-required'(draft, event) {
    const { kind: _, timestamp: at, authId, ...request } = unstamp(event)
    if (draft.part('auth', authId) !== undefined) {
      draft.problem('repeated', 'A request that was there before.', { id: authId })
      return
    }
    draft.setPart(authId, { type: 'auth', at, authId, status: 'open', request })
    draft.setOpen('auths', authId, true)
  },

  'auth-completed'(draft, { authId, userId, timestamp }) {
    const part = openAuth(draft, authId, timestamp)
    if (part === undefined) return
    draft.setPart(authId, { ...part, status: 'completed', userId })
    draft.setOpen('auths', authId, false)
  },

  'auth-failed'(draft, { authId, reason, message, timestamp }) {
    const part = openAuth(draft, authId, timestamp)
    if (part === undefined) return
    const failed: AuthPart = { ...part, status: 'failed', reason }
    draft.setPart(authId, message === undefined ? failed : { ...failed, message })
    draft.setOpen('auths', authId, false)
  },
}

/** The question an event answers; `undefined` when it is answered already. */
function openInput(draft: Draft, inputId: string, at: string): InputPart | undefined {
  const part = draft.part('input', inputId)
  if (part === undefined) return { type: 'input', at, inputId, status: 'open' }
  if (part.status === 'open') return part
  draft.problem('repeated', 'The question is no longer open.', { id: inputId })
  return undefined
}

function openAuth(draft: Draft, authId: string, at: string): AuthPart | undefined {
  const part = draft.part('auth', authId)
  if (part === undefined) return { type: 'auth', at, authId, status: 'open' }
  if (part.status === 'open') return part
  draft.problem('repeated', 'The request is no longer open.', { id: authId })
  return undefined
}
