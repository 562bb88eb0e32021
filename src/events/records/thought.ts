/** The kinds about thoughts: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type { ThoughtDeltaEvent, ThoughtStreamEvent } from '../thought.ts'
import { count, fraction, id, maybe, metadata, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'

const thoughtType = z.enum(['planning', 'reasoning', 'reflection', 'decision', 'observation', 'strategy'])
const verbosity = z.enum(['brief', 'normal', 'detailed'])

export const thoughtKinds: KindRecords<ThoughtDeltaEvent | ThoughtStreamEvent> = {
  'thought-delta': {
    schema: schemaOf<ThoughtDeltaEvent>()(
      open({
        kind: z.literal('thought-delta'),
        thoughtId: id,
        delta: z.string(),
        thoughtType: maybe(thoughtType),
        verbosity: maybe(verbosity),
        index: count,
        iteration: maybe(count),
        indexEnd: maybe(count),
        timestampEnd: maybe(timestamp),
        timestamp,
      }),
    ),
    series: { name: 'thought', key: 'thoughtId' },
    // Safe to drop: the thought-stream that follows holds the complete text.
    backpressure: { merge: 'append', drop: true },
    redaction: null,
  },
  'thought-stream': {
    schema: schemaOf<ThoughtStreamEvent>()(
      open({
        kind: z.literal('thought-stream'),
        thoughtId: id,
        thoughtType,
        verbosity,
        content: z.string(),
        index: count,
        iteration: maybe(count),
        timestamp,
        metadata: maybe(
          metadata({
            confidence: maybe(fraction),
            alternatives: maybe(z.array(z.string())),
            relatedTo: maybe(id),
            groupId: maybe(id),
            complete: maybe(z.boolean()),
            signature: maybe(z.string()),
            redacted: maybe(z.boolean()),
          }),
        ),
      }),
    ),
    series: { name: 'thoughts' },
    ends: { name: 'thought', key: 'thoughtId' },
    backpressure: { drop: true },
    redaction: {
      removed: {
        '/metadata/alternatives': ['user', 'coordinator', 'parent', 'observer'],
        '/metadata/signature': ['user', 'coordinator', 'parent', 'observer'],
      },
    },
  },
}
