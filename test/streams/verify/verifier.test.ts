// Proves the verifier: each rule by a stream that breaks it and no other, legal streams whole and in part.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContextAnyEvent, run, type UnknownEvent } from '../../../src/index.ts'
import {
  eventRules,
  type VerifierOptions,
  type VerifyMode,
  type Violation,
  verifier,
} from '../../../src/streams/index.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { runs } from '../../support/runs.ts'
import { errorsIn, soundStreams, strayStreams, verify } from './support.ts'

const root = fileURLToPath(new URL('../../fixtures/streams/rules/', import.meta.url))

interface Expected {
  readonly options?: VerifierOptions
  readonly violations: Pick<Violation, 'rule' | 'eventIndex' | 'path'>[]
}

function readFixture(rule: string): { events: (ContextAnyEvent | UnknownEvent)[]; expected: Expected } {
  const lines = readFileSync(`${root}${rule}/stream.jsonl`, 'utf8').trimEnd().split('\n')
  const expected = JSON.parse(readFileSync(`${root}${rule}/expected.json`, 'utf8')) as Expected
  return { events: lines.map((line) => JSON.parse(line) as ContextAnyEvent), expected }
}

const modes: readonly VerifyMode[] = ['strict', 'standard', 'lenient']
const checked = eventRules.filter(({ checkedBy }) => checkedBy !== 'none')

describe('rules', () => {
  it('have a fixture each, but for those nothing in a stream can break', () => {
    expect(readdirSync(root).sort()).toEqual(checked.map(({ rule }) => rule).sort())
    for (const { rule, severity, checkedBy } of eventRules) {
      if (checkedBy === 'none') expect(existsSync(root + rule) || severity.strict !== 'off').toBe(false)
    }
  })

  it('cover K01 to K48', () => {
    const ids = Array.from({ length: 48 }, (_, i) => `K${String(i + 1).padStart(2, '0')}`)
    expect([...new Set(eventRules.map(({ id }) => id))]).toEqual(ids)
  })

  it.each(checked)('$rule is broken by its fixture, and no other rule is', ({ rule, severity }) => {
    const { events, expected } = readFixture(rule)
    expect(expected.violations.map((violation) => violation.rule)).toEqual([rule])
    const found = verify(events, { mode: 'strict', ...expected.options })
    expect(
      found.map(({ rule: broken, eventIndex, path }) => ({
        rule: broken,
        eventIndex,
        ...(path !== undefined && { path }),
      })),
    ).toEqual(expected.violations)
    for (const mode of modes) {
      const severities = verify(events, { ...expected.options, mode })
        .filter((violation) => violation.rule === rule)
        .map((violation) => violation.severity)
      expect(severities).toEqual(severity[mode] === 'off' ? [] : [severity[mode]])
    }
  })

  it.each(checked)('$rule is found broken as well when the state is stored in between', ({ rule }) => {
    const { events, expected } = readFixture(rule)
    const machine = verifier({ mode: 'strict', ...expected.options })
    let state = machine.initial
    const found: Violation[] = []
    for (const event of events) {
      const step = machine.step(JSON.parse(JSON.stringify(state)) as typeof state, event)
      found.push(...step.out)
      state = step.state
    }
    found.push(...machine.end(JSON.parse(JSON.stringify(state)) as typeof state).out)
    expect(found).toEqual(verify(events, { mode: 'strict', ...expected.options }))
  })
})

describe('legal streams', () => {
  it('break no rule', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 80 }), (events) => {
        expect(verify(events)).toEqual([])
        expect(errorsIn(events)).toEqual([])
        expect(verify(events, { mode: 'lenient' })).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('break no rule when joined in their midst', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 80 }), fc.nat(), (events, n) => {
        const joinedAt = 1 + (n % events.length)
        expect(verify(events.slice(joinedAt), { startIndex: joinedAt })).toEqual([])
        expect(errorsIn(events.slice(joinedAt), { mode: 'strict', startIndex: joinedAt })).toEqual([])
      }),
      { numRuns: runs(500) },
    )
  })

  it('are told from those that lose an event that matters', () => {
    const matters = ['task-created', 'content-delta', 'tool-start', 'input-required', 'auth-required']
    fc.assert(
      fc.property(soundStreams({ maxChoices: 60, subtasks: false }), fc.nat(), (events, n) => {
        const at = n % events.length
        const lost = events[at]
        const isNeeded =
          lost !== undefined && matters.includes(lost.kind) && isReferred(events.slice(at + 1), lost)
        fc.pre(isNeeded)
        expect(errorsIn(events.toSpliced(at, 1))).not.toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })
})

/** Whether a later event has need of one. */
function isReferred(later: readonly ContextAnyEvent[], lost: ContextAnyEvent): boolean {
  switch (lost.kind) {
    case 'task-created':
      return later.length > 0
    case 'content-delta': {
      const next = later.find(({ kind }) => kind === 'content-delta' || kind === 'content-complete')
      return next?.kind === 'content-delta' && next.index > lost.index
    }
    case 'tool-start':
      return later.some((event) => event.kind === 'tool-complete' && event.toolCallId === lost.toolCallId)
    case 'input-required':
      return later.some((event) => 'inputId' in event && event.inputId === lost.inputId)
    default:
      return later.some((event) => 'authId' in event && 'authId' in lost && event.authId === lost.authId)
  }
}

const context = { contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' }
const created: ContextAnyEvent = { kind: 'task-created', ...context, initiator: 'user' }
const status = (name: string): ContextAnyEvent =>
  ({ kind: 'task-status', ...context, status: name }) as ContextAnyEvent
const rulesOf = (violations: readonly Violation[]): string[] => violations.map(({ rule }) => rule)

const record = (more: object): object => ({ kind: 'data-write', artifactId: 'd', data: {}, ...more })
const change = (baseVersion: number, version: number): object => ({
  kind: 'artifact-delta',
  artifactId: 'd',
  baseVersion,
  version,
  change: { type: 'merge-patch', patch: {} },
})

const thinking = { kind: 'internal:thought-process', reasoning: '', state: {} }

/** Streams that look odd and are legal, or are wrong in one more way than their rule's fixture. */
const cases: Readonly<Record<string, { events: object[]; options?: VerifierOptions; rules: string[] }>> = {
  'the result before the status': {
    events: [created, { kind: 'task-complete' }, status('completed')],
    rules: [],
  },
  'the status before the result': {
    events: [created, status('completed'), { kind: 'task-complete' }],
    rules: [],
  },
  'the status twice after the result': {
    events: [created, { kind: 'task-complete' }, status('completed'), status('completed')],
    rules: ['nothing-after-end'],
  },
  'the status said again with another message': {
    events: [created, status('working'), status('working'), status('completed')],
    rules: [],
  },
  'a subtask that begins before it is announced': {
    events: [
      created,
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('completed'),
    ],
    rules: [],
  },
  'a subtask that is announced and never begins': {
    events: [created, { kind: 'subtask-created', subtaskId: 'sub', prompt: '' }, status('failed')],
    rules: ['subtask-pair'],
  },
  'a subtask announced twice': {
    events: [
      created,
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('completed'),
    ],
    rules: ['subtask-parent'],
  },
  'a subtask that is announced and begins with something else': {
    events: [
      created,
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-status', taskId: 'sub', parentTaskId: 'task', status: 'working' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('completed'),
    ],
    rules: ['created-first'],
  },
  'a subtask joined late tells its parent': {
    events: [
      { kind: 'task-status', taskId: 'sub', status: 'working' },
      { kind: 'task-status', taskId: 'sub', parentTaskId: 'task', status: 'working' },
      { kind: 'task-status', taskId: 'sub', parentTaskId: 'other', status: 'completed' },
    ],
    options: { startIndex: 9 },
    rules: ['known-parent'],
  },
  'an artifact a subtask completed, and one nobody knows of': {
    events: [
      created,
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'data-write', taskId: 'sub', artifactId: 'a', data: {} },
      { kind: 'task-complete', taskId: 'sub', artifacts: ['a'] },
      { kind: 'task-complete', artifacts: ['a', 'b'] },
    ],
    rules: ['result-artifacts'],
  },
  'a task that is its own parent, and one that announces itself': {
    events: [
      { ...created, initiator: 'agent', parentTaskId: 'task' },
      { kind: 'subtask-created', subtaskId: 'task', prompt: '', parentTaskId: 'task' },
      status('completed'),
    ],
    rules: ['known-parent', 'subtask-parent'],
  },
  'a parent that changes': {
    events: [
      created,
      { kind: 'content-delta', delta: '', index: 0, parentTaskId: 'other' },
      status('failed'),
    ],
    rules: ['known-parent', 'segment-open-at-failure'],
  },
  'a task of a parent that has ended': {
    events: [
      created,
      status('completed'),
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
    ],
    rules: ['known-parent'],
  },
  'waiting said before what is waited for': {
    events: [
      created,
      status('waiting-input'),
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '' },
      { kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' },
      status('working'),
      status('completed'),
    ],
    rules: [],
  },
  'waiting when the stream ends': {
    events: [created, status('waiting-auth')],
    rules: ['task-ends', 'waiting-for-something'],
  },
  'a fatal error and then a result': {
    events: [
      created,
      { kind: 'task-error', error: { code: 'internal', message: '', retry: 'terminal' } },
      { kind: 'task-complete' },
    ],
    rules: ['fatal-error-ends-task'],
  },
  'an earlier iteration': {
    events: [
      created,
      { kind: 'internal:llm-call', iteration: 1, model: 'm', messageCount: 1, toolCount: 0 },
      { kind: 'internal:checkpoint', iteration: 0 },
      status('completed'),
    ],
    rules: ['iteration-order'],
  },
  'attempts that begin again': {
    events: [
      created,
      ...[1, 2, 1, 2].map((attempt) => ({
        kind: 'task-error',
        error: { code: 'timeout', message: '', retry: 'retrying', attempt },
      })),
      status('completed'),
    ],
    rules: [],
  },
  'arguments that are streamed and then others': {
    events: [
      created,
      { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: '{"a":', index: 0 },
      { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: '1}', index: 1 },
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: { a: 2 } },
      { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: true },
      status('completed'),
    ],
    rules: ['whole-repeats-deltas'],
  },
  'arguments as the provider spells them, and none at all': {
    events: [
      created,
      {
        kind: 'tool-arguments-delta',
        toolCallId: 'c',
        toolName: 't',
        delta: '{ "b":2, "a": 1.0 }',
        index: 0,
      },
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: { a: 1, b: 2 } },
      { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: true },
      { kind: 'tool-arguments-delta', toolCallId: 'd', toolName: 't', delta: '', index: 0 },
      { kind: 'tool-start', toolCallId: 'd', toolName: 't', arguments: {} },
      { kind: 'tool-complete', toolCallId: 'd', toolName: 't', success: true },
      status('completed'),
    ],
    rules: [],
  },
  'a tool that succeeds with an error, and one that fails without': {
    events: [
      created,
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} },
      { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: true, error: 'no' },
      { kind: 'tool-start', toolCallId: 'd', toolName: 't', arguments: {} },
      { kind: 'tool-progress', toolCallId: 'd', progress: 0, metadata: { stepsCompleted: 2, stepsTotal: 1 } },
      { kind: 'tool-complete', toolCallId: 'd', toolName: 't', success: false },
      status('completed'),
    ],
    rules: ['tool-outcome', 'progress-order', 'tool-outcome'],
  },
  'a thought that is not its deltas, one that goes on, and one out of turn': {
    events: [
      created,
      { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 },
      { kind: 'thought-delta', thoughtId: 'h', delta: 'c', index: 2 },
      ...['h', 'k'].map((thoughtId, index) => ({
        kind: 'thought-stream',
        thoughtId,
        thoughtType: 'planning',
        verbosity: 'brief',
        content: 'abc',
        index,
      })),
      { kind: 'thought-delta', thoughtId: 'k', delta: 'a', index: 0 },
      { kind: 'thought-delta', thoughtId: 'l', delta: 'a', index: 0 },
      {
        kind: 'thought-stream',
        thoughtId: 'l',
        thoughtType: 'planning',
        verbosity: 'brief',
        content: 'b',
        index: 2,
      },
      status('completed'),
    ],
    rules: ['delta-index', 'thought-once', 'whole-repeats-deltas'],
  },
  'requests of another task, and answers nobody asked for': {
    events: [
      created,
      { ...created, taskId: 'other' },
      { kind: 'input-required', inputId: 'i', inputType: 'tool-execution', prompt: '' },
      { kind: 'input-canceled', taskId: 'other', inputId: 'i', reason: 'expired' },
      { kind: 'input-received', inputId: 'i', providedBy: 'agent', agentId: 'a', userId: 'u' },
      { kind: 'auth-required', authId: 'i', authType: 'oauth2', prompt: '' },
      { kind: 'auth-failed', authId: 'i', reason: 'denied' },
      { kind: 'auth-failed', authId: 'i', reason: 'denied' },
      status('completed'),
      { kind: 'task-status', taskId: 'other', status: 'completed' },
    ],
    rules: ['input-details', 'input-open', 'answerer-named', 'auth-url', 'auth-open'],
  },
  'versions and types of artifacts': {
    events: [
      created,
      {
        kind: 'artifact-delta',
        artifactId: 'a',
        baseVersion: 0,
        version: 2,
        change: { type: 'merge-patch', patch: {} },
      },
      { kind: 'data-write', artifactId: 'a', data: {}, metadata: { version: 3 } },
      { kind: 'data-write', artifactId: 'a', data: {}, metadata: { version: 3 } },
      {
        kind: 'artifact-delta',
        artifactId: 'a',
        baseVersion: 1,
        version: 2,
        change: { type: 'json-patch', patch: [] },
      },
      { kind: 'file-write', artifactId: 'a', data: '', index: 0, complete: true },
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [{}, {}],
        index: 0,
        complete: false,
        metadata: { totalRows: 2 },
      },
      { kind: 'dataset-write', artifactId: 'd', rows: [], index: 1, complete: true },
      {
        kind: 'artifact-delta',
        artifactId: 'd',
        baseVersion: 1,
        version: 2,
        change: { type: 'rows-append', rows: [] },
      },
      status('completed'),
    ],
    rules: ['expected-version', 'artifact-version', 'artifact-version', 'expected-version', 'artifact-type'],
  },
  'half a surrogate pair, and bytes as long as they were said to be': {
    events: [
      created,
      { kind: 'file-write', artifactId: 'f', data: '\ud83c', index: 0, complete: false },
      { kind: 'file-write', artifactId: 'f', data: '\udf0a', index: 1, complete: true },
      {
        kind: 'file-write',
        artifactId: 'b',
        data: 'YWI=',
        index: 0,
        complete: true,
        encoding: 'base64',
        metadata: { totalSize: 2 },
      },
      status('completed'),
    ],
    rules: ['chunk-decodes', 'chunk-decodes'],
  },
  'rows without a column, and a schema nobody reads': {
    events: [
      created,
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [{}],
        index: 0,
        complete: true,
        schema: { required: ['a'] },
      },
      {
        kind: 'dataset-write',
        artifactId: 'e',
        rows: [{}],
        index: 0,
        complete: true,
        schema: { $ref: '#/x', required: ['a'] },
      },
      {
        kind: 'dataset-write',
        artifactId: 'g',
        rows: [{ n: null, b: true, i: 1, l: [], o: {}, x: 1, r: 1 }, { n: 1 }, { i: 1.5 }],
        index: 0,
        complete: true,
        schema: {
          properties: {
            n: { type: ['null', 'string'] },
            b: { type: 'boolean' },
            i: { type: 'integer' },
            l: { type: 'array' },
            o: { type: 'object' },
            x: { type: 'strange' },
            r: { $ref: '#/y', type: 'string' },
          },
        },
      },
      status('completed'),
    ],
    rules: ['rows-match-schema', 'rows-match-schema'],
  },
  'a status of before, of a task that was joined late': {
    events: [status('working'), status('submitted'), status('completed')],
    options: { startIndex: 3 },
    rules: ['status-order'],
  },
  'a subtask is nothing to wait for where an input is awaited': {
    events: [
      created,
      status('waiting-input'),
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('working'),
      status('completed'),
    ],
    rules: ['waiting-for-something'],
  },
  'waiting for a subtask that begins, and then is announced': {
    events: [
      created,
      status('waiting-subtask'),
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('working'),
      status('completed'),
    ],
    rules: [],
  },
  'after the end, a field of somebody’s own that is called as the id of a request': {
    events: [created, status('completed'), { kind: 'content-delta', delta: '', index: 0, inputId: null }],
    options: { mode: 'standard' },
    rules: ['nothing-after-end'],
  },
  'the beginning of a task that was joined before it': {
    events: [{ kind: 'content-delta', delta: 'a', index: 0 }, created, status('failed')],
    options: { startIndex: 2, mode: 'standard' },
    rules: ['created-first'],
  },
  'tasks joined late that are their own parent and their own grandparent': {
    events: [
      { kind: 'task-status', status: 'failed', parentTaskId: 'task' },
      { ...created, taskId: 'a', initiator: 'agent', parentTaskId: 'b' },
      { ...created, taskId: 'b', initiator: 'agent', parentTaskId: 'a' },
    ],
    options: { startIndex: 2, mode: 'standard' },
    rules: ['known-parent', 'known-parent', 'task-ends', 'task-ends'],
  },
  'arguments of a call of another task, while they are written and when it starts': {
    events: [
      created,
      { ...created, taskId: 'other' },
      { kind: 'tool-arguments-delta', taskId: 'other', toolCallId: 'c', toolName: 't', delta: '{', index: 0 },
      { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: '}', index: 1 },
      { kind: 'tool-start', toolCallId: 'c', toolName: 'u', arguments: {} },
      { kind: 'task-status', taskId: 'other', status: 'completed' },
      { kind: 'tool-complete', toolCallId: 'c', toolName: 'u', success: true },
      status('completed'),
    ],
    rules: ['arguments-before-start', 'arguments-before-start'],
  },
  'a call that failed and has null for its result': {
    events: [
      created,
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} },
      { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: false, error: 'no', result: null },
      status('completed'),
    ],
    rules: [],
  },
  'a version that is older than the current one, which stays': {
    events: [
      created,
      record({ version: 2 }),
      record({ version: 1 }),
      record({ version: 3 }),
      status('completed'),
    ],
    rules: ['artifact-version'],
  },
  'a writer that comes too late, and one that does not': {
    events: [
      created,
      record({}),
      record({ expectedVersion: 1 }),
      record({ expectedVersion: 1 }),
      record({ expectedVersion: 2 }),
      change(1, 2),
      change(3, 4),
      status('completed'),
    ],
    rules: ['expected-version', 'expected-version'],
  },
  'a change that is missing': {
    events: [
      created,
      record({}),
      change(2, 3),
      change(3, 4),
      record({ expectedVersion: 6 }),
      change(7, 8),
      status('completed'),
    ],
    rules: ['expected-version', 'expected-version'],
  },
  'a change of nothing, and one that makes nothing newer': {
    events: [created, change(0, 1), change(1, 1), change(1, 2), status('completed')],
    rules: ['expected-version', 'artifact-version'],
  },
  'versions that are counted from 0': {
    events: [created, record({ version: 0 }), change(0, 1), record({ version: 5 }), status('completed')],
    rules: ['artifact-version'],
  },
  'a file that a task did not complete, and another one writes': {
    events: [
      created,
      { ...created, taskId: 'other' },
      { kind: 'file-write', artifactId: 'f', taskId: 'other', data: 'a', index: 0, complete: false },
      { kind: 'file-write', artifactId: 'g', taskId: 'other', data: 'a', index: 0, complete: false },
      { kind: 'file-write', artifactId: 'g', data: 'b', index: 1, complete: false },
      { kind: 'task-status', taskId: 'other', status: 'failed' },
      { kind: 'file-write', artifactId: 'f', data: 'a', index: 0, complete: true },
      { kind: 'file-write', artifactId: 'g', data: 'c', index: 2, complete: true },
      status('completed'),
    ],
    rules: [],
  },
  'artifacts that may have been written before the stream was joined, or by a subtask nobody knows the parent of':
    {
      events: [
        { ...record({ version: 2 }), taskId: 'other' },
        { kind: 'task-complete', artifacts: ['d'] },
        { kind: 'task-complete', taskId: 'other' },
      ],
      options: { startIndex: 5 },
      rules: [],
    },
  'an artifact of more writers than are remembered': {
    events: [
      created,
      record({}),
      ...Array.from({ length: 17 }, (_, n) => [
        { ...created, taskId: `t${n}` },
        { ...record({}), taskId: `t${n}` },
        { kind: 'task-status', taskId: `t${n}`, status: 'completed' },
      ]).flat(),
      { kind: 'task-complete', artifacts: ['d'] },
    ],
    rules: [],
  },
  'an artifact only another task completed': {
    events: [
      created,
      { ...created, taskId: 'other' },
      { ...record({}), taskId: 'other' },
      { kind: 'task-complete', artifacts: ['d'] },
      { kind: 'task-complete', taskId: 'other', artifacts: ['d'] },
    ],
    rules: ['result-artifacts'],
  },
  'rows of a later version, and rows that are appended, without a column': {
    events: [
      created,
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [{ a: 1 }],
        index: 0,
        complete: true,
        schema: { required: ['a'] },
      },
      { kind: 'dataset-write', artifactId: 'd', rows: [{}], index: 0, complete: true },
      { ...change(2, 3), change: { type: 'rows-append', rows: [{ a: 1 }, {}] } },
      status('completed'),
    ],
    rules: ['rows-match-schema', 'rows-match-schema'],
  },
  'a schema that is repeated with its members in another order': {
    events: [
      created,
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [],
        index: 0,
        complete: false,
        schema: { a: { b: 1, c: 2 }, d: 3 },
      },
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [],
        index: 1,
        complete: true,
        schema: { d: 3, a: { c: 2, b: 1 } },
      },
      status('completed'),
    ],
    rules: [],
  },
  'a merged delta that ends before it begins': {
    events: [
      created,
      { kind: 'content-delta', delta: '', index: 0 },
      { kind: 'content-delta', delta: '', index: 1, indexEnd: 0 },
      status('failed'),
    ],
    options: { mode: 'standard' },
    rules: ['delta-index'],
  },
  'a merged chunk that ends before it begins': {
    events: [
      created,
      { kind: 'file-write', artifactId: 'f', data: 'a', index: 0, complete: false },
      { kind: 'file-write', artifactId: 'f', data: 'b', index: 1, indexEnd: 0, complete: true },
      status('completed'),
    ],
    rules: ['chunk-index'],
  },
  'a text of empty deltas that is repeated as another': {
    events: [
      created,
      { kind: 'content-delta', delta: '', index: 0 },
      { kind: 'content-complete', content: 'a' },
      status('completed'),
    ],
    rules: ['whole-repeats-deltas'],
  },
  'speech and a tool while an authentication is awaited': {
    events: [
      created,
      { kind: 'auth-required', authId: 'a', authType: 'api-key', prompt: '' },
      status('waiting-auth'),
      { kind: 'content-delta', delta: 'a', index: 0 },
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} },
      status('failed'),
    ],
    options: { mode: 'standard' },
    rules: ['silent-while-waiting', 'silent-while-waiting'],
  },
  'progress that falls, and falls less': {
    events: [
      created,
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} },
      ...[0.5, 0.2, 0.4, 0.5].map((progress) => ({ kind: 'tool-progress', toolCallId: 'c', progress })),
      { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: true },
      status('completed'),
    ],
    rules: ['progress-order', 'progress-order'],
  },
  'arguments that are blank, and are some': {
    events: [
      created,
      { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: ' ', index: 0 },
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: { a: 1 } },
      { kind: 'tool-arguments-delta', toolCallId: 'd', toolName: 't', delta: ' ', index: 0 },
      { kind: 'tool-start', toolCallId: 'd', toolName: 't', arguments: {} },
      status('failed'),
    ],
    options: { mode: 'standard' },
    rules: ['whole-repeats-deltas'],
  },
  'arguments that are longer than what is remembered of them': {
    events: [
      created,
      ...['{"a":"', 'b'.repeat(65_536), '"}'].map((delta, index) => ({
        kind: 'tool-arguments-delta',
        toolCallId: 'c',
        toolName: 't',
        delta,
        index,
      })),
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} },
      status('failed'),
    ],
    options: { mode: 'standard' },
    rules: [],
  },
  'an answer in the last moment, and one a moment later': {
    events: [
      created,
      ...['i', 'k'].map((inputId) => ({
        kind: 'input-required',
        inputId,
        inputType: 'custom',
        prompt: '',
        metadata: { timeout: 60 },
      })),
      {
        kind: 'input-received',
        inputId: 'i',
        providedBy: 'user',
        userId: 'u',
        timestamp: '2026-01-01T00:01:00Z',
      },
      {
        kind: 'input-received',
        inputId: 'k',
        providedBy: 'user',
        userId: 'u',
        timestamp: '2026-01-01T00:01:00.001Z',
      },
      { ...status('completed'), timestamp: '2026-01-01T00:02:00Z' },
    ],
    rules: ['answer-in-time'],
  },
  'requests of a stream joined late that are answered twice': {
    events: [
      { kind: 'input-canceled', inputId: 'i', reason: 'expired' },
      { kind: 'input-canceled', inputId: 'i', reason: 'expired' },
      { kind: 'auth-failed', authId: 'i', reason: 'denied' },
      { kind: 'auth-failed', authId: 'i', reason: 'denied' },
      status('failed'),
    ],
    options: { startIndex: 1 },
    rules: ['input-open', 'auth-open'],
  },
  'attempts of one error, of which one is told twice and one begins anew': {
    events: [
      created,
      ...[1, 2, 2, 3, 1, 2].map((attempt) => ({
        kind: 'task-error',
        error: { code: 'timeout', message: '', retry: 'retrying', attempt },
      })),
      status('completed'),
    ],
    rules: ['attempt-order'],
  },
  'iterations and their stages': {
    events: [
      created,
      ...['pre-llm', 'post-tool', 'pre-tool', 'post-tool'].map((stage) => ({
        ...thinking,
        iteration: 0,
        stage,
      })),
      { kind: 'internal:llm-call', iteration: 1, model: 'm', messageCount: 1, toolCount: 1 },
      { ...thinking, iteration: 1, stage: 'pre-llm' },
      { ...thinking, iteration: 1, stage: 'post-tool' },
      { kind: 'internal:checkpoint', iteration: 1 },
      { ...thinking, iteration: 1, stage: 'post-llm' },
      status('completed'),
    ],
    rules: ['iteration-order'],
  },
  'a version that is told with the first chunk': {
    events: [
      created,
      { kind: 'file-write', artifactId: 'd', data: 'a', index: 0, complete: false, version: 7 },
      { kind: 'file-write', artifactId: 'd', data: 'a', index: 1, complete: true },
      { ...change(7, 8), change: { type: 'text-append', text: 'b' } },
      status('completed'),
    ],
    rules: [],
  },
  'answers to what ended with its task': {
    events: [
      created,
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '' },
      { kind: 'auth-required', authId: 'a', authType: 'api-key', prompt: '' },
      status('canceled'),
      { kind: 'input-canceled', inputId: 'i', reason: 'task-ended' },
      { kind: 'auth-completed', authId: 'a', userId: 'u' },
      { kind: 'auth-failed', authId: 'b', reason: 'denied' },
    ],
    rules: ['answer-after-end', 'answer-after-end', 'nothing-after-end'],
  },
  'waiting that is said again when what was waited for has come': {
    events: [
      created,
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '' },
      status('waiting-input'),
      { kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' },
      status('waiting-input'),
      status('working'),
      status('completed'),
    ],
    rules: [],
  },
  'a task that fails while it waits for nothing': {
    events: [created, status('waiting-input'), status('failed')],
    rules: [],
  },
  'a task of a parent that was canceled': {
    events: [
      created,
      status('canceled'),
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
    ],
    rules: ['known-parent'],
  },
  'more relations to nothing than are remembered': {
    events: [
      created,
      ...Array.from({ length: 70 }, (_, index) => ({
        kind: 'thought-stream',
        thoughtId: `h${index}`,
        thoughtType: 'planning',
        verbosity: 'brief',
        content: '',
        index,
        metadata: { relatedTo: `x${index}` },
      })),
      status('completed'),
    ],
    rules: Array.from({ length: 64 }, () => 'related-known'),
  },
  'no event at all': {
    events: [{ ...created, initiator: undefined }, { kind: 5 }],
    rules: ['well-formed', 'well-formed'],
  },
  'a task that begins without saying so, in lenient mode': {
    events: [status('submitted'), status('working'), status('completed')],
    options: { mode: 'lenient' },
    rules: [],
  },
}

describe('cases', () => {
  it.each(Object.entries(cases))('%s', (_, { events, options, rules }) => {
    const stream = events.map((event) => ({ ...context, ...event })) as unknown as ContextAnyEvent[]
    expect(rulesOf(verify(stream, { mode: 'strict', ...options }))).toEqual(rules)
  })

  it('a field is pointed to, whatever its name', () => {
    const [found] = verify([{ ...created, 'a/b~c': 1 } as ContextAnyEvent], { mode: 'strict' })
    expect(found).toMatchObject({ rule: 'unknown-field', path: '/a~1b~0c' })
  })

  it('what throws when it is read is no event', () => {
    const event = {
      kind: 'odd',
      get contextId(): string {
        throw new Error('no')
      },
    }
    expect(rulesOf(verify([event as UnknownEvent]))).toEqual(['well-formed'])
  })

  it('tasks nested deeper than sixteen', () => {
    const events = Array.from({ length: 18 }, (_, n) => ({
      ...created,
      taskId: `t${n}`,
      initiator: 'agent',
      ...(n > 0 && { parentTaskId: `t${n - 1}` }),
    })) as ContextAnyEvent[]
    const found = verify(events).filter(({ rule }) => rule === 'known-parent')
    expect(found).toMatchObject([{ eventIndex: 17, expected: 16, actual: 17 }])
  })

  it('positions count from where the stream was joined', () => {
    const [first] = verify([status('completed'), status('working')], { startIndex: 7 })
    expect(first).toMatchObject({
      rule: 'nothing-after-end',
      eventIndex: 8,
      contextId: 'ctx',
      taskId: 'task',
    })
  })

  it('refuses a position that is none', () => {
    expect(() => verifier({ startIndex: -1 })).toThrow(TypeError)
  })
})

describe('memory', () => {
  const many = 10_000
  const tasks = Array.from({ length: many }, (_, n) => [
    { ...created, taskId: `t${n}` },
    { ...status('completed'), taskId: `t${n}` },
  ]).flat() as ContextAnyEvent[]

  it('is bounded; it says so when it forgets, and then takes nothing unknown for wrong', () => {
    const diagnostics: string[] = []
    const { push, end } = run(verifier({ mode: 'strict' }), {
      onDiagnostic: ({ code }) => diagnostics.push(code),
    })
    for (const event of tasks) expect(push(event)).toEqual([])
    expect(diagnostics).toEqual(['state-evicted'])
    expect(push({ ...status('working'), taskId: 't0' })).toEqual([])
    expect(push({ ...status('working'), taskId: `t${many - 1}` })).toMatchObject([
      { rule: 'nothing-after-end' },
    ])
    expect(rulesOf(end())).toEqual(['task-ends'])
  })

  it('does not grow with the length of a text, nor with the number of unknown things', () => {
    const size = (events: object[]): number => {
      const runner = run(verifier({ mode: 'strict' }))
      for (const event of events) runner.push({ ...context, ...event } as ContextAnyEvent)
      return JSON.stringify(runner.state).length
    }
    const deltas = (n: number) =>
      Array.from({ length: n }, (_, index) => ({ kind: 'content-delta', delta: 'word '.repeat(100), index }))
    expect(size([created, ...deltas(2000)])).toBeLessThan(size([created, ...deltas(20)]) + 40)
    const kinds = (n: number) => Array.from({ length: n }, (_, i) => ({ kind: `kind-${i}` }))
    expect(size(kinds(3000))).toBeLessThan(12_000)
    const args = Array.from({ length: 200 }, (_, index) => ({
      kind: 'tool-arguments-delta',
      toolCallId: 'c',
      toolName: 't',
      delta: 'x'.repeat(1000),
      index,
    }))
    expect(size([created, ...args])).toBeLessThan(70_000)
  })
})

describe('machine law', () => {
  const event = strayStreams
    .filter((events) => events.length > 0)
    .chain((events) => fc.constantFrom(...events))
  const broken = fc
    .constantFrom({ kind: 'odd' }, { kind: 'content-delta' }, null)
    .map((value) => value as UnknownEvent)
  it.each([{ mode: 'strict' }, { mode: 'lenient', startIndex: 3 }, { external: true }] as const)(
    'verifier(%j)',
    (options) =>
      expectMachineLaw(verifier(options), fc.oneof({ weight: 9, arbitrary: event }, broken), { runs: 100 }),
  )
})
