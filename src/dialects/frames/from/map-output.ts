/** Maps the output of a tool. */

import { hasOtherFields } from '../wire/embedded-frame.ts'
import type { FrameV1, FrameV2 } from '../wire/types.ts'
import { emitEmbedded, emitEvent, type FrameWriter, runningTool } from './frame-writer.ts'

/**
 * Emits a chunk of output.
 *
 * @param id - The id of the tool.
 * @param fields - The fields of the frame that the event expresses.
 */
export function mapOutput(
  writer: FrameWriter,
  id: string,
  stream: string,
  frame: Extract<FrameV1 | FrameV2, { chunk: string }>,
  fields: readonly string[],
): void {
  const tool = runningTool(writer, id)
  if (tool === undefined) {
    emitEmbedded(writer, frame)
    return
  }
  const { toolCallId } = tool
  const isWhole = toolCallId === id && !hasOtherFields(frame, fields)
  const metadata = { stream, chunk: frame.chunk }
  emitEvent(writer, { kind: 'tool-progress', toolCallId, progress: 0, metadata }, isWhole ? undefined : frame)
}
