/** The kind of custom events: its schema, and how the library handles it. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type { CustomEvent } from '../custom.ts'
import { id, maybe, metadata, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'

/** A pattern that JSON Schema can state. Checks of the library use the format `dottedName`. */
export const DOTTED_NAME: RegExp = /^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$/

export const customKinds: KindRecords<CustomEvent> = {
  custom: {
    schema: schemaOf<CustomEvent>()(
      open({
        kind: z.literal('custom'),
        name: z.string().check(z.regex(DOTTED_NAME)),
        data: z.unknown(),
        customId: maybe(id),
        transient: maybe(z.boolean()),
        timestamp,
        metadata: maybe(metadata({})),
      }),
    ),
    backpressure: null,
    redaction: null,
  },
}
