/** Folding requests to approve tool calls: what a page shows of them is at the call. */

import type { Mutable } from '../../../../core/mutable.ts'
import type { ContextEvent } from '../../../../events/event.ts'
import type { InputRequiredEvent, ToolCall } from '../../../../events/input.ts'
import { parsedArguments } from '../../../../json/parsed.ts'
import { isFields } from '../../../../validation/predicates.ts'
import { commonAudience, labelOf } from '../../audience-label.ts'
import type { InputPart, ToolApproval, ToolPart } from '../../parts.ts'
import type { ViewBuilder } from '../view-builder.ts'

type Request = Pick<InputRequiredEvent, 'metadata' | 'schema'>

/** The call that a request asks to approve; `undefined` if it asks for something else, such as to run a call. */
export function callToApprove({ metadata }: Request): ToolCall | undefined {
  const { toolCall, provider } = metadata ?? {}
  return provider === 'client' ? undefined : toolCall
}

/** The id of the call that a request asks to approve; `undefined` if it asks for something else. */
export function askedAbout({ request }: InputPart): string | undefined {
  return request && callToApprove(request)?.id
}

/** Whether the answer to a request may have other arguments. */
function isEditable({ schema }: Request): boolean {
  return isFields(schema?.properties) && Object.hasOwn(schema.properties, 'arguments')
}

/** Notes at a call that somebody is asked to approve it. The call is added if it is unknown. */
export function askAboutCall(builder: ViewBuilder, event: ContextEvent<InputRequiredEvent>): void {
  const call = callToApprove(event)
  if (call === undefined) return
  const { inputId, prompt, timestamp: at } = event
  const { parts } = builder.task
  const { id: toolCallId, function: { name: toolName, arguments: text } = { name: '', arguments: '' } } = call
  const position = parts.find('tool', toolCallId)
  const known = parts.at('tool', position)
  const audience = commonAudience(known?.audience, labelOf(event))
  const approval: ToolApproval = { inputId, prompt, editable: isEditable(event), status: 'waiting' }
  const label = audience === undefined ? {} : { audience }
  if (known !== undefined && known.status !== 'writing' && unstartedStatus(known) === undefined) {
    parts.set(position, { ...known, ...label, approval })
    return
  }
  const part: Mutable<ToolPart> = {
    type: 'tool',
    at: known?.at ?? at,
    status: 'waiting',
    ...label,
    toolCallId,
  }
  if (known?.iteration !== undefined) part.iteration = known.iteration
  part.toolName = toolName
  part.approval = approval
  const value = typeof text === 'string' ? parsedArguments(text) : undefined
  if (isFields(value)) {
    part.arguments = value
    part.argumentsComplete = true
  }
  // A snapshot states them as deltas again.
  if (known?.nextIndex !== undefined) {
    part.argumentsText = typeof text === 'string' ? text : (known.argumentsText ?? '')
    part.argumentsComplete ??= false
    part.nextIndex = known.nextIndex
  }
  parts.put(position, part)
}

/** Notes at a call how the request to approve it was closed. */
export function closeApproval(builder: ViewBuilder, request: InputPart): void {
  const { inputId, status, reason } = request
  const id = askedAbout(request)
  if (id === undefined) return
  const { parts } = builder.task
  const position = parts.find('tool', id)
  const part = parts.at('tool', position)
  if (part?.approval?.inputId !== inputId) return
  const outcome =
    status === 'declined'
      ? status
      : status === 'answered'
        ? 'approved'
        : reason === 'expired'
          ? reason
          : 'canceled'
  const isUnstarted = unstartedStatus(part) !== undefined && outcome !== 'approved'
  parts.set(position, {
    ...part,
    ...(isUnstarted && { status: outcome }),
    approval: { ...part.approval, status: outcome },
  })
}

/** The status of a call that was asked about and ends without having started; `undefined` if it was not, or has. */
export function unstartedStatus({
  status,
}: Pick<ToolPart, 'status'>): 'declined' | 'expired' | 'canceled' | undefined {
  if (status === 'waiting') return 'canceled'
  return status === 'declined' || status === 'expired' || status === 'canceled' ? status : undefined
}

/** A call after its task has ended. The part itself if nothing of it was open. */
export function endedCall(part: ToolPart): ToolPart {
  const { status, approval } = part
  const isOpen = status === 'writing' || status === 'running'
  if (approval?.status !== 'waiting') {
    if (isOpen) return { ...part, status: 'ended' }
    return status === 'waiting' ? { ...part, status: 'canceled' } : part
  }
  return {
    ...part,
    status: isOpen ? 'ended' : (unstartedStatus(part) ?? status),
    approval: { ...approval, status: 'canceled' },
  }
}
