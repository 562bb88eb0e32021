/** The schemas of frames, by type and as unions. Their fields are in output order. */
import * as z from 'zod/mini'
import type { Schema } from '../../../../core/schema.ts'
import { byTag, id } from '../../../../events/records/fields.ts'
import {
  type FrameBodyOf,
  type FrameV1,
  type FrameV1Envelope,
  type FrameV1Of,
  type FrameV1Type,
  type FrameV2,
  type FrameV2Envelope,
  type FrameV2Of,
  type FrameV2Type,
  frameV1Types,
  frameV2Types,
} from '../types.ts'
import { backgroundToolFrame } from './background-tool.ts'
import { frameV1EnvelopeSchema, frameV2EnvelopeSchema } from './envelope.ts'
import { sessionFrame } from './session.ts'
import { storeFrame } from './store.ts'
import { toolFrame } from './tool.ts'

const all = byTag('type', [sessionFrame, toolFrame, backgroundToolFrame, storeFrame])

/** The schema of each frame body, which is the same in both versions. */
export const frameBodySchemas: { readonly [T in FrameV2Type]: Schema<FrameBodyOf<T>> } = Object.fromEntries(
  frameV2Types.map((type) => [type, all[type]]),
) as never

/** The schema of the fields that every frame of version 1 has. */
export const taggedV1EnvelopeSchema: Schema<FrameV1Envelope & { type: string }> = z.extend(
  asObject(frameV1EnvelopeSchema),
  { type: id },
) as never

/** The schema of the fields that every frame of version 2 has. */
export const taggedV2EnvelopeSchema: Schema<FrameV2Envelope & { type: string }> = z.extend(
  asObject(frameV2EnvelopeSchema),
  { type: id },
) as never

/** The schema of each frame type of version 1. */
export const frameV1Schemas: { readonly [T in FrameV1Type]: Schema<FrameV1Of<T>> } = within(
  frameV1EnvelopeSchema,
  frameV1Types,
) as never

/** The schema of each frame type of version 2. */
export const frameV2Schemas: { readonly [T in FrameV2Type]: Schema<FrameV2Of<T>> } = within(
  frameV2EnvelopeSchema,
  frameV2Types,
) as never

/** The schema of any frame of version 1. */
export const frameV1Schema: Schema<FrameV1> = unionOf(frameV1Schemas)

/** The schema of any frame of version 2. */
export const frameV2Schema: Schema<FrameV2> = unionOf(frameV2Schemas)

function within(envelope: z.core.$ZodType, types: readonly FrameV2Type[]): Record<string, unknown> {
  return Object.fromEntries(
    types.map((type) => [
      type,
      z.extend(asObject(envelope), asObject(frameBodySchemas[type])._zod.def.shape),
    ]),
  )
}

/** All schemas here are objects, but their declared type is only that of the output. */
function asObject(schema: z.core.$ZodType): z.ZodMiniObject {
  return schema as z.ZodMiniObject
}

function unionOf<T>(schemas: object): Schema<T> {
  return z.discriminatedUnion('type', Object.values(schemas) as never) as never
}
