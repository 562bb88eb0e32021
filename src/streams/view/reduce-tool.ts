/** Folding tool calls. */

import { describeValue } from '../../core/require.ts'
import type { Metadata } from '../../events/metadata.ts'
import type { ToolProgressEvent } from '../../events/tool.ts'
import type { ToolPart, ToolProgressView } from './parts.ts'
import { appendDelta, type Reducers, type ViewBuilder } from './view-builder.ts'

export const toolReducers: Reducers<
  'tool-arguments-delta' | 'tool-start' | 'tool-progress' | 'tool-complete'
> = {
  'tool-arguments-delta'(builder, event) {
    const { kind, toolCallId, toolName } = event
    const part = openCall(builder, event, 'writing')
    if (part?.status !== 'writing') {
      if (part === undefined) return
      const message = `${kind} after the start of toolCallId ${describeValue(toolCallId)}.`
      builder.diagnostic('repeated', message, { id: toolCallId })
      return
    }
    const before = part.streamedArguments ?? { text: '', nextIndex: 0, hasGap: false }
    const streamedArguments = appendDelta(builder, before, event, toolCallId)
    if (streamedArguments !== undefined) builder.setPart(toolCallId, { ...part, toolName, streamedArguments })
    builder.setOpen('tools', toolCallId, true)
  },

  'tool-start'(builder, event) {
    const { toolCallId, toolName } = event
    const part = openCall(builder, event, 'running')
    if (part === undefined) return
    const { streamedArguments: _, ...rest } = part
    const started: ToolPart = { ...rest, toolName, status: 'running', arguments: event.arguments }
    builder.setPart(toolCallId, withMetadata(started, event.metadata))
    builder.setOpen('tools', toolCallId, true)
  },

  'tool-progress'(builder, event) {
    const { toolCallId } = event
    const part = openCall(builder, event, 'running')
    if (part === undefined) return
    const progressed: ToolPart = { ...part, status: 'running', progress: progressOf(event) }
    const { stream = '', chunk } = event.metadata ?? {}
    const output = part.output ?? {}
    const before = Object.hasOwn(output, stream) ? (output[stream] ?? '') : ''
    builder.setPart(
      toolCallId,
      chunk === undefined ? progressed : { ...progressed, output: { ...output, [stream]: before + chunk } },
    )
    builder.setOpen('tools', toolCallId, true)
  },

  'tool-complete'(builder, event) {
    const { toolCallId, toolName, success, error } = event
    const part = openCall(builder, event, 'running')
    if (part === undefined) return
    const ended: ToolPart = {
      ...part,
      toolName,
      status: success ? 'succeeded' : 'failed',
      ...('result' in event && event.result !== undefined ? { result: event.result } : {}),
      ...(error === undefined ? {} : { error }),
    }
    builder.setPart(toolCallId, withMetadata(ended, event.metadata))
    builder.setOpen('tools', toolCallId, false)
  },
}

/** The call of an event, or a new one. `undefined` if it has ended, which is reported. */
function openCall(
  builder: ViewBuilder,
  { kind, toolCallId, timestamp }: { kind: string; toolCallId: string; timestamp: string },
  status: 'writing' | 'running',
): ToolPart | undefined {
  const part = builder.part('tool', toolCallId)
  if (part === undefined) return { type: 'tool', at: timestamp, toolCallId, status }
  if (part.status === 'writing' || part.status === 'running') return part
  const message = `${kind} after the end of toolCallId ${describeValue(toolCallId)}.`
  builder.diagnostic('repeated', message, { id: toolCallId })
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
