// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in src/events/records. Do not edit.
import type { EventKind } from './event.ts'
import type { BackpressureRule, NumberedSeries, Redaction, Series } from './kind.ts'

/** The kinds of events for clients. */
export const externalKinds = [
  'task-created',
  'task-status',
  'task-complete',
  'content-delta',
  'content-replace',
  'content-complete',
  'iteration-reset',
  'tool-start',
  'tool-arguments-delta',
  'tool-progress',
  'tool-complete',
  'input-required',
  'input-received',
  'input-canceled',
  'auth-required',
  'auth-completed',
  'auth-failed',
  'file-write',
  'data-write',
  'dataset-write',
  'artifact-delta',
  'subtask-created',
  'thought-delta',
  'thought-stream',
  'task-error',
  'custom',
] as const

/** The kinds of events for operators. Not sent to clients unless the server explicitly allows it. */
export const internalKinds = [
  'internal:thought-process',
  'internal:llm-call',
  'internal:checkpoint',
  'internal:tool-start',
  'internal:tool-complete',
] as const

/** All kinds of {@link PROTOCOL_VERSION}. */
export const eventKinds: readonly [...typeof externalKinds, ...typeof internalKinds] = [
  ...externalKinds,
  ...internalKinds,
]

/** The series that number the `index` of a kind. */
export const kindSeries: Readonly<Partial<Record<EventKind, NumberedSeries>>> = {
  'content-delta': { name: 'content', key: 'contentId' },
  'tool-arguments-delta': { name: 'arguments', key: 'toolCallId' },
  'file-write': { name: 'artifact', key: 'artifactId', until: 'complete' },
  'dataset-write': { name: 'artifact', key: 'artifactId', until: 'complete' },
  'thought-delta': { name: 'thought', key: 'thoughtId' },
  'thought-stream': { name: 'thoughts' },
}

/** The series that a kind ends. */
export const seriesEnds: Readonly<Partial<Record<EventKind, Series>>> = {
  'content-complete': { name: 'content', key: 'contentId' },
  'tool-start': { name: 'arguments', key: 'toolCallId' },
  'tool-complete': { name: 'arguments', key: 'toolCallId' },
  'thought-stream': { name: 'thought', key: 'thoughtId' },
}

/** The series that a kind begins anew, as its index 0. */
export const seriesRestarts: Readonly<Partial<Record<EventKind, Series>>> = {
  'content-replace': { name: 'content', key: 'contentId' },
}

/** How events of a kind may be reduced. Other kinds for clients are always delivered. */
export const kindBackpressure: Readonly<Partial<Record<EventKind, BackpressureRule>>> = {
  'content-delta': { merge: 'append' },
  'tool-arguments-delta': { merge: 'append' },
  'tool-progress': { merge: 'replace' },
  'file-write': { merge: 'append' },
  'data-write': { merge: 'replace' },
  'dataset-write': { merge: 'append' },
  'artifact-delta': { merge: 'append' },
  'thought-delta': { merge: 'append', drop: true },
  'thought-stream': { drop: true },
}

/** What is hidden from which audience. */
export const kindRedactions: Readonly<Partial<Record<EventKind, Redaction>>> = {
  'task-status': { removed: { '/error/details': ['user', 'observer'] } },
  'tool-start': { removed: { '/arguments': ['observer'], '/metadata/toolArgs': ['observer'], '/metadata/signature': ['user', 'coordinator', 'parent', 'observer'] } },
  'tool-arguments-delta': { hidden: ['observer'] },
  'tool-progress': { removed: { '/metadata/chunk': ['observer'], '/metadata/data': ['observer'] } },
  'tool-complete': { removed: { '/result': ['observer'], '/metadata/output': ['observer'] } },
  'input-required': { removed: { '/options': ['observer'], '/schema': ['observer'], '/metadata/toolCall': ['observer'] } },
  'input-received': { removed: { '/userId': ['observer'], '/metadata/callDigest': ['parent', 'observer'] } },
  'auth-required': { removed: { '/authUrl': ['coordinator', 'parent', 'observer'] } },
  'auth-completed': { hidden: ['observer'] },
  'thought-stream': { removed: { '/metadata/alternatives': ['user', 'coordinator', 'parent', 'observer'], '/metadata/signature': ['user', 'coordinator', 'parent', 'observer'] } },
  'task-error': { removed: { '/error/details': ['user', 'observer'] } },
}
