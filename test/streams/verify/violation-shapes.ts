/** The parts of violations that programs read: which field they point to, and which values they hold. */
import { expect } from 'vitest'
import type { Violation } from '../../../src/streams/index.ts'

/** The path of a violation, with `*` for positions in lists, and which of its values are there. */
function shapeOf({ path, ...values }: Violation): string {
  const field = path === undefined ? [] : [path.replaceAll(/\/\d+/g, '/*')]
  const names = (['expected', 'actual'] as const).filter((name) => values[name] !== undefined)
  return [...field, ...names].join(' ')
}

/** The shapes of the violations of each rule, except those whose path can be that of any field. */
const shapes: Readonly<Record<string, readonly string[]>> = {
  'answer-after-end': ['/kind actual'],
  'answer-in-time': ['/timestamp actual'],
  'answerer-named': ['/agentId', '/agentId actual', '/userId', '/userId actual'],
  'arguments-before-start': ['/toolCallId actual'],
  'artifact-type': ['/change/type actual', '/kind actual'],
  'artifact-version': ['/metadata/version expected actual', '/version expected actual', 'expected actual'],
  'attempt-order': ['/error/attempt expected actual'],
  'auth-once': ['/authId actual'],
  'auth-open': ['/authId actual'],
  'auth-url': ['/authUrl'],
  'auth-url-safe': ['/authUrl actual'],
  'children-end-first': ['expected actual'],
  'chunk-decodes': ['/data'],
  'chunk-index': ['/index expected actual'],
  'confidence-range': ['/metadata/confidence'],
  'created-first': ['', '/kind expected actual'],
  'created-once': [''],
  'completed-status': [''],
  'delta-index': ['/index expected actual'],
  'error-with-failure': ['/error'],
  'expected-version': [
    '/baseVersion actual',
    '/baseVersion expected actual',
    '/expectedVersion expected actual',
  ],
  'fatal-error-ends-task': ['/kind', '/status actual'],
  'input-details': ['/metadata/toolCall', '/options'],
  'input-once': ['/inputId actual'],
  'input-open': ['/inputId actual'],
  'internal-hidden': ['/kind actual'],
  'iteration-order': ['/iteration expected actual', '/stage expected actual'],
  'known-parent': ['/parentTaskId actual', '/parentTaskId expected actual', 'expected actual'],
  'no-result-after-failure': ['/kind actual'],
  'nothing-after-end': ['/kind actual'],
  'one-write': ['/index expected actual'],
  'progress-order': ['/metadata/stepsCompleted expected actual', '/progress expected actual'],
  'progress-range': ['/progress'],
  'related-known': ['/metadata/relatedTo actual'],
  'result-artifacts': ['/artifacts/* actual'],
  'result-repeats-content': ['/content'],
  'segment-open-at-failure': [''],
  'segment-open-at-success': [''],
  'segment-restarts': ['/index expected actual'],
  'silent-while-waiting': ['/kind actual'],
  'single-result': [''],
  'size-hints': ['expected actual'],
  'status-order': ['/status actual'],
  'stream-error-outside': ['/error/scope actual'],
  'subtask-first': ['/kind expected actual'],
  'subtask-initiator': ['/initiator expected actual'],
  'subtask-pair': ['actual'],
  'subtask-parent': ['/parentTaskId expected actual', '/subtaskId actual'],
  'task-ends': ['actual'],
  'thought-index': ['/index expected actual'],
  'thought-labels': ['/thoughtType expected actual', '/verbosity expected actual'],
  'thought-once': ['/thoughtId actual'],
  'time-order': ['/timestamp expected actual'],
  'timestamp-format': ['/timestamp', '/timestampEnd'],
  'tool-alone': ['/kind actual', '/metadata/concurrent actual'],
  'tool-call-once': ['/toolCallId actual'],
  'tool-call-open': ['/toolCallId actual'],
  'tool-error-before-end': ['/error/toolCallId actual'],
  'tool-name': ['/toolName expected actual'],
  'tool-open-at-failure': [''],
  'tool-open-at-success': [''],
  'tool-outcome': ['/error', '/error actual', '/result actual'],
  'unknown-kind': ['/kind actual'],
  'user-answers': ['/providedBy expected actual'],
  'waiting-for-something': ['actual'],
  'whole-repeats-deltas': ['/arguments', '/content'],
  'write-open-at-success': [''],
}

/** Checks that violations point to the right fields, and hold the values they are about. */
export function expectKnownShapes(violations: readonly Violation[]): void {
  for (const violation of violations) {
    const known = shapes[violation.rule]
    if (known === undefined) continue
    const shape = shapeOf(violation)
    expect({ violation, shape, isKnown: known.includes(shape) }).toMatchObject({ isKnown: true })
  }
}
