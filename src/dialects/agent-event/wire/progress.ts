/**
 * Progress of a tool, which says anything in one vocabulary and how far it is in the other.
 *
 *     data                                    progress, message, metadata
 *     { subtype: 'tool_progress', progress,   ◀─▶  as they are
 *       message?, metadata? }
 *     anything else                           ◀─▶  metadata.data
 */

import type { JsonValue } from '../../../core/schema.ts'
import { type ToolProgressEvent, toolProgressEventSchema } from '../../../events/tool.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { AgentToolProgressEvent } from './types.ts'

/** What a tool means by its data, as far as somebody can tell. */
export interface ProgressReading {
  /** Share of the work done, 0 to 1. Absent, or less than before: as far as before. */
  readonly progress?: number
  /** For people: what the tool is doing. Absent: not told. */
  readonly message?: string
  /** Which output `chunk` belongs to, such as `stdout`. Absent: not told. */
  readonly stream?: string
  /** A piece of output to append. Absent: there is none. */
  readonly chunk?: string
}

type ProgressFields = Pick<ToolProgressEvent, 'progress' | 'message' | 'metadata'>

const SUBTYPE = 'tool_progress'
const ownFields = ['subtype', 'progress', 'message', 'metadata']

/** The data of an event of the core vocabulary. */
export function progressData({ progress, message, metadata }: ProgressFields): unknown {
  if (metadata !== undefined && Object.hasOwn(metadata, 'data')) return metadata.data
  return {
    subtype: SUBTYPE,
    progress,
    ...(message !== undefined && { message }),
    ...(metadata !== undefined && { metadata: { ...metadata } }),
  }
}

/**
 * What data says in the core vocabulary. `reached` is how far the call has come before. Absent data
 * is told as `null`.
 */
export function progressFields(
  event: AgentToolProgressEvent,
  reached: number,
  read: ((event: AgentToolProgressEvent) => ProgressReading | undefined) | undefined,
): ProgressFields {
  const { data = null } = event
  if (isOwn(data) && data.progress >= reached) {
    const { subtype, metadata, ...fields } = data
    return metadata === undefined ? fields : { ...fields, metadata: { ...metadata } }
  }
  const { progress = reached, message, stream, chunk } = read?.(event) ?? {}
  return {
    progress: progress >= reached && progress <= 1 ? progress : reached,
    ...(message !== undefined && { message }),
    metadata: {
      data: data as JsonValue,
      ...(stream !== undefined && { stream }),
      ...(chunk !== undefined && { chunk }),
    },
  }
}

/** Whether data is what {@link progressData} makes of progress, field by field. */
function isOwn(data: unknown): data is ProgressFields & { subtype: string } {
  if (!isFields(data) || data.subtype !== SUBTYPE) return false
  if (!Object.keys(data).every((key) => ownFields.includes(key))) return false
  if (isFields(data.metadata) && Object.hasOwn(data.metadata, 'data')) return false
  const event = { ...data, kind: 'tool-progress', toolCallId: 'call', timestamp: '1970-01-01T00:00:00Z' }
  return toolProgressEventSchema.safeParse(event).success
}
