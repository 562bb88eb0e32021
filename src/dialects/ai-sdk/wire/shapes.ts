/** The fields of each type of chunk, as the union of versions 5 to 7 reads them. Other fields pass. */

import type { Shape, ShapeFields } from '../../../validation/shape.ts'

const any: Shape = ['maybe', 'any']
const text: Shape = ['maybe', 'text']
const flag: Shape = ['maybe', 'boolean']
const fields: Shape = ['maybe', ['fields', {}]]
const provider: ShapeFields = { providerMetadata: fields }
const id: ShapeFields = { id: 'text', ...provider }
const delta: ShapeFields = { id: 'text', delta: 'text', ...provider }
const call: ShapeFields = { toolCallId: 'text' }
const run: ShapeFields = { providerExecuted: flag, ...provider, toolMetadata: fields, dynamic: flag }
const tool: ShapeFields = { ...call, toolName: 'text', ...run, title: text }
const file: ShapeFields = { url: 'text', mediaType: 'text', ...provider }
const metadata: ShapeFields = { messageMetadata: any }

/** `input`, `output` and `data` may be absent: that is how `undefined` is encoded. */
export const chunkShapes: Readonly<Record<string, ShapeFields>> = {
  start: { messageId: text, ...metadata },
  'start-step': {},
  'finish-step': {},
  'reset-step': {},
  'text-start': id,
  'text-delta': delta,
  'text-end': { ...id, citations: ['maybe', ['list', ['fields', {}]]] },
  'reasoning-start': id,
  'reasoning-delta': delta,
  'reasoning-end': id,
  'tool-input-start': { ...tool, inputEncoding: ['maybe', ['of', 'json', 'text']] },
  'tool-input-delta': { ...call, inputTextDelta: 'text' },
  'tool-input-available': { ...tool, input: any },
  'tool-input-error': { ...tool, input: any, errorText: 'text' },
  'tool-approval-request': {
    approvalId: 'text',
    ...call,
    reason: text,
    isAutomatic: flag,
    signature: text,
    approvalDescriptor: any,
    inputSchemaInput: any,
  },
  'tool-approval-response': {
    approvalId: 'text',
    approved: 'boolean',
    reason: text,
    providerExecuted: flag,
    ...provider,
  },
  'tool-output-available': { ...call, output: any, ...run, preliminary: flag },
  'tool-output-error': { ...call, errorText: 'text', ...run },
  'tool-output-denied': call,
  'source-url': { sourceId: 'text', url: 'text', title: text, ...provider },
  'source-document': { sourceId: 'text', mediaType: 'text', title: 'text', filename: text, ...provider },
  file,
  'reasoning-file': file,
  custom: { kind: 'text', ...provider },
  'steering-message': { id: 'text', parts: ['list', ['fields', {}]] },
  'message-metadata': metadata,
  error: { errorText: 'text' },
  abort: { reason: text },
  finish: { finishReason: text, ...metadata },
}

/** The fields of `data-<name>`. */
export const dataShape: ShapeFields = { id: text, data: any, transient: flag }
