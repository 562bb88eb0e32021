/** The schemas of the vocabulary, by kind and as unions. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../core/schema.ts'
import type { AnyEvent, ContextAnyEvent, ContextEvent, EventContext, EventKind, EventOf } from '../event.ts'
import { id, maybe, open, timestamp } from './fields.ts'
import { kindRecords } from './index.ts'

/** The schema of each kind, without context. */
export const eventSchemas: { readonly [K in EventKind]: Schema<EventOf<K>> } = Object.fromEntries(
  Object.entries(kindRecords).map(([kind, { schema }]) => [kind, schema]),
) as unknown as { readonly [K in EventKind]: Schema<EventOf<K>> }

/** The schema of the context alone. */
export const contextSchema: Schema<EventContext> = schemaOf<EventContext>()(
  open({ contextId: id, taskId: id, parentTaskId: maybe(id), path: maybe(z.array(id)) }),
)

/** The schema of each kind, with context. */
export const contextEventSchemas: { readonly [K in EventKind]: Schema<ContextEvent<EventOf<K>>> } =
  Object.fromEntries(
    Object.entries(eventSchemas).map(([kind, schema]) => [
      kind,
      z.extend(asObject(schema), asObject(contextSchema)._zod.def.shape),
    ]),
  ) as unknown as { readonly [K in EventKind]: Schema<ContextEvent<EventOf<K>>> }

/** The schema of any event of this version, without context. */
export const anyEventSchema: Schema<AnyEvent> = unionByKind<AnyEvent>(eventSchemas)

/** The schema of any event of this version, with context. */
export const contextAnyEventSchema: Schema<ContextAnyEvent> =
  unionByKind<ContextAnyEvent>(contextEventSchemas)

/** Every event schema is an object schema, but `Schema<T>` hides that. */
function asObject(schema: z.core.$ZodType): z.ZodMiniObject {
  return schema as z.ZodMiniObject
}

function unionByKind<T>(schemas: object): Schema<T> {
  const [first, ...rest] = Object.values(schemas) as z.core.$ZodTypeDiscriminable[]
  if (first === undefined) throw new TypeError('Expected at least one schema, got none.')
  return z.discriminatedUnion('kind', [first, ...rest]) as unknown as Schema<T>
}

/** The fields of every event of any kind, without context. */
export const envelopeSchema: z.ZodMiniType<{ kind: string; timestamp: string }> = open({
  kind: id,
  timestamp,
})

/** The fields of every event of any kind, with context. */
export const contextEnvelopeSchema: z.ZodMiniType<{
  kind: string
  timestamp: string
  contextId: string
  taskId: string
  parentTaskId?: string
  path?: string[]
}> = open({
  kind: id,
  contextId: id,
  taskId: id,
  timestamp,
  parentTaskId: maybe(id),
  path: maybe(z.array(id)),
})
