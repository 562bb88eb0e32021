/** The fields of deltas that can be merged. */

import type { DeltaEvent } from '../delta.ts'

const contextFields = ['kind', 'contextId', 'taskId', 'parentTaskId', 'path', 'timestamp']
const deltaFields = [...contextFields, 'timestampEnd', 'index', 'indexEnd']
/** Fields of a delta that a model wrote. */
const modelFields = [...deltaFields, 'delta', 'iteration']
/** Fields of the first chunk of an artifact. Later chunks may repeat them. */
export const headFields = ['name', 'description', 'mimeType', 'encoding', 'schema', 'metadata'] as const
const chunkFields = [...deltaFields, ...headFields, 'artifactId', 'complete', 'version']

const knownFields: Readonly<Record<DeltaEvent['kind'], ReadonlySet<string>>> = {
  'content-delta': new Set([...modelFields, 'contentId']),
  'thought-delta': new Set([...modelFields, 'thoughtId', 'thoughtType', 'verbosity']),
  'tool-arguments-delta': new Set([...modelFields, 'toolCallId', 'toolName']),
  'file-write': new Set([...chunkFields, 'data', 'digest']),
  'dataset-write': new Set([...chunkFields, 'rows']),
}

/** Whether a delta has no fields that merging would lose. */
export function hasOnlyKnownFields(event: DeltaEvent): boolean {
  const known = knownFields[event.kind]
  for (const name in event) if (!known.has(name)) return false
  return true
}
