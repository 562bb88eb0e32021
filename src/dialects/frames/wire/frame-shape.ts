/** The fields of frames, by version and type. */

import type { ShapeFields } from '../../../validation/shape.ts'
import { frameBodyShapes, v1EnvelopeShape, v2EnvelopeShape } from './shapes.generated.ts'
import { type FrameVersion, frameV1Types } from './types.ts'

const v1Types: ReadonlySet<string> = new Set(frameV1Types)

/** Whether a version defines a type. */
export function isFrameType(version: FrameVersion, type: string): boolean {
  return version === 'v1' ? v1Types.has(type) : Object.hasOwn(frameBodyShapes, type)
}

/** The fields of a frame of a known type, in output order. */
export function frameShapeOf(version: FrameVersion, type: string): ShapeFields {
  return { ...envelopeShapeOf(version), ...frameBodyShapes[type] }
}

/** The fields that every frame has. */
export function envelopeShapeOf(version: FrameVersion): ShapeFields {
  return { ...(version === 'v1' ? v1EnvelopeShape : v2EnvelopeShape), type: 'id' }
}
