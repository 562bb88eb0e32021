/** The events of one task while its frames are mapped: those that embed a frame, its text, its tools and its end. */

import {
  boundedDelete,
  boundedGet,
  boundedSet,
  boundedValues,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import { type Draft, DraftWriter, uniqueId } from '../../engine/draft.ts'
import { appendText } from '../../engine/draft-item.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import { type FrameEvent, withoutEnvelope } from '../wire/embedded-frame.ts'
import { copySourceStream, emptySegment, type SourceStream, type SourceTool } from './source-stream.ts'

/** A step of the reader of a stream of frames. */
export type FrameWriter = DraftWriter<Mutable<SourceStream>, Record<string, never>>

/** @param ids - The ids of the calls of all streams. */
export function frameWriter(stream: SourceStream, ids: SourceStream['ids']): FrameWriter {
  return new DraftWriter(copySourceStream(stream, ids), {})
}

/**
 * Emits an event of the task.
 *
 * @param draft - Becomes the event: a new object.
 * @param frame - The frame to embed. Omitted: none.
 */
export function emitEvent(writer: FrameWriter, draft: Draft, frame?: object): void {
  if (frame !== undefined) (draft as unknown as FrameEvent).frame = withoutEnvelope(frame)
  writer.emitDraft(draft)
}

/** Emits an event whose only purpose is to embed a frame. */
export function emitEmbedded(
  writer: FrameWriter,
  frame: { type: string },
  reasoning: string = frame.type,
): void {
  const kind = 'internal:thought-process'
  emitEvent(writer, { kind, iteration: 0, stage: 'post-llm', reasoning, state: {} }, frame)
}

/** Emits the status `working` or `submitted`. */
export function emitProgress(writer: FrameWriter, status: 'working' | 'submitted', frame?: object): void {
  if (status === 'working') writer.state.isWorking = true
  emitEvent(writer, { kind: 'task-status', status }, frame)
}

/** Appends text to the answer. */
export function writeText(writer: FrameWriter, delta: string, frame?: object): void {
  const { state } = writer
  const emitter = { emitDraft: (draft: Draft) => emitEvent(writer, draft, frame) }
  const { text, deltas } = appendText(emitter, state.segment, delta, state, () => completeSegment(writer))
  state.segment = { id: null, iteration: null, text, deltas }
}

/** Ends the open text segment, if any. */
export function completeSegment(writer: FrameWriter): void {
  const { state } = writer
  if (state.segment.deltas === 0) return
  writer.emitDraft({ kind: 'content-complete', content: state.segment.text })
  state.segment = emptySegment
}

/** The running tool with an id: of several, the one that started first. */
export function runningTool({ state }: FrameWriter, id: string): SourceTool | undefined {
  return boundedGet(state.tools, id)?.[0]
}

/**
 * Adds a running tool. Returns the id of its call, which no other call of the context has; `undefined` if too many
 * tools run.
 */
export function startTool(writer: FrameWriter, id: string, toolName: string): string | undefined {
  const { state } = writer
  if (state.running >= MAX_ITEMS) return undefined
  const toolCallId = uniqueId(writer, `${state.contextId.length}:${state.contextId}`, id)
  const others = boundedGet(state.tools, id) ?? []
  const tool = { toolCallId, toolName, seq: state.nextSeq }
  state.tools = boundedSet(state.tools, id, [...others, tool], MAX_ITEMS).map
  state.running++
  return toolCallId
}

/** Removes the running tool with an id, of several the one that started first. */
export function endTool({ state }: FrameWriter, id: string): SourceTool | undefined {
  const [first, ...others] = boundedGet(state.tools, id) ?? []
  if (first === undefined) return undefined
  state.tools =
    others.length === 0 ? boundedDelete(state.tools, id) : boundedSet(state.tools, id, others, MAX_ITEMS).map
  state.running--
  return first
}

/** Ends the task: completes the open segment and tools, and emits the final status. */
export function endTask(writer: FrameWriter, draft: Draft & { kind: 'task-status' }, frame?: object): void {
  const { state } = writer
  completeSegment(writer)
  const running = [...boundedValues(state.tools)].flat().sort((a, b) => a.seq - b.seq)
  for (const { toolCallId, toolName } of running) {
    const message = `Expected the end of tool ${describeValue(toolCallId)}, got none; a failure was inferred.`
    writer.diagnostic('inferred:tool-complete', message, { detail: toolCallId })
    const error = 'The session ended before the tool did.'
    writer.emitDraft({ kind: 'tool-complete', toolCallId, toolName, success: false, error })
  }
  emitEvent(writer, draft, frame)
  if (draft.status === 'completed') writer.emitDraft({ kind: 'task-complete' })
  state.phase = 'ended'
  state.tools = emptyBoundedMap
  state.running = 0
}
