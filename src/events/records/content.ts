/** The kinds about content: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type {
  ContentCompleteEvent,
  ContentDeltaEvent,
  ContentReplaceEvent,
  IterationResetEvent,
} from '../content.ts'
import { count, id, maybe, metadata, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'
import { source, usage } from './model-fields.ts'

export const contentKinds: KindRecords<
  ContentDeltaEvent | ContentReplaceEvent | ContentCompleteEvent | IterationResetEvent
> = {
  'content-delta': {
    schema: schemaOf<ContentDeltaEvent>()(
      open({
        kind: z.literal('content-delta'),
        contentId: maybe(id),
        delta: z.string(),
        index: count,
        iteration: maybe(count),
        indexEnd: maybe(count),
        timestampEnd: maybe(timestamp),
        timestamp,
      }),
    ),
    series: { name: 'content', key: 'contentId' },
    backpressure: { merge: 'append' },
    redaction: null,
  },
  'content-replace': {
    schema: schemaOf<ContentReplaceEvent>()(
      open({
        kind: z.literal('content-replace'),
        contentId: maybe(id),
        content: z.string(),
        iteration: maybe(count),
        timestamp,
      }),
    ),
    restarts: { name: 'content', key: 'contentId' },
    backpressure: null,
    redaction: null,
  },
  'content-complete': {
    schema: schemaOf<ContentCompleteEvent>()(
      open({
        kind: z.literal('content-complete'),
        contentId: maybe(id),
        content: z.string(),
        iteration: maybe(count),
        finishReason: maybe(z.string()),
        timestamp,
        metadata: maybe(metadata({ usage: maybe(z.array(usage)), sources: maybe(z.array(source)) })),
      }),
    ),
    ends: { name: 'content', key: 'contentId' },
    backpressure: null,
    redaction: null,
  },
  'iteration-reset': {
    schema: schemaOf<IterationResetEvent>()(
      open({ kind: z.literal('iteration-reset'), iteration: count, timestamp }),
    ),
    backpressure: null,
    redaction: null,
  },
}
