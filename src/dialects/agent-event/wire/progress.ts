/**
 * Progress of a tool: data of any shape in AgentEvents, a share of the work in turnstream events.
 *
 *     data                                    progress, message, metadata
 *     { subtype: 'tool_progress', progress,   ◀─▶  the same fields
 *       message?, metadata? }
 *     anything else                           ◀─▶  metadata.data
 */

import type { JsonValue } from '../../../core/json-value.ts'
import type { ToolProgressEvent } from '../../../events/tool.ts'
import { isFields } from '../../../validation/predicates.ts'
import { issuesOf } from '../../../validation/read.ts'
import type { Shape } from '../../../validation/shape.ts'
import { noOthers } from '../../../validation/union.ts'
import type { AgentToolProgressEvent } from './types.generated.ts'

/** An interpretation of the data of a `tool_progress`. */
export interface ProgressReading {
  /** Share of the work done, 0 to 1. Omitted, or lower than before: unchanged. */
  readonly progress?: number
  /** What the tool is doing, for people. Omitted if unknown. */
  readonly message?: string
  /** The output that `chunk` belongs to, such as `stdout`. Omitted if unknown. */
  readonly stream?: string
  /** Output to append. Omitted if there is no new output. */
  readonly chunk?: string
}

type ProgressFields = Pick<ToolProgressEvent, 'progress' | 'message' | 'metadata'>

const SUBTYPE = 'tool_progress'

const count: Shape = ['maybe', ['int', 0]]
const text: Shape = ['maybe', 'text']

/** The shape that {@link progressData} returns: the fields of `tool-progress` without ids, iteration and time. */
export const progressDataShape: Shape = [
  'only',
  {
    subtype: ['of', SUBTYPE],
    progress: ['number', 0, 1],
    message: text,
    metadata: [
      'maybe',
      [
        'fields',
        {
          step: text,
          stepsCompleted: count,
          stepsTotal: count,
          remainingMs: count,
          stream: text,
          chunk: text,
        },
      ],
    ],
  },
  noOthers,
]

/** The data for a `tool-progress`. */
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
 * The fields of the `tool-progress` for the data of a `tool_progress`. Missing data becomes `null`.
 *
 * @param reached - The progress of the call so far, below which it never falls.
 */
export function progressFields(
  event: AgentToolProgressEvent,
  reached: number,
  read: ((event: AgentToolProgressEvent) => ProgressReading | undefined) | undefined,
): ProgressFields {
  const { data = null } = event
  if (isProgressData(data) && data.progress >= reached) {
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

/** Whether data has exactly the shape that {@link progressData} returns. */
function isProgressData(data: unknown): data is ProgressFields & { subtype: string } {
  if (!isFields(data) || data.subtype !== SUBTYPE) return false
  if (isFields(data.metadata) && Object.hasOwn(data.metadata, 'data')) return false
  return issuesOf(progressDataShape, data, { refusesNulls: true }).length === 0
}
