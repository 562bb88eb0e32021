/** The kinds about content: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../core/schema.ts'
import type { ContentCompleteEvent, ContentDeltaEvent } from './content.ts'
import { count, maybe, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'

export const contentKinds: KindRecords<ContentDeltaEvent | ContentCompleteEvent> = {
  'content-delta': {
    schema: schemaOf<ContentDeltaEvent>()(
      open({
        kind: z.literal('content-delta'),
        delta: z.string(),
        index: count,
        indexEnd: maybe(count),
        timestampEnd: maybe(timestamp),
        timestamp,
      }),
    ),
    series: { name: 'content' },
    backpressure: { merge: 'append' },
    redaction: null,
  },
  'content-complete': {
    schema: schemaOf<ContentCompleteEvent>()(
      open({
        kind: z.literal('content-complete'),
        content: z.string(),
        finishReason: maybe(z.string()),
        timestamp,
      }),
    ),
    ends: { name: 'content' },
    backpressure: null,
    redaction: null,
  },
}
