/** The fields of frames, by version and type. */

import type { ShapeFields } from '../../../../validation/shape.ts'
import { frameBodyShapes, v1EnvelopeShape, v2EnvelopeShape } from '../shapes.generated.ts'
import type { FrameVersion } from '../types.ts'

/** The types that version 2 adds. */
const ADDED = /^(artifact|skill)_/

type ObjectShape = readonly ['fields', ShapeFields]

/** The shape of a frame with only an envelope and a type. */
export const envelopeShapes: Readonly<Record<FrameVersion, ObjectShape>> = {
  v1: ['fields', { ...v1EnvelopeShape, type: 'id' }],
  v2: ['fields', { ...v2EnvelopeShape, type: 'id' }],
}

const shapes = { v1: shapesOf('v1'), v2: shapesOf('v2') }

function shapesOf(version: FrameVersion): ReadonlyMap<string, ObjectShape> {
  const [tag, envelope] = envelopeShapes[version]
  const bodies = Object.entries(frameBodyShapes).filter(([type]) => version === 'v2' || !ADDED.test(type))
  return new Map(bodies.map(([type, body]) => [type, [tag, { ...envelope, ...body }]]))
}

/** The shape of a type of frame, with its fields in output order; `undefined` if the version does not define it. */
export function frameShapeOf(version: FrameVersion, type: string): ObjectShape | undefined {
  return shapes[version].get(type)
}
