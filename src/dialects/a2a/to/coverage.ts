/** How much of each event kind A2A can represent without the extension. */

import type { ContextAnyEvent, EventKind } from '../../../events/event.ts'
import { type Coverage, coverageOf } from '../../shared/coverage.ts'
import { reportLossyFields } from '../../shared/lossy-fields.ts'
import type { A2aWriter } from './a2a-writer.ts'

/**
 * How much of each event kind {@link toA2a} maps without the extension:
 *
 * - `full`: every field of its own
 * - `partial`: without some of its fields; each is reported as `lossy:<field>`
 * - `omitted`: nothing; reported as `dropped:<kind>`
 *
 * With the extension every kind is mapped in full, except the `internal:` kinds, which are always dropped.
 * The ids of parent tasks (`parentTaskId`, `path`) are lost for every kind.
 */
export const a2aCoverage: Readonly<Record<EventKind, Coverage>> = coverageOf({
  'task-created': 'partial',
  'task-status': 'partial',
  'task-complete': 'partial',
  'content-delta': 'partial',
  'content-complete': 'partial',
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
})

/** The fields that A2A has an equivalent for, by kind. */
const mappedFields: Readonly<Partial<Record<EventKind, readonly string[]>>> = {
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

const envelope: ReadonlySet<string> = new Set(['kind', 'contextId', 'taskId'])

/** Reports each field of an event that A2A has no equivalent for. */
export function reportUnmappedFields(writer: A2aWriter, event: ContextAnyEvent): void {
  const fields = mappedFields[event.kind]
  if (fields !== undefined) reportLossyFields(writer, event, fields, { ignored: envelope })
}
