/** The kinds about the internal events: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type {
  InternalCheckpointEvent,
  InternalLlmCallEvent,
  InternalThoughtProcessEvent,
  InternalToolCompleteEvent,
  InternalToolStartEvent,
} from '../internal.ts'
import { anyObject, count, id, maybe, metadata, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'
import { usage } from './model-fields.ts'

export const internalKinds: KindRecords<
  | InternalThoughtProcessEvent
  | InternalLlmCallEvent
  | InternalCheckpointEvent
  | InternalToolStartEvent
  | InternalToolCompleteEvent
> = {
  'internal:thought-process': {
    schema: schemaOf<InternalThoughtProcessEvent>()(
      open({
        kind: z.literal('internal:thought-process'),
        iteration: count,
        stage: z.enum(['pre-llm', 'post-llm', 'pre-tool', 'post-tool']),
        reasoning: z.string(),
        state: anyObject,
        timestamp,
      }),
    ),
  },
  'internal:llm-call': {
    schema: schemaOf<InternalLlmCallEvent>()(
      open({
        kind: z.literal('internal:llm-call'),
        iteration: count,
        model: z.string(),
        messageCount: count,
        toolCount: count,
        timestamp,
        metadata: maybe(metadata({ usage: maybe(z.array(usage)) })),
      }),
    ),
  },
  'internal:checkpoint': {
    schema: schemaOf<InternalCheckpointEvent>()(
      open({
        kind: z.literal('internal:checkpoint'),
        iteration: count,
        state: maybe(anyObject),
        timestamp,
      }),
    ),
  },
  'internal:tool-start': {
    schema: schemaOf<InternalToolStartEvent>()(
      open({
        kind: z.literal('internal:tool-start'),
        toolCallId: id,
        toolName: id,
        timestamp,
      }),
    ),
  },
  'internal:tool-complete': {
    schema: schemaOf<InternalToolCompleteEvent>()(
      open({
        kind: z.literal('internal:tool-complete'),
        toolCallId: id,
        toolName: id,
        success: z.boolean(),
        error: maybe(z.string()),
        timestamp,
      }),
    ),
  },
}
