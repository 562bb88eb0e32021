// Tests folding streams that break rules: what is kept, and what is reported.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../../src/index.ts'
import { emptyView, taskOf } from '../../../../src/streams/index.ts'
import { jsonValue } from '../../../support/json.ts'
import { legalStreams } from '../../../support/legal-streams.ts'
import { runs } from '../../../support/runs.ts'
import { expectPlainMessages, fold } from '../../verify/support.ts'
import { created, events } from '../support.ts'

it('never throws, whatever JSON stands for a status, a base version or a digest', () => {
  const hostile = fc.oneof(jsonValue({ maxDepth: 1 }), fc.constant({ toString: [], valueOf: [] }))
  const compared = ['status', 'baseVersion', 'digest']
  const damaged = fc
    .tuple(legalStreams(), fc.array(fc.tuple(fc.nat(), fc.nat(), hostile), { minLength: 1, maxLength: 6 }))
    .map(([stream, changes]) => {
      const events = stream.map((event): Record<string, unknown> => ({ ...event }))
      for (const [at, field, value] of changes) {
        const event = events[at % events.length] ?? {}
        const fields = Object.keys(event).filter((name) => compared.includes(name))
        const name = fields[field % fields.length]
        if (name !== undefined) event[name] = value
      }
      return events as unknown as ContextAnyEvent[]
    })
  fc.assert(
    fc.property(damaged, (stream) => {
      expect(() => fold(stream)).not.toThrow()
    }),
    { numRuns: runs(500) },
  )
})

describe('an illegal stream', () => {
  const status = (name: string) => ({ kind: 'task-status', status: name })
  const delta = (value: string, index: number, more: object = {}) => ({
    kind: 'content-delta',
    delta: value,
    index,
    ...more,
  })
  const tool = { toolCallId: 'c', toolName: 't' }
  const thought = {
    kind: 'thought-stream',
    thoughtId: 'h',
    thoughtType: 'planning',
    verbosity: 'brief',
    index: 0,
  }
  const table: Record<string, { stream: object[]; parts?: object[]; codes: string[] }> = {
    'marks a gap in a text with a missing delta': {
      stream: [delta('a', 0), delta('c', 2)],
      parts: [{ text: 'ac', status: 'open', hasGap: true, nextIndex: 3 }],
      codes: ['gap'],
    },
    'closes the gap of a text with its content-complete': {
      stream: [
        delta('a', 0),
        delta('c', 2),
        { kind: 'content-complete', content: 'abc', finishReason: 'stop' },
      ],
      parts: [{ text: 'abc', status: 'complete', finishReason: 'stop' }],
      codes: ['gap'],
    },
    'treats a merged delta that overlaps the text as a gap': {
      stream: [delta('a', 0), delta('b', 1), delta('bc', 1, { indexEnd: 2 })],
      parts: [{ text: 'ab', hasGap: true, nextIndex: 3 }],
      codes: ['gap'],
    },
    'replaces a text by a content-complete that differs': {
      stream: [delta('a', 0), { kind: 'content-complete', content: 'b' }],
      parts: [{ text: 'b', status: 'complete' }],
      codes: ['content-mismatch'],
    },
    'ignores a whole text that comes again, and keeps two texts of the same content': {
      stream: [
        delta('a', 0),
        { kind: 'content-complete', content: 'a', timestamp: '2026-02-01T00:00:00Z' },
        { kind: 'content-complete', content: 'a', timestamp: '2026-02-01T00:00:00Z' },
        { kind: 'content-complete', content: 'a', timestamp: '2026-02-01T00:00:01Z' },
        { kind: 'tool-start', ...tool, arguments: {}, timestamp: '2026-02-01T00:00:02Z' },
        { kind: 'content-complete', content: 'a', timestamp: '2026-02-01T00:00:01Z' },
        { kind: 'content-complete', content: 'a', timestamp: '2026-02-01T00:00:02Z' },
        { kind: 'content-complete', content: 'b', timestamp: '2026-02-01T00:00:02Z' },
      ],
      parts: [
        { text: 'a' },
        { text: 'a' },
        { type: 'tool' },
        { text: 'a', at: '2026-02-01T00:00:02Z' },
        { text: 'b' },
      ],
      codes: ['repeated', 'repeated'],
    },
    'replaces a thought by the first thought-stream, and ignores what follows': {
      stream: [
        { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 },
        { ...thought, content: 'b', metadata: { confidence: 1 } },
        { ...thought, content: 'c' },
        { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 },
      ],
      parts: [{ text: 'b', status: 'complete', metadata: { confidence: 1 } }],
      codes: ['content-mismatch', 'repeated', 'repeated'],
    },
    'adds a call that was joined late, and ignores a second start and end': {
      stream: [
        {
          kind: 'tool-progress',
          toolCallId: 'c',
          progress: 0.5,
          message: 'half',
          metadata: { step: 'two', chunk: 'x' },
        },
        { kind: 'tool-complete', ...tool, success: true, result: 1, metadata: { duration: 1 } },
        { kind: 'tool-complete', ...tool, success: false, error: 'no' },
        { kind: 'tool-start', ...tool, arguments: {} },
        { kind: 'tool-progress', toolCallId: 'c', progress: 1 },
        { kind: 'tool-arguments-delta', ...tool, delta: 'x', index: 0 },
      ],
      parts: [
        {
          status: 'succeeded',
          result: 1,
          output: { '': 'x' },
          progress: { progress: 0.5, message: 'half', metadata: { step: 'two' } },
          metadata: { duration: 1 },
        },
      ],
      codes: ['repeated', 'repeated', 'repeated', 'repeated'],
    },
    'joins the output of a call by stream': {
      stream: [
        { kind: 'tool-start', ...tool, arguments: {} },
        ...['stdout', 'stderr', '__proto__', 'stdout', '__proto__'].map((stream, n) => ({
          kind: 'tool-progress',
          toolCallId: 'c',
          progress: 0,
          metadata: { stream, chunk: `${n}` },
        })),
      ],
      parts: [
        {
          output: Object.fromEntries([
            ['stdout', '03'],
            ['stderr', '1'],
            ['__proto__', '24'],
          ]),
        },
      ],
      codes: [],
    },
    'ignores argument deltas after the start': {
      stream: [
        { kind: 'tool-arguments-delta', ...tool, delta: '{', index: 0 },
        { kind: 'tool-start', ...tool, arguments: {} },
        { kind: 'tool-arguments-delta', ...tool, delta: '}', index: 1 },
      ],
      parts: [{ status: 'running', arguments: {} }],
      codes: ['repeated'],
    },
    'ignores repeated inputs and answers, and adds an answer to an unknown input': {
      stream: [
        { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' },
        { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '!' },
        {
          kind: 'input-received',
          inputId: 'i',
          providedBy: 'agent',
          agentId: 'a',
          metadata: { duration: 1 },
        },
        { kind: 'input-canceled', inputId: 'i', reason: 'expired' },
        { kind: 'input-canceled', inputId: 'k', reason: 'withdrawn' },
      ],
      parts: [
        { status: 'answered', request: { prompt: '?' }, answer: { providedBy: 'agent', agentId: 'a' } },
        { inputId: 'k', status: 'canceled', reason: 'withdrawn' },
      ],
      codes: ['repeated', 'repeated'],
    },
    'ignores repeated authentications and answers, and adds an answer to an unknown one': {
      stream: [
        { kind: 'auth-required', authId: 'i', authType: 'api-key', prompt: '?' },
        { kind: 'auth-required', authId: 'i', authType: 'api-key', prompt: '!' },
        { kind: 'auth-failed', authId: 'i', reason: 'denied', message: 'No.' },
        { kind: 'auth-completed', authId: 'i', userId: 'u' },
        { kind: 'auth-completed', authId: 'k', userId: 'u' },
      ],
      parts: [
        { status: 'failed', reason: 'denied', message: 'No.' },
        { authId: 'k', status: 'completed', userId: 'u' },
      ],
      codes: ['repeated', 'repeated'],
    },
    'ignores a second task-created, and statuses after the end': {
      stream: [created, created, status('failed'), status('working'), { kind: 'task-complete' }],
      codes: ['repeated', 'after-end', 'after-end'],
    },
    'ignores what a task writes or asks after its end, and keeps what it had': {
      stream: [
        { kind: 'tool-start', ...tool, arguments: {} },
        { kind: 'content-delta', delta: 'a', index: 0 },
        status('canceled'),
        delta('b', 1),
        { kind: 'content-complete', content: 'ab' },
        { kind: 'content-complete', content: 'c', contentId: 'other' },
        { ...thought, content: 'd' },
        { kind: 'tool-complete', ...tool, success: true },
        { kind: 'tool-start', toolCallId: 'late', toolName: 't', arguments: {} },
        { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' },
      ],
      parts: [
        { type: 'tool', status: 'ended' },
        { type: 'text', text: 'a', status: 'ended' },
      ],
      codes: Array.from({ length: 7 }, () => 'after-end'),
    },
    'ignores a repeated announcement of a subtask': {
      stream: [
        { kind: 'subtask-created', subtaskId: 's', agentId: 'a', prompt: 'p' },
        { kind: 'subtask-created', subtaskId: 's', prompt: 'p' },
      ],
      parts: [{ type: 'subtask', subtaskId: 's', agentId: 'a', prompt: 'p' }],
      codes: ['repeated'],
    },
  }

  it.each(Object.entries(table))('%s', (_, { stream, parts = [], codes }) => {
    const view = fold(events(...stream))
    expectPlainMessages(view.diagnostics)
    const task = taskOf(view, 'task')
    expect(task?.parts ?? []).toMatchObject(parts)
    expect(task?.parts ?? []).toHaveLength(parts.length)
    expect(view.diagnostics.map(({ code }) => code)).toEqual(codes)
  })

  it('never makes a task its own parent, and keeps its first parent', () => {
    const view = fold(
      events(
        { ...created, parentTaskId: 'task' },
        status('working'),
        { ...status('working'), parentTaskId: 'a' },
        { ...status('working'), parentTaskId: 'b' },
      ),
    )
    expect(taskOf(view, 'task')?.parentTaskId).toBe('a')
    expect(taskOf(view, 'b')).toBeUndefined()
  })

  it('keeps the first path of a task', () => {
    const view = fold(events({ ...created, path: ['a'] }, { ...status('working'), path: ['b'] }))
    expect(taskOf(view, 'task')?.path).toEqual(['a'])
  })

  it('keeps only the latest 64 diagnostics', () => {
    const stream = Array.from({ length: 200 }, (_, n) => ({
      ...created,
      kind: `task-${n < 100 ? 'created' : 'x'}`,
    }))
    const late = { ...created, taskId: 'late' }
    const { diagnostics } = fold([...(stream as ContextAnyEvent[]), late, late])
    expect(diagnostics).toHaveLength(64)
    expect(diagnostics.at(-1)?.taskId).toBe('late')
    expect(diagnostics.at(-2)?.taskId).toBe('task')
  })

  it('keeps the output of at most 32 streams of a call, and reports the rest', () => {
    const chunk = (stream: string, text: string) => ({
      kind: 'tool-progress',
      toolCallId: 'c',
      progress: 0,
      metadata: { stream, chunk: text },
    })
    const names = Array.from({ length: 40 }, (_, n) => `stream ${n}`)
    const view = fold(
      events(...names.map((name) => chunk(name, 'a')), chunk('stream 31', 'b'), chunk('stream 32', 'b')),
    )
    const [part] = taskOf(view, 'task')?.parts ?? []
    const kept = names.slice(0, 32).map((name) => [name, name === 'stream 31' ? 'ab' : 'a'])
    expect(part?.type === 'tool' && part.output).toEqual(Object.fromEntries(kept))
    expectPlainMessages(view.diagnostics)
    expect(view.diagnostics.map(({ code, id }) => [code, id])).toEqual(
      Array.from({ length: 9 }, () => ['too-many-streams', 'c']),
    )
  })

  it('separates the tasks of two contexts, whatever their ids', () => {
    const other = { ...created, contextId: 'other' }
    const odd = { ...created, taskId: '\0' }
    const view = fold([created, other, odd])
    expect(view.tasks).toHaveLength(3)
    expect(taskOf(view, 'task', 'other')?.contextId).toBe('other')
    expect(taskOf(view, '\0')?.taskId).toBe('\0')
    expect(taskOf(view, 'task', 'ctx')).toBe(taskOf(view, 'task'))
    expect(taskOf(emptyView, 'task')).toBeUndefined()
  })

  it('accepts ids that are property names of Object', () => {
    const ids = ['__proto__', 'constructor', 'toString', '']
    const stream = ids.flatMap((id) =>
      events(
        { ...created, taskId: id },
        { kind: 'tool-start', taskId: id, toolCallId: id, toolName: 't', arguments: {} },
      ),
    )
    const view = fold(stream)
    for (const id of ids)
      expect(taskOf(view, id)?.parts).toMatchObject([{ toolCallId: id, status: 'running' }])
  })
})
