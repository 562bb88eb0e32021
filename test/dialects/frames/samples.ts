/** One event of each kind with all its fields, to check which fields are lost. */
import type { ContextAnyEvent, ContextEvent, EventKind, EventOf } from '../../../src/index.ts'

type Sample<K extends EventKind> = Omit<EventOf<K>, 'kind' | 'timestamp'>

const samples: { readonly [K in EventKind]: Sample<K> } = {
  'task-created': { initiator: 'agent', metadata: { agentId: 'a', model: 'm', input: 'hi' } },
  'task-status': {
    status: 'failed',
    message: 'Sorry.',
    error: { code: 'internal', message: 'Broken.', retry: 'terminal' },
    metadata: { reason: 'broken', blockedBy: 'x' },
  },
  'task-complete': { content: 'All.', artifacts: ['a'], metadata: { duration: 1 } },
  'content-delta': {
    contentId: 'x',
    delta: 'a',
    index: 0,
    indexEnd: 2,
    timestampEnd: '2026-01-31T10:30:01.000Z',
  },
  'content-complete': { contentId: 'x', content: 'abc', finishReason: 'stop', metadata: { usage: [] } },
  'tool-start': { toolCallId: 't', toolName: 'ls', arguments: { a: 1 }, metadata: { provider: 'local' } },
  'tool-arguments-delta': { toolCallId: 't', toolName: 'ls', delta: '{', index: 0 },
  'tool-progress': {
    toolCallId: 't',
    progress: 0.5,
    message: 'half',
    metadata: { stream: 'stdout', chunk: 'x', step: 'one' },
  },
  'tool-complete': {
    toolCallId: 't',
    toolName: 'ls',
    success: true,
    result: ['a'],
    error: 'a warning',
    metadata: { duration: 5, cached: true },
  },
  'input-required': { inputId: 'i', inputType: 'custom', prompt: '?' },
  'input-received': { inputId: 'i', providedBy: 'user', userId: 'u' },
  'input-canceled': { inputId: 'i', reason: 'expired' },
  'auth-required': { authId: 'a', authType: 'oauth2', prompt: '?' },
  'auth-completed': { authId: 'a', userId: 'u' },
  'auth-failed': { authId: 'a', reason: 'denied' },
  'file-write': { artifactId: 'f', data: 'x', index: 0, complete: true },
  'data-write': { artifactId: 'd', data: { a: 1 } },
  'dataset-write': { artifactId: 's', rows: [{ a: 1 }], index: 0, complete: true },
  'artifact-delta': {
    artifactId: 'f',
    baseVersion: 1,
    version: 2,
    change: { type: 'text-append', text: 'y' },
  },
  'subtask-created': { subtaskId: 'sub', prompt: 'look' },
  'thought-delta': { thoughtId: 'th', delta: 'hm', index: 0 },
  'thought-stream': {
    thoughtId: 'th',
    thoughtType: 'reasoning',
    verbosity: 'normal',
    content: 'hm',
    index: 0,
  },
  'task-error': { error: { code: 'internal', message: 'x', retry: 'retrying' } },
  'internal:thought-process': { iteration: 1, stage: 'pre-llm', reasoning: 'r', state: {} },
  'internal:llm-call': { iteration: 1, model: 'm', messageCount: 1, toolCount: 0 },
  'internal:checkpoint': { iteration: 1 },
  'internal:tool-start': { toolCallId: 't', toolName: 'ls' },
  'internal:tool-complete': { toolCallId: 't', toolName: 'ls', success: true },
}

/** The sample event of a kind, in the task `main`. */
export function sampleOf<K extends EventKind>(kind: K): ContextEvent<EventOf<K>> {
  const at = { contextId: 'c', taskId: 'main', timestamp: '2026-01-31T10:30:00.000Z' }
  return { kind, ...at, ...samples[kind] } as unknown as ContextEvent<EventOf<K>>
}

/** All sample events. */
export const allSamples: readonly ContextAnyEvent[] = (Object.keys(samples) as EventKind[]).map(
  (kind) => sampleOf(kind) as ContextAnyEvent,
)
