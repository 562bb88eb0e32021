/** The kinds about content: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type { ContentCompleteEvent, ContentDeltaEvent } from '../content.ts'
import { count, id, maybe, metadata, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'
import { source, usage } from './model-fields.ts'

export const contentKinds: KindRecords<ContentDeltaEvent | ContentCompleteEvent> = {
  'content-delta': {
    schema: schemaOf<ContentDeltaEvent>()(
      open({
        kind: z.literal('content-delta'),
        contentId: maybe(id),
        delta: z.string(),
        index: count,
        indexEnd: maybe(count),
        timestampEnd: maybe(timestamp),
        timestamp,
      }),
    ),
    series: { name: 'content', key: 'contentId' },
    backpressure: { merge: 'append' },
    redaction: null,
  },
  'content-complete': {
    schema: schemaOf<ContentCompleteEvent>()(
      open({
        kind: z.literal('content-complete'),
        contentId: maybe(id),
        content: z.string(),
        finishReason: maybe(z.string()),
        timestamp,
        metadata: maybe(metadata({ usage: maybe(z.array(usage)), sources: maybe(z.array(source)) })),
      }),
    ),
    ends: { name: 'content', key: 'contentId' },
    backpressure: null,
    redaction: null,
  },
}
