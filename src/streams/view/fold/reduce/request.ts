/** Folding input and authentication requests. */

import { describeValue } from '../../../../core/require.ts'
import { unstamp } from '../../../../emitter/stamp.ts'
import type { EventKind } from '../../../../events/event.ts'
import type { Metadata } from '../../../../events/metadata.ts'
import { commonAudience, type LabeledEvent, labelOf, withoutLabel } from '../../audience-label.ts'
import type { AuthPart, InputPart } from '../../parts.ts'
import type { Reducers, ViewBuilder } from '../view-builder.ts'
import { askAboutCall, closeApproval } from './tool-approval.ts'

type RequestKind = Extract<EventKind, `${'input' | 'auth'}-${string}`>

export const requestReducers: Reducers<RequestKind> = {
  'input-required'(builder, event) {
    const { kind, timestamp: at, inputId, metadata, ...request } = unstamp(event)
    if (isRepeated(builder, 'input', kind, inputId)) return
    builder.task.parts.push({
      type: 'input',
      at,
      status: 'open',
      ...audienceField(undefined, event),
      inputId,
      request: { ...request, ...metadataField(metadata) },
    })
    askAboutCall(builder, event)
  },

  'input-received'(builder, event) {
    const { outcome = 'answered', providedBy, userId, agentId, metadata } = event
    answerInput(builder, event, (part) => ({
      ...part,
      status: outcome,
      answer: {
        providedBy,
        ...(userId === undefined ? {} : { userId }),
        ...(agentId === undefined ? {} : { agentId }),
        ...metadataField(metadata),
      },
    }))
  },

  'input-canceled'(builder, event) {
    const { reason } = event
    answerInput(builder, event, (part) => ({ ...part, status: 'canceled', reason }))
  },

  'auth-required'(builder, event) {
    const { kind, timestamp: at, authId, metadata, ...request } = unstamp(event)
    if (isRepeated(builder, 'auth', kind, authId)) return
    builder.task.parts.push({
      type: 'auth',
      at,
      status: 'open',
      ...audienceField(undefined, event),
      authId,
      request: { ...request, ...metadataField(metadata) },
    })
  },

  'auth-completed'(builder, event) {
    const { userId, metadata } = event
    answerAuth(builder, event, (part) => ({
      ...part,
      status: 'completed',
      userId,
      ...metadataField(metadata),
    }))
  },

  'auth-failed'(builder, event) {
    const { reason, message } = event
    answerAuth(builder, event, (part) => ({
      ...part,
      status: 'failed',
      reason,
      ...(message === undefined ? {} : { message }),
    }))
  },
}

/** Whether a request is already known, which is reported. */
function isRepeated(builder: ViewBuilder, type: 'input' | 'auth', kind: string, id: string): boolean {
  if (builder.task.part(type, id) === undefined) return false
  builder.diagnostic('repeated', `Duplicate ${kind} for ${type}Id ${describeValue(id)}.`, { id })
  return true
}

type Answer = LabeledEvent & { readonly timestamp: string }

/** Changes the open input request of an answer, or a new one. Reports an answer to a closed one. */
function answerInput(
  builder: ViewBuilder,
  event: Answer & { readonly inputId: string },
  answer: (part: InputPart) => InputPart,
): void {
  const { inputId, timestamp: at } = event
  const { parts } = builder.task
  const position = parts.find('input', inputId)
  const part: InputPart = parts.at('input', position) ?? { type: 'input', at, status: 'open', inputId }
  if (part.status !== 'open') {
    reportClosed(builder, 'inputId', inputId, part.status)
    return
  }
  const answered = answer({ ...part, ...audienceField(part, event) })
  parts.put(position, answered)
  closeApproval(builder, answered)
}

/** Changes the open authentication request of an answer; see {@link answerInput}. */
function answerAuth(
  builder: ViewBuilder,
  event: Answer & { readonly authId: string },
  answer: (part: AuthPart) => AuthPart,
): void {
  const { authId, timestamp: at } = event
  const { parts } = builder.task
  const position = parts.find('auth', authId)
  const part: AuthPart = parts.at('auth', position) ?? { type: 'auth', at, status: 'open', authId }
  if (part.status === 'open') parts.put(position, answer({ ...part, ...audienceField(part, event) }))
  else reportClosed(builder, 'authId', authId, part.status)
}

function reportClosed(builder: ViewBuilder, field: string, id: string, status: string): void {
  builder.diagnostic('repeated', `${field} ${describeValue(id)} is no longer open: ${status}.`, { id })
}

function audienceField(
  part: Pick<InputPart, 'audience'> | undefined,
  event: LabeledEvent,
): Pick<InputPart, 'audience'> {
  const audience = commonAudience(part?.audience, labelOf(event))
  return audience === undefined ? {} : { audience }
}

function metadataField<T extends Metadata>(metadata: T | undefined): { readonly metadata?: T } {
  const rest = withoutLabel(metadata)
  return rest === undefined ? {} : { metadata: rest }
}
