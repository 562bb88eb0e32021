// Tests the rules of tasks: status, result and end.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { created, describeCases, status } from './cases.ts'
import { verify } from './support.ts'

describeCases('tasks', {
  'accepts a result before the final status': {
    events: [created, { kind: 'task-complete' }, status('completed')],
    rules: [],
  },
  'accepts a final status before the result': {
    events: [created, status('completed'), { kind: 'task-complete' }],
    rules: [],
  },
  'rejects a second final status after the result': {
    events: [created, { kind: 'task-complete' }, status('completed'), status('completed')],
    rules: ['nothing-after-end'],
  },
  'accepts a repeated status': {
    events: [created, status('working'), status('working'), status('completed')],
    rules: [],
  },
  'accepts result artifacts of a subtask, and reports unknown ones': {
    events: [
      created,
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'data-write', taskId: 'sub', artifactId: 'a', data: {} },
      { kind: 'task-complete', taskId: 'sub', artifacts: ['a'] },
      { ...status('completed'), taskId: 'sub' },
      { kind: 'task-complete', artifacts: ['a', 'b'] },
      status('completed'),
    ],
    rules: ['result-artifacts'],
  },
  'reports submitted after working, even if the task was joined late': {
    events: [status('working'), status('submitted'), status('completed')],
    options: { startIndex: 3 },
    rules: ['status-order'],
  },
  'reports a task-created after other events of a task that was joined late': {
    events: [{ kind: 'content-delta', delta: 'a', index: 0 }, created, status('failed')],
    options: { startIndex: 2, mode: 'standard' },
    rules: ['created-first'],
  },
  'reports values that are not events': {
    events: [{ ...created, initiator: undefined }, { kind: 5 }],
    rules: ['well-formed', 'well-formed'],
  },
  'accepts tasks without a task-created in lenient mode': {
    events: [status('submitted'), status('working'), status('completed')],
    options: { mode: 'lenient' },
    rules: [],
  },
})

describe('times of a task', () => {
  /** A minute of a day in UTC, as text with an offset in hours; 0 is `Z`. */
  const timestamp = fc
    .tuple(fc.nat(3), fc.constantFrom(-1, 0, 0, 1, 2), fc.constantFrom('', '.000', '.0000000'))
    .map(([minute, hours, fraction]) => {
      const local = new Date(Date.UTC(2026, 0, 1, 12 + hours, minute)).toISOString().slice(0, 19)
      const offset = hours === 0 ? 'Z' : `${hours < 0 ? '-' : '+'}0${Math.abs(hours)}:00`
      return local + fraction + offset
    })

  it('are compared as instants, in any format', () => {
    fc.assert(
      fc.property(fc.array(timestamp, { minLength: 1, maxLength: 6 }), (timestamps) => {
        const events = timestamps.map((at, n) => ({
          ...(n === 0 ? created : status('working')),
          timestamp: at,
        })) as ContextAnyEvent[]
        const instants = timestamps.map((at) => Date.parse(at))
        const early = instants.flatMap((at, n) =>
          instants.slice(0, n).some((other) => other > at) ? [n] : [],
        )
        const found = verify(events, { mode: 'strict' }).filter(({ rule }) => rule === 'time-order')
        expect(found.map(({ eventIndex }) => eventIndex)).toEqual(early)
      }),
    )
  })
})
