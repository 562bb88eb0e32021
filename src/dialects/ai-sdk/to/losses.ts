/** What is reported as lost of the events that are mapped to chunks, as data. */

import type { EventKind } from '../../../events/event.ts'

/** Where the pieces of a merged event end. */
export const merged: readonly string[] = ['indexEnd', 'timestampEnd']

/** The fields that are reported for each event that has them. The others are reported where they are lost. */
export const losses: Readonly<Partial<Record<EventKind, readonly string[]>>> = {
  'task-created': ['initiator', 'metadata.input'],
  'task-status': ['message', 'error', 'metadata.reason', 'metadata.blockedBy', 'metadata.*'],
  'task-complete': ['content'],
  'content-delta': merged,
  'thought-delta': merged,
  'thought-stream': ['index'],
  'tool-arguments-delta': merged,
  'tool-progress': ['metadata.stream'],
  'file-write': ['version', 'digest', 'metadata', ...merged],
  'data-write': ['description', 'version', 'expectedVersion', 'metadata'],
  'dataset-write': ['description', 'index', 'complete', 'schema', 'version', 'metadata', ...merged],
  'artifact-delta': ['baseVersion', 'version', 'change'],
  custom: ['metadata'],
}
