/** Folding tool calls. */

import type { Mutable } from '../../../../core/mutable.ts'
import { describeValue } from '../../../../core/require.ts'
import type { Metadata } from '../../../../events/metadata.ts'
import type { ToolProgressEvent } from '../../../../events/tool.ts'
import type { Audience } from '../../../access/audience.ts'
import { commonAudience, type LabeledEvent, labelOf, withoutLabel } from '../../audience-label.ts'
import type { ToolPart, ToolProgressView } from '../../parts.ts'
import type { Reducers, ViewBuilder } from '../view-builder.ts'
import { additionOf } from './deltas.ts'
import { unstartedStatus } from './tool-approval.ts'
import { setPartialArguments } from './tool-arguments.ts'

/** The output of further streams of a call is dropped. */
const MAX_STREAMS = 32

export const toolReducers: Reducers<
  'tool-arguments-delta' | 'tool-start' | 'tool-progress' | 'tool-complete'
> = {
  'tool-arguments-delta'(builder, event) {
    const { kind, toolCallId, toolName } = event
    const call = openCall(builder, event, 'writing')
    if (call === undefined) return
    const { part, known } = call
    if (part.status !== 'writing') {
      const message = `${kind} after the start of toolCallId ${describeValue(toolCallId)}.`
      builder.diagnostic('repeated', message, { id: toolCallId })
      return
    }
    const added = additionOf(builder, known?.nextIndex ?? 0, event, toolCallId)
    if (added === undefined) return
    part.toolName = toolName
    part.argumentsComplete = false
    part.argumentsText = (known?.argumentsText ?? '') + added.text
    part.nextIndex = added.nextIndex
    if (added.isGap) part.hasGap = true
    setPartialArguments(builder, part, known, added.text)
    put(builder, call)
  },

  'tool-start'(builder, event) {
    const call = openCall(builder, event, 'running')
    if (call === undefined) return
    const { part } = call
    part.toolName = event.toolName
    part.status = 'running'
    part.arguments = event.arguments
    part.argumentsComplete = true
    addMetadata(part, event.metadata)
    put(builder, call)
  },

  'tool-progress'(builder, event) {
    const call = openCall(builder, event, 'running')
    if (call === undefined) return
    const { part } = call
    part.status = 'running'
    part.progress = progressOf(event)
    addOutput(builder, part, event)
    put(builder, call)
  },

  'tool-complete'(builder, event) {
    const call = openCall(builder, event, 'running')
    if (call === undefined) return
    const { part } = call
    part.toolName = event.toolName
    part.status = event.success ? 'succeeded' : (unstartedStatus(part) ?? 'failed')
    if (event.result !== undefined) part.result = event.result
    if (event.error !== undefined) part.error = event.error
    addMetadata(part, event.metadata)
    put(builder, call)
  },
}

/** A call that has not ended. */
interface Call {
  /** -1 if it is new. */
  readonly position: number
  /** The part before the event; `undefined` if it is new. */
  readonly known: ToolPart | undefined
  /** A copy of the part, or a new one. */
  readonly part: Mutable<ToolPart>
}

/** The call of an event, or a new one. `undefined` if it has ended, which is reported. */
function openCall(
  builder: ViewBuilder,
  event: LabeledEvent & {
    readonly toolCallId: string
    readonly iteration?: number
    readonly timestamp: string
    readonly success?: boolean
  },
  status: 'writing' | 'running',
): Call | undefined {
  const { kind, toolCallId, timestamp } = event
  const { parts } = builder.task
  const position = parts.find('tool', toolCallId)
  const known = parts.at('tool', position)
  if (known !== undefined && isOver(known)) {
    const message = `${kind} after the end of toolCallId ${describeValue(toolCallId)}.`
    builder.diagnostic('repeated', message, { id: toolCallId })
    return undefined
  }
  const first = known ?? newTool(toolCallId, timestamp, status, event.iteration)
  const fails = kind === 'tool-complete' && event.success === false
  const part = copyTool(first, kind, fails, labelOf(event))
  return { position, known, part }
}

function newTool(
  toolCallId: string,
  at: string,
  status: ToolPart['status'],
  iteration: number | undefined,
): ToolPart {
  return { type: 'tool', at, toolCallId, status, ...(iteration === undefined ? {} : { iteration }) }
}

/** Whether nothing more may come of a call. */
function isOver({ status }: ToolPart): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'ended'
}

/** Whether a tool has begun to run. A call that ended before its arguments were complete has not. */
export function hasStarted(part: ToolPart): boolean {
  const { status, argumentsComplete, progress } = part
  if (unstartedStatus(part) !== undefined) return false
  return argumentsComplete === true || progress !== undefined || status === 'succeeded'
}

function put({ task }: ViewBuilder, { position, part }: Call): void {
  task.parts.put(position, part)
}

/**
 * A copy of a call, without what an event of a kind sets: a property that is deleted afterwards makes the object slow.
 * Field by field, which is many times faster than a spread.
 */
function copyTool(
  part: ToolPart,
  kind: string,
  fails: boolean,
  label: readonly Audience[] | undefined,
): Mutable<ToolPart> {
  const starts = kind === 'tool-start'
  const copy = { type: 'tool', at: part.at, status: part.status } as Mutable<ToolPart>
  const audience = commonAudience(part.audience, label)
  if (audience !== undefined) copy.audience = audience
  copy.toolCallId = part.toolCallId
  if (part.iteration !== undefined) copy.iteration = part.iteration
  if (part.toolName !== undefined) copy.toolName = part.toolName
  if (part.approval !== undefined) copy.approval = part.approval
  const setsArguments = starts || (kind === 'tool-arguments-delta' && part.status === 'writing')
  if (part.arguments !== undefined && !setsArguments) copy.arguments = part.arguments
  if (part.argumentsComplete !== undefined) copy.argumentsComplete = part.argumentsComplete
  // A call that runs needs no text of arguments that are whole.
  if (!starts && (part.argumentsComplete !== true || fails)) {
    if (part.argumentsText !== undefined) copy.argumentsText = part.argumentsText
    if (part.nextIndex !== undefined) copy.nextIndex = part.nextIndex
    if (part.hasGap) copy.hasGap = true
  }
  if (part.progress !== undefined) copy.progress = part.progress
  if (part.output !== undefined) copy.output = part.output
  // A call that has an end, but has not started, has another one now, or runs.
  const hasEnd = unstartedStatus(part) !== undefined
  if (part.error !== undefined && fails) copy.error = part.error
  // Nothing before a start has metadata; that of a repeated one replaces it.
  if (part.metadata !== undefined && !starts && (!hasEnd || fails)) copy.metadata = part.metadata
  return copy
}

/** Appends a piece of output to its stream. */
function addOutput(builder: ViewBuilder, part: Mutable<ToolPart>, event: ToolProgressEvent): void {
  const { stream = '', chunk } = event.metadata ?? {}
  if (chunk === undefined) return
  const output = part.output ?? {}
  const isKnown = Object.hasOwn(output, stream)
  if (!isKnown && Object.keys(output).length >= MAX_STREAMS) {
    const message = `Expected at most ${MAX_STREAMS} output streams, got the further stream ${describeValue(stream)}.`
    builder.diagnostic('too-many-streams', message, {
      id: part.toolCallId,
      expected: MAX_STREAMS,
      actual: stream,
    })
    return
  }
  part.output = { ...output, [stream]: (isKnown ? (output[stream] ?? '') : '') + chunk }
}

function progressOf({ progress, message, metadata }: ToolProgressEvent): ToolProgressView {
  const view: Mutable<ToolProgressView> = { progress }
  if (message !== undefined) view.message = message
  if (metadata === undefined) return view
  const { stream: _, chunk: __, ...rest } = metadata
  const others = withoutLabel(rest)
  if (others !== undefined && Object.keys(others).length > 0) view.metadata = others
  return view
}

function addMetadata(part: Mutable<ToolPart>, metadata: Metadata | undefined): void {
  const rest = withoutLabel(metadata)
  if (rest !== undefined) part.metadata = { ...part.metadata, ...rest }
}
