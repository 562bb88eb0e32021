/** Folding input and authentication requests. */

import { describeValue } from '../../core/require.ts'
import { unstamp } from '../../emitter/stamp.ts'
import type { EventKind } from '../../events/event.ts'
import type { AuthPart, InputPart } from './parts.ts'
import type { Reducers, ViewBuilder } from './view-builder.ts'

type RequestKind = Extract<EventKind, `${'input' | 'auth'}-${string}`>

export const requestReducers: Reducers<RequestKind> = {
  'input-required'(builder, event) {
    const { kind, timestamp: at, inputId, ...request } = unstamp(event)
    if (builder.part('input', inputId) !== undefined) {
      const message = `Duplicate ${kind} for inputId ${describeValue(inputId)}.`
      builder.diagnostic('repeated', message, { id: inputId })
      return
    }
    builder.setPart(inputId, { type: 'input', at, inputId, status: 'open', request })
    builder.setOpen('inputs', inputId, true)
  },

  'input-received'(builder, event) {
    const { inputId, outcome = 'answered', providedBy, userId, agentId, metadata } = event
    const part = openInput(builder, inputId, event.timestamp)
    if (part === undefined) return
    const answer = {
      providedBy,
      ...(userId === undefined ? {} : { userId }),
      ...(agentId === undefined ? {} : { agentId }),
      ...(metadata === undefined ? {} : { metadata }),
    }
    builder.setPart(inputId, { ...part, status: outcome, answer })
    builder.setOpen('inputs', inputId, false)
  },

  'input-canceled'(builder, { inputId, reason, timestamp }) {
    const part = openInput(builder, inputId, timestamp)
    if (part === undefined) return
    builder.setPart(inputId, { ...part, status: 'canceled', reason })
    builder.setOpen('inputs', inputId, false)
  },

  'auth-required'(builder, event) {
    const { kind, timestamp: at, authId, ...request } = unstamp(event)
    if (builder.part('auth', authId) !== undefined) {
      const message = `Duplicate ${kind} for authId ${describeValue(authId)}.`
      builder.diagnostic('repeated', message, { id: authId })
      return
    }
    builder.setPart(authId, { type: 'auth', at, authId, status: 'open', request })
    builder.setOpen('auths', authId, true)
  },

  'auth-completed'(builder, { authId, userId, timestamp }) {
    const part = openAuth(builder, authId, timestamp)
    if (part === undefined) return
    builder.setPart(authId, { ...part, status: 'completed', userId })
    builder.setOpen('auths', authId, false)
  },

  'auth-failed'(builder, { authId, reason, message, timestamp }) {
    const part = openAuth(builder, authId, timestamp)
    if (part === undefined) return
    const failed: AuthPart = { ...part, status: 'failed', reason }
    builder.setPart(authId, message === undefined ? failed : { ...failed, message })
    builder.setOpen('auths', authId, false)
  },
}

/** The open input request of an answer, or a new one. `undefined` if it is closed, which is reported. */
function openInput(builder: ViewBuilder, inputId: string, at: string): InputPart | undefined {
  const part = builder.part('input', inputId)
  if (part === undefined) return { type: 'input', at, inputId, status: 'open' }
  if (part.status === 'open') return part
  const message = `inputId ${describeValue(inputId)} is no longer open: ${part.status}.`
  builder.diagnostic('repeated', message, { id: inputId })
  return undefined
}

/** The open authentication request of an answer; see {@link openInput}. */
function openAuth(builder: ViewBuilder, authId: string, at: string): AuthPart | undefined {
  const part = builder.part('auth', authId)
  if (part === undefined) return { type: 'auth', at, authId, status: 'open' }
  if (part.status === 'open') return part
  const message = `authId ${describeValue(authId)} is no longer open: ${part.status}.`
  builder.diagnostic('repeated', message, { id: authId })
  return undefined
}
