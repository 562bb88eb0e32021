// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in src/commands/records. Do not edit.
import type { Shape, ShapeFields } from '../validation/shape.ts'

const s0: Shape = ['maybe', 'id']
const s1: Shape = ['maybe', 'text']
const s2: Shape = ['maybe', 'any']

/** The fields of each kind of command besides `kind`. */
export const commandShapes: Readonly<Record<string, ShapeFields>> = {
  'task.send': { commandId: 'id', contextId: s0, taskId: s0, input: 'any', sourceDigest: s0, timestamp: 'instant', metadata: ['maybe', ['fields', {}]] },
  'task.cancel': { commandId: 'id', contextId: s0, taskId: s0, reason: s1, timestamp: 'instant' },
  'input.respond': { commandId: 'id', contextId: s0, responses: ['list', ['fields', { inputId: 'id', taskId: s0, outcome: ['maybe', ["of", "answered", "declined"]], value: s2, reason: s1, callDigest: s0 }], 1], sourceDigest: s0, timestamp: 'instant' },
  'auth.respond': { commandId: 'id', contextId: s0, taskId: s0, authId: 'id', outcome: ["of", "completed", "denied", "failed"], claim: s2, expiresAt: ['maybe', 'instant'], message: s1, sourceDigest: s0, timestamp: 'instant' },
  'tool.result': { commandId: 'id', contextId: s0, taskId: s0, toolCallId: 'id', success: 'boolean', result: s2, error: s1, sourceDigest: s0, timestamp: 'instant' },
  'stream.resume': { commandId: 'id', contextId: s0, taskId: s0, lastEventId: s1, timestamp: 'instant' },
}

/** The fields of a command of any kind. */
export const commandEnvelopeShape: ShapeFields = { kind: 'id', commandId: 'id', timestamp: 'instant' }
