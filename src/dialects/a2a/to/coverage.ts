/** What A2A can say of our events without the extension. */

import type { ContextAnyEvent, EventKind } from '../../../events/event.ts'
import type { Coverage } from '../../shared/coverage.ts'
import type { Turn } from './a2a-writer.ts'

/**
 * What becomes of each kind without the extension:
 *
 * - `full`: every field of its own arrives
 * - `partial`: it is said without some of its fields; each is reported as `lossy:<field>`
 * - `omitted`: it is not said, and reported as `dropped:<kind>`
 *
 * With the extension every kind arrives in full, except the `internal:` kinds, which never leave.
 * The ids of the task's ancestors (`parentTaskId`, `path`) are lost with every kind.
 */
export const a2aCoverage: Readonly<Record<EventKind, Coverage>> = {
  'task-created': 'partial',
  'task-status': 'partial',
  'task-complete': 'partial',
  'content-delta': 'partial',
  'content-complete': 'partial',
  'tool-start': 'omitted',
  'tool-arguments-delta': 'omitted',
  'tool-progress': 'omitted',
  'tool-complete': 'omitted',
  'input-required': 'full',
  'input-received': 'partial',
  'input-canceled': 'partial',
  'auth-required': 'full',
  'auth-completed': 'partial',
  'auth-failed': 'partial',
  'file-write': 'partial',
  'data-write': 'partial',
  'dataset-write': 'partial',
  'artifact-delta': 'partial',
  'subtask-created': 'omitted',
  'thought-delta': 'omitted',
  'thought-stream': 'omitted',
  'task-error': 'omitted',
  'internal:thought-process': 'omitted',
  'internal:llm-call': 'omitted',
  'internal:checkpoint': 'omitted',
  'internal:tool-start': 'omitted',
  'internal:tool-complete': 'omitted',
}

/** The fields A2A says, of the kinds it says at all. */
const said: Readonly<Partial<Record<EventKind, readonly string[]>>> = {
  'task-created': ['timestamp', 'metadata'],
  'task-status': ['timestamp', 'status', 'message', 'error'],
  'task-complete': ['timestamp', 'content'],
  'content-delta': ['delta', 'index'],
  'content-complete': ['content'],
  'input-required': [
    'timestamp',
    'inputId',
    'requireUser',
    'inputType',
    'prompt',
    'schema',
    'options',
    'metadata',
  ],
  'input-received': ['timestamp'],
  'input-canceled': ['timestamp'],
  'auth-required': ['timestamp', 'authId', 'authType', 'provider', 'scopes', 'prompt', 'authUrl', 'metadata'],
  'auth-completed': ['timestamp'],
  'auth-failed': ['timestamp', 'message'],
  'file-write': [
    'artifactId',
    'data',
    'index',
    'complete',
    'name',
    'description',
    'mimeType',
    'encoding',
    'metadata',
  ],
  'data-write': ['artifactId', 'data', 'name', 'description', 'metadata'],
  'dataset-write': ['artifactId', 'rows', 'index', 'complete', 'name', 'description', 'metadata'],
  'artifact-delta': ['artifactId', 'change'],
}

const always: readonly string[] = ['kind', 'contextId', 'taskId']

/** Diagnostics each field of an event that A2A has no place for. */
export function reportLossyFields(turn: Turn, event: ContextAnyEvent): void {
  const fields = said[event.kind]
  if (fields === undefined) return
  for (const field of Object.keys(event)) {
    if (fields.includes(field) || always.includes(field)) continue
    if (event[field as keyof ContextAnyEvent] !== undefined) turn.lose(field)
  }
}
