// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in schemas.ts beside it. Do not edit.
import type { Shape, ShapeFields } from '../../../validation/shape.ts'

const s0: Shape = ['maybe', 'id']

/** The fields of each type of AgentEvent besides `type`. */
export const agentEventShapes: Readonly<Record<string, ShapeFields>> = {
  thought: { content: 'text' },
  tool_call: { toolName: 'id', toolArgs: 'text', toolCallId: s0 },
  tool_progress: { toolName: 'id', data: ['maybe', 'any'], toolCallId: s0 },
  tool_result: { toolName: 'id', output: 'text', isError: ['maybe', 'boolean'], toolCallId: s0 },
  stream: { content: 'text' },
  final: {},
  error: { error: 'text' },
}

/** The fields of each type of ToolEvent besides `type`. */
export const toolEventShapes: Readonly<Record<string, ShapeFields>> = {
  progress: { toolName: 'id', data: ['maybe', 'any'], toolCallId: s0 },
  result: { toolName: 'id', output: 'text', isError: ['maybe', 'boolean'], toolCallId: s0 },
}

/** The fields of an event of any type. */
export const envelopeShape: ShapeFields = { type: 'id' }
