/** The kinds about tools: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type {
  ToolArgumentsDeltaEvent,
  ToolCompleteEvent,
  ToolProgressEvent,
  ToolStartEvent,
} from '../tool.ts'
import { anyObject, count, fraction, id, maybe, metadata, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'

export const toolKinds: KindRecords<
  ToolStartEvent | ToolArgumentsDeltaEvent | ToolProgressEvent | ToolCompleteEvent
> = {
  'tool-start': {
    schema: schemaOf<ToolStartEvent>()(
      open({
        kind: z.literal('tool-start'),
        toolCallId: id,
        toolName: id,
        arguments: anyObject,
        iteration: maybe(count),
        timestamp,
        metadata: maybe(
          metadata({
            provider: maybe(z.string()),
            concurrent: maybe(z.boolean()),
            signature: maybe(z.string()),
            redacted: maybe(z.boolean()),
          }),
        ),
      }),
    ),
    ends: { name: 'arguments', key: 'toolCallId' },
    backpressure: null,
    redaction: {
      removed: {
        '/arguments': ['observer'],
        '/metadata/toolArgs': ['observer'],
        '/metadata/signature': ['user', 'coordinator', 'parent', 'observer'],
      },
    },
  },
  'tool-arguments-delta': {
    schema: schemaOf<ToolArgumentsDeltaEvent>()(
      open({
        kind: z.literal('tool-arguments-delta'),
        toolCallId: id,
        toolName: id,
        delta: z.string(),
        index: count,
        iteration: maybe(count),
        indexEnd: maybe(count),
        timestampEnd: maybe(timestamp),
        timestamp,
      }),
    ),
    series: { name: 'arguments', key: 'toolCallId' },
    backpressure: { merge: 'append' },
    redaction: { hidden: ['observer'] },
  },
  'tool-progress': {
    schema: schemaOf<ToolProgressEvent>()(
      open({
        kind: z.literal('tool-progress'),
        toolCallId: id,
        progress: fraction,
        iteration: maybe(count),
        message: maybe(z.string()),
        timestamp,
        metadata: maybe(
          metadata({
            step: maybe(z.string()),
            stepsCompleted: maybe(count),
            stepsTotal: maybe(count),
            remainingMs: maybe(count),
            stream: maybe(z.string()),
            chunk: maybe(z.string()),
          }),
        ),
      }),
    ),
    backpressure: { merge: 'replace' },
    redaction: { removed: { '/metadata/chunk': ['observer'], '/metadata/data': ['observer'] } },
  },
  'tool-complete': {
    schema: schemaOf<ToolCompleteEvent>()(
      open({
        kind: z.literal('tool-complete'),
        toolCallId: id,
        toolName: id,
        success: z.boolean(),
        iteration: maybe(count),
        result: maybe(z.unknown()),
        error: maybe(z.string()),
        timestamp,
        metadata: maybe(
          metadata({
            duration: maybe(z.number().check(z.minimum(0))),
            cached: maybe(z.boolean()),
            retries: maybe(count),
          }),
        ),
      }),
    ),
    ends: { name: 'arguments', key: 'toolCallId' },
    backpressure: null,
    redaction: { removed: { '/result': ['observer'], '/metadata/output': ['observer'] } },
  },
}
