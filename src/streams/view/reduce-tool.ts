/** Folding tool calls. */
import type { Metadata } from '../../events/fields.ts'
import type { ToolProgressEvent } from '../../events/tool.ts'
import type { ToolPart, ToolProgressView } from './parts.ts'
import { type Draft, extended, type Folds } from './view-builder.ts'

export const toolFolds: Folds<'tool-arguments-delta' | 'tool-start' | 'tool-progress' | 'tool-complete'> = {
  'tool-arguments-delta'(draft, event) {
    const { toolCallId, toolName } = event
    const part = callOf(draft, event, 'writing')
    if (part?.status !== 'writing') {
      if (part !== undefined)
        draft.problem('repeated', 'A delta of arguments that are whole.', { id: toolCallId })
      return
    }
    const writing = extended(draft, part.writing ?? { text: '', next: 0, hasGap: false }, event, toolCallId)
    if (writing !== undefined) draft.setPart(toolCallId, { ...part, toolName, writing })
    draft.setOpen('tools', toolCallId, true)
  },

  'tool-start'(draft, event) {
    const { toolCallId, toolName } = event
    const part = callOf(draft, event, 'running')
    if (part === undefined) return
    const { writing: _, ...rest } = part
    const started: ToolPart = { ...rest, toolName, status: 'running', arguments: event.arguments }
    draft.setPart(toolCallId, withMetadata(started, event.metadata))
    draft.setOpen('tools', toolCallId, true)
  },

  'tool-progress'(draft, event) {
    const { toolCallId } = event
    const part = callOf(draft, event, 'running')
    if (part === undefined) return
    const progressed: ToolPart = { ...part, status: 'running', progress: progressOf(event) }
    const { stream = '', chunk } = event.metadata ?? {}
    const output = part.output ?? {}
    const before = Object.hasOwn(output, stream) ? (output[stream] ?? '') : ''
    draft.setPart(
      toolCallId,
      chunk === undefined ? progressed : { ...progressed, output: { ...output, [stream]: before + chunk } },
    )
    draft.setOpen('tools', toolCallId, true)
  },

  'tool-complete'(draft, event) {
    const { toolCallId, toolName, success, error } = event
    const part = callOf(draft, event, 'running')
    if (part === undefined) return
    const ended: ToolPart = {
      ...part,
      toolName,
      status: success ? 'succeeded' : 'failed',
      ...('result' in event && event.result !== undefined ? { result: event.result } : {}),
      ...(error === undefined ? {} : { error }),
    }
    draft.setPart(toolCallId, withMetadata(ended, event.metadata))
    draft.setOpen('tools', toolCallId, false)
  },
}

/** The call of an event, new where there is none; `undefined` when it is over, which is a problem. */
function callOf(
  draft: Draft,
  { toolCallId, timestamp }: { toolCallId: string; timestamp: string },
  status: 'writing' | 'running',
): ToolPart | undefined {
  const part = draft.part('tool', toolCallId)
  if (part === undefined) return { type: 'tool', at: timestamp, toolCallId, status }
  if (part.status === 'writing' || part.status === 'running') return part
  draft.problem('repeated', 'The call is over.', { id: toolCallId })
  return undefined
}

function progressOf({ progress, message, metadata }: ToolProgressEvent): ToolProgressView {
  const { stream: _, chunk: __, ...rest } = metadata ?? {}
  return {
    progress,
    ...(message === undefined ? {} : { message }),
    ...(Object.keys(rest).length === 0 ? {} : { metadata: rest }),
  }
}

function withMetadata(part: ToolPart, metadata: Metadata | undefined): ToolPart {
  return metadata === undefined ? part : { ...part, metadata: { ...part.metadata, ...metadata } }
}
