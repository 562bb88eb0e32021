// Proves the fold: what a stream amounts to, purely, at a cost that does not grow, whatever it is given.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent, UnknownEvent } from '../../../src/index.ts'
import { listItems } from '../../../src/streams/collections/list.ts'
import {
  type ArtifactContent,
  artifactOf,
  artifactsOf,
  emptyView,
  foldEvent,
  type PartView,
  partsOf,
  rowsOf,
  type TaskView,
  taskOf,
  tasksOf,
  type View,
} from '../../../src/streams/index.ts'
import { runs } from '../../support/runs.ts'
import { deltaStreams, fold, soundStreams, strayStreams } from '../verify/support.ts'
import { modelOf, summaryOf } from './fold-model.ts'

const context = { contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' }
const created: ContextAnyEvent = { kind: 'task-created', ...context, initiator: 'user' }
const events = (...list: object[]): ContextAnyEvent[] =>
  list.map((event) => ({ ...context, ...event })) as unknown as ContextAnyEvent[]
const anyStream = fc.oneof(deltaStreams, strayStreams)

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}

describe('laws', () => {
  it('changes neither view nor event, and goes on from a view that was stored', () => {
    fc.assert(
      fc.property(anyStream, (stream) => {
        const plain = fold(stream)
        let stored: View = emptyView
        for (const event of stream) {
          stored = freeze(JSON.parse(JSON.stringify(foldEvent(stored, freeze(event)))) as View)
        }
        expect(stored).toEqual(plain)
        expect(JSON.parse(JSON.stringify(plain))).toEqual(plain)
      }),
      { numRuns: runs(150) },
    )
  })

  it('is what the plain way makes of it, whatever is lost, repeated or out of order', () => {
    fc.assert(
      fc.property(fc.oneof(anyStream, soundStreams({ maxChoices: 80 })), (stream) => {
        expect(summaryOf(fold(stream))).toEqual(modelOf(stream))
      }),
      { numRuns: runs(500) },
    )
  })

  it('makes of each task the same, however the tasks are interleaved', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 60 }), (stream) => {
        const ids = [...new Set(stream.map(({ taskId }) => taskId))]
        const sorted = ids.toReversed().flatMap((id) => stream.filter(({ taskId }) => taskId === id))
        const [one, other] = [fold(stream), fold(sorted)]
        for (const id of ids) expect(unordered(taskOf(other, id))).toEqual(unordered(taskOf(one, id)))
        for (const { artifactId } of artifactsOf(one)) {
          expect(artifactOf(other, artifactId)).toEqual(artifactOf(one, artifactId))
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('passes over kinds nobody knows, and internal ones, without a trace', () => {
    const odd: UnknownEvent[] = [{ kind: 'odd', ...context }, { kind: 'toString' }, { kind: '__proto__' }]
    const internal = events({ kind: 'internal:checkpoint', iteration: 1 })
    const view = fold([created])
    for (const event of [...odd, ...internal]) expect(foldEvent(view, event)).toBe(view)
  })
})

/** A task with its subtasks as a set: they stand in the order in which events told of them. */
function unordered(task: TaskView | undefined): unknown {
  return task && { ...task, subtasks: listItems(task.subtasks).sort() }
}

/** What a legal stream amounts to, the plain way: looking for the event that tells. */
describe('what a legal stream amounts to', () => {
  const check = (prove: (stream: readonly ContextAnyEvent[], view: View) => void): void =>
    fc.assert(
      fc.property(soundStreams({ maxChoices: 80 }), (stream) => prove(stream, fold(stream))),
      { numRuns: runs(200) },
    )
  const partsIn = (view: View, taskId: string): PartView[] => {
    const task = taskOf(view, taskId)
    return task === undefined ? [] : partsOf(task)
  }
  const idsOf = (stream: readonly ContextAnyEvent[]) => [...new Set(stream.map(({ taskId }) => taskId))]

  it('has no problem but changes that do not fit and writes that are given up', () => {
    check((_, { diagnostics: problems }) => {
      for (const { code } of problems) {
        expect(['wrong-type', 'version-conflict', 'abandoned-write', 'unknown-artifact']).toContain(code)
      }
    })
  })

  it('has the tasks as a tree, with their status', () => {
    check((stream, view) => {
      expect(
        tasksOf(view)
          .map(({ taskId }) => taskId)
          .sort(),
      ).toEqual(idsOf(stream).sort())
      for (const task of tasksOf(view)) {
        const own = stream.filter(({ taskId }) => taskId === task.taskId)
        expect(task.parentTaskId).toBe(own[0]?.parentTaskId ?? null)
        expect(task.updatedAt).toBe(own.at(-1)?.timestamp)
        const children = stream.flatMap((event) =>
          event.kind === 'subtask-created' && event.taskId === task.taskId ? [event.subtaskId] : [],
        )
        expect(listItems(task.subtasks)).toEqual(children)
        const last = own.findLast(({ kind }) => kind === 'task-status' || kind === 'task-complete')
        expect(task.status).toBe(last?.kind === 'task-status' ? last.status : last ? 'completed' : null)
      }
    })
  })

  it('has the text of every segment, and the thoughts', () => {
    check((stream, view) => {
      for (const id of idsOf(stream)) {
        const own = stream.filter(({ taskId }) => taskId === id)
        const texts = own.flatMap((event) => (event.kind === 'content-complete' ? [event.content] : []))
        const parts = partsIn(view, id)
        const seen = parts.flatMap((part) => (part.type === 'text' ? [part] : []))
        expect(seen.filter(({ status }) => status === 'complete').map(({ text }) => text)).toEqual(texts)
        const from = own.findLastIndex(({ kind }) => kind === 'content-complete') + 1
        const rest = own.slice(from).flatMap((event) => (event.kind === 'content-delta' ? [event.delta] : []))
        const cut = seen.find(({ status }) => status === 'ended')
        expect(cut?.text).toBe(rest.length === 0 ? undefined : rest.join(''))
        const thoughts = own.flatMap((event) => (event.kind === 'thought-stream' ? [event.content] : []))
        const thought = parts.flatMap((part) =>
          part.type === 'thought' && part.status === 'complete' ? [part] : [],
        )
        expect(
          thought.toSorted((a, b) => (a.about?.index ?? 0) - (b.about?.index ?? 0)).map(({ text }) => text),
        ).toEqual(thoughts)
      }
    })
  })

  it('has every tool call, question and request with what became of it', () => {
    check((stream, view) => {
      for (const event of stream) {
        const parts = partsIn(view, event.taskId)
        if (event.kind === 'tool-start') {
          const part = parts.find((one) => one.type === 'tool' && one.toolCallId === event.toolCallId)
          const end = stream.find(
            (one) => one.kind === 'tool-complete' && one.toolCallId === event.toolCallId,
          )
          const status = end?.kind === 'tool-complete' ? (end.success ? 'succeeded' : 'failed') : 'ended'
          const output = stream.flatMap((one) =>
            one.kind === 'tool-progress' && one.toolCallId === event.toolCallId
              ? [one.metadata?.chunk ?? '']
              : [],
          )
          expect(part).toMatchObject({ status, arguments: event.arguments, toolName: event.toolName })
          expect((part?.type === 'tool' && part.output?.stdout) || '').toBe(output.join(''))
        }
        if (event.kind === 'input-required') {
          const part = parts.find((one) => one.type === 'input' && one.inputId === event.inputId)
          const end = stream.find((one) => one.kind === 'input-received' && one.inputId === event.inputId)
          const status = end?.kind === 'input-received' ? (end.outcome ?? 'answered') : 'canceled'
          expect(part).toMatchObject({ status, request: { prompt: event.prompt } })
        }
        if (event.kind === 'auth-required') {
          const part = parts.find((one) => one.type === 'auth' && one.authId === event.authId)
          const end = stream.find((one) => 'authId' in one && one.authId === event.authId && one !== event)
          const status = end === undefined ? 'ended' : end.kind === 'auth-completed' ? 'completed' : 'failed'
          expect(part).toMatchObject({ status, request: { prompt: event.prompt } })
        }
      }
    })
  })

  it('has every artifact that was completed', () => {
    check((stream, view) => {
      const changed = new Set(
        stream.flatMap((one) => (one.kind === 'artifact-delta' ? [one.artifactId] : [])),
      )
      for (const event of stream) {
        if (!('artifactId' in event) || changed.has(event.artifactId)) continue
        const content = artifactOf(view, event.artifactId)?.committed?.content
        const all = stream.filter((one) => 'artifactId' in one && one.artifactId === event.artifactId)
        const isComplete = all.some((one) => 'complete' in one && one.complete)
        if (event.kind === 'file-write') {
          const { encoding = 'utf-8' } = all[0] as typeof event
          const bytes = Buffer.concat(
            all.map((one) => Buffer.from('data' in one ? String(one.data) : '', encoding)),
          )
          expect(bytesIn(content)).toEqual(isComplete ? bytes.toString('latin1') : undefined)
        }
        if (event.kind === 'dataset-write') {
          const rows = all.flatMap((one) => (one.kind === 'dataset-write' ? one.rows : []))
          expect(content?.type === 'rows' ? rowsOf(content) : undefined).toEqual(
            isComplete ? rows : undefined,
          )
        }
        if (event.kind === 'data-write') {
          expect(content).toEqual({ type: 'data', data: (all.at(-1) as typeof event).data })
        }
      }
    })
  })
})

function bytesIn(content: ArtifactContent | undefined): string | undefined {
  if (content?.type === 'text') return Buffer.from(content.text).toString('latin1')
  return content?.type === 'bytes' ? Buffer.from(content.base64, 'base64').toString('latin1') : undefined
}

const digest = (data: string | Buffer): string => `sha-256:${createHash('sha256').update(data).digest('hex')}`
const file = (data: string, index: number, complete: boolean, more: object = {}): object => ({
  kind: 'file-write',
  artifactId: 'f',
  data,
  index,
  complete,
  ...more,
})
const record = (data: object, more: object = {}): object => ({
  kind: 'data-write',
  artifactId: 'f',
  data,
  ...more,
})
const change = (baseVersion: number, version: number, how: object): object => ({
  kind: 'artifact-delta',
  artifactId: 'f',
  baseVersion,
  version,
  change: how,
})
const text = (value: string) => ({ content: { type: 'text', text: value } })

describe('artifacts', () => {
  const table: Record<string, { stream: object[]; committed: object | undefined; problems?: string[] }> = {
    'a text, and its digest': {
      stream: [file('Tí', 0, false), file('des', 1, true, { digest: digest('Tídes'), version: 4 })],
      committed: { version: 4, ...text('Tídes'), digest: digest('Tídes') },
    },
    'bytes cut anywhere, with and without padding': {
      stream: [
        file('YQ==', 0, false, { encoding: 'base64' }),
        file('YmM', 1, false),
        file('', 2, false),
        file('ZGVm', 3, false),
        file('Zw==', 4, true, { digest: digest('abcdefg') }),
      ],
      committed: {
        version: 1,
        content: { type: 'bytes', base64: 'YWJjZGVmZw==' },
        digest: digest('abcdefg'),
      },
    },
    'another digest: the version before stays': {
      stream: [file('old', 0, true), file('new', 0, true, { digest: digest('other') })],
      committed: { version: 1, ...text('old') },
      problems: ['digest-mismatch'],
    },
    'a chunk that is not Base64: the version before stays': {
      stream: [file('old', 0, true), file('?', 0, false, { encoding: 'base64' }), file('YQ==', 1, true)],
      committed: { version: 1, ...text('old') },
      problems: ['bad-base64', 'incomplete-write'],
    },
    'a chunk that is missing': {
      stream: [file('a', 0, false), file('c', 2, true)],
      committed: undefined,
      problems: ['gap', 'incomplete-write'],
    },
    'a chunk that comes twice': {
      stream: [file('a', 0, false), file('b', 1, false), file('b', 1, false), file('c', 2, true)],
      committed: { version: 1, ...text('abc') },
      problems: ['repeated'],
    },
    'a write that begins anew': {
      stream: [file('a', 0, false), file('b', 0, true)],
      committed: { version: 1, ...text('b') },
      problems: ['abandoned-write'],
    },
    'a write that is cut off by the end of its task': {
      stream: [file('a', 0, false), { kind: 'task-status', status: 'failed' }],
      committed: undefined,
      problems: ['abandoned-write'],
    },
    'a write that another task goes on with, and a next one, when the task that began it ends': {
      stream: [
        file('a', 0, false),
        file('b', 1, true, { taskId: 'other' }),
        file('c', 0, false, { taskId: 'other' }),
        { kind: 'task-status', status: 'completed' },
        file('d', 1, true, { taskId: 'other' }),
      ],
      committed: { version: 2, ...text('cd') },
    },
    'a write that another task has taken over, when that task ends': {
      stream: [
        file('a', 0, false),
        file('b', 1, false, { taskId: 'other' }),
        { kind: 'task-status', status: 'completed' },
        { kind: 'task-status', taskId: 'other', status: 'failed' },
      ],
      committed: undefined,
      problems: ['abandoned-write'],
    },
    'the chunks of a stream that was joined late': {
      stream: [file('b', 1, false), file('c', 2, true)],
      committed: undefined,
      problems: ['gap', 'incomplete-write'],
    },
    'a write of another type': {
      stream: [file('a', 0, true), record({})],
      committed: { version: 1, ...text('a') },
      problems: ['wrong-type'],
    },
    'records by version': {
      stream: [
        record({ n: 1 }),
        record({ n: 2 }, { metadata: { version: 2 } }),
        record({ n: 3 }, { expectedVersion: 2 }),
      ],
      committed: { version: 3, content: { type: 'data', data: { n: 3 } } },
    },
    'a record that is older than what there is': {
      stream: [record({ n: 2 }, { version: 2 }), record({ n: 1 }, { version: 1 })],
      committed: { version: 2, content: { type: 'data', data: { n: 2 } } },
      problems: ['repeated'],
    },
    'two writers that expect the same version: one wins': {
      stream: [
        record({ n: 0 }),
        record({ n: 1 }, { expectedVersion: 1 }),
        record({ n: 2 }, { expectedVersion: 1 }),
      ],
      committed: { version: 2, content: { type: 'data', data: { n: 1 } } },
      problems: ['version-conflict'],
    },
    'patches of both kinds': {
      stream: [
        record({ a: 1, b: 2 }),
        change(1, 2, { type: 'json-patch', patch: [{ op: 'remove', path: '/a' }] }),
        change(2, 3, { type: 'merge-patch', patch: { b: null, c: 3 } }),
      ],
      committed: { version: 3, content: { type: 'data', data: { c: 3 } } },
    },
    'a patch that fails: nothing of it is applied': {
      stream: [
        record({ a: 1 }),
        change(1, 2, {
          type: 'json-patch',
          patch: [
            { op: 'remove', path: '/a' },
            { op: 'remove', path: '/b' },
          ],
        }),
      ],
      committed: { version: 1, content: { type: 'data', data: { a: 1 } } },
      problems: ['patch-failed'],
    },
    'a patch that makes no record': {
      stream: [
        record({ a: 1 }),
        change(1, 2, { type: 'json-patch', patch: [{ op: 'replace', path: '', value: 5 }] }),
      ],
      committed: { version: 1, content: { type: 'data', data: { a: 1 } } },
      problems: ['patch-failed'],
    },
    'a patch of a version that is not the current one, or makes no newer one': {
      stream: [
        record({ a: 1 }),
        change(2, 3, { type: 'merge-patch', patch: { b: 1 } }),
        change(1, 1, { type: 'merge-patch', patch: { c: 1 } }),
      ],
      committed: { version: 1, content: { type: 'data', data: { a: 1 } } },
      problems: ['version-conflict', 'version-conflict'],
    },
    'text appended': {
      stream: [file('a', 0, true, { digest: digest('a') }), change(1, 2, { type: 'text-append', text: 'b' })],
      committed: { version: 2, ...text('ab') },
    },
    'text appended to what is no text': {
      stream: [record({}), change(1, 2, { type: 'text-append', text: 'b' })],
      committed: { version: 1, content: { type: 'data', data: {} } },
      problems: ['wrong-type'],
    },
    'a change of nothing': {
      stream: [change(1, 2, { type: 'text-append', text: 'b' })],
      committed: undefined,
      problems: ['unknown-artifact'],
    },
  }

  it.each(Object.entries(table))('%s', (_, { stream, committed, problems = [] }) => {
    const view = fold(events(...stream))
    expect(artifactOf(view, 'f')?.committed).toEqual(committed)
    expect(artifactOf(view, 'f')?.writing).toBeUndefined()
    expect(view.diagnostics.map(({ code }) => code)).toEqual(problems)
    expect(view.problemCount).toBe(problems.length)
  })

  it('rows are appended to a dataset, while it is written and afterwards', () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({ n }))
    const batch = (from: number, to: number, index: number, complete: boolean) => ({
      kind: 'dataset-write',
      artifactId: 'f',
      rows: rows.slice(from, to),
      index,
      complete,
      ...(index === 0 && { name: 'tides', schema: { type: 'object' }, metadata: { totalRows: 100 } }),
    })
    const view = fold(
      events(
        batch(0, 40, 0, false),
        batch(40, 99, 1, true),
        change(1, 2, { type: 'rows-append', rows: rows.slice(99) }),
      ),
    )
    const artifact = artifactOf(view, 'f')
    const content = artifact?.committed?.content
    expect(content?.type === 'rows' && rowsOf(content)).toEqual(rows)
    expect(artifact?.about).toEqual({
      name: 'tides',
      schema: { type: 'object' },
      metadata: { totalRows: 100 },
    })
  })

  it('fields of somebody’s own are not taken for those of another kind', () => {
    const own = { digest: 'own', encoding: 'own', mimeType: 5, schema: 6 }
    const rows = { kind: 'dataset-write', artifactId: 'd', rows: [{}], index: 0, complete: true }
    const view = fold(events(record({ n: 1 }, own), { ...rows, ...own, schema: { type: 'object' } }))
    expect(view.diagnostics).toEqual([])
    expect(artifactOf(view, 'f')?.about).toEqual({})
    expect(artifactOf(view, 'd')).toMatchObject({ about: { schema: {} }, committed: { version: 1 } })
    expect(artifactOf(view, 'd')?.about).not.toHaveProperty('mimeType')
  })

  it('what is said of an artifact stays until it is said anew', () => {
    const first = file('a', 0, true, {
      name: 'a.md',
      description: 'A',
      mimeType: 'text/markdown',
      metadata: { x: 1 },
    })
    const view = fold(events(first, file('b', 0, true, { description: 'B', metadata: { y: 2 } })))
    const about = { name: 'a.md', description: 'B', mimeType: 'text/markdown', metadata: { x: 1, y: 2 } }
    expect(artifactOf(view, 'f')?.about).toEqual(about)
  })
})

describe('what is not legal', () => {
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
  const table: Record<string, { stream: object[]; parts?: object[]; problems: string[] }> = {
    'a delta that is missing: the text has a gap until it is repeated whole': {
      stream: [delta('a', 0), delta('c', 2)],
      parts: [{ text: 'ac', status: 'open', hasGap: true, next: 3 }],
      problems: ['gap'],
    },
    'a text with a gap, repeated whole': {
      stream: [
        delta('a', 0),
        delta('c', 2),
        { kind: 'content-complete', content: 'abc', finishReason: 'stop' },
      ],
      parts: [{ text: 'abc', status: 'complete', finishReason: 'stop' }],
      problems: ['gap'],
    },
    'a merged delta that begins in what was there': {
      stream: [delta('a', 0), delta('b', 1), delta('bc', 1, { indexEnd: 2 })],
      parts: [{ text: 'ab', hasGap: true, next: 3 }],
      problems: ['gap'],
    },
    'a text that is repeated as another': {
      stream: [delta('a', 0), { kind: 'content-complete', content: 'b' }],
      parts: [{ text: 'b', status: 'complete' }],
      problems: ['content-mismatch'],
    },
    'a thought that is repeated as another, again, and goes on': {
      stream: [
        { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 },
        { ...thought, content: 'b', metadata: { confidence: 1 } },
        { ...thought, content: 'c' },
        { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 },
      ],
      parts: [{ text: 'b', status: 'complete', about: { metadata: { confidence: 1 } } }],
      problems: ['content-mismatch', 'repeated', 'repeated'],
    },
    'a call that is joined late, and then begun and ended again': {
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
      problems: ['repeated', 'repeated', 'repeated', 'repeated'],
    },
    'what a call puts out, by stream': {
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
      problems: [],
    },
    'arguments after the start': {
      stream: [
        { kind: 'tool-arguments-delta', ...tool, delta: '{', index: 0 },
        { kind: 'tool-start', ...tool, arguments: {} },
        { kind: 'tool-arguments-delta', ...tool, delta: '}', index: 1 },
      ],
      parts: [{ status: 'running', arguments: {} }],
      problems: ['repeated'],
    },
    'questions asked and answered twice, and one nobody asked': {
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
      problems: ['repeated', 'repeated'],
    },
    'requests made and answered twice, and one nobody made': {
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
      problems: ['repeated', 'repeated'],
    },
    'a task that begins twice, and goes on after its end': {
      stream: [created, created, status('failed'), status('working'), { kind: 'task-complete' }],
      problems: ['repeated', 'after-end', 'after-end'],
    },
    'a subtask announced twice': {
      stream: [
        { kind: 'subtask-created', subtaskId: 's', agentId: 'a', prompt: 'p' },
        { kind: 'subtask-created', subtaskId: 's', prompt: 'p' },
      ],
      parts: [{ type: 'subtask', subtaskId: 's', agentId: 'a', prompt: 'p' }],
      problems: ['repeated'],
    },
  }

  it.each(Object.entries(table))('%s', (_, { stream, parts = [], problems }) => {
    const view = fold(events(...stream))
    const task = taskOf(view, 'task')
    expect(task && partsOf(task)).toMatchObject(parts)
    expect(view.diagnostics.map(({ code }) => code)).toEqual(problems)
  })

  it('a task is never its own parent, and keeps the parent it was given first', () => {
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

  it('keeps the path a task was given first', () => {
    const view = fold(events({ ...created, path: ['a'] }, { ...status('working'), path: ['b'] }))
    expect(taskOf(view, 'task')?.origin.path).toEqual(['a'])
  })

  it('counts the next thought from the last of all, however they come', () => {
    const thoughts = [5, 3].map((index) => ({ ...thought, thoughtId: `h${index}`, content: '', index }))
    expect(taskOf(fold(events(...thoughts)), 'task')?.open.nextThought).toBe(6)
  })

  it('keeps the latest problems only, and counts all', () => {
    const stream = Array.from({ length: 200 }, () => created)
    const { diagnostics: problems, problemCount } = fold(stream)
    expect([problems.length, problemCount]).toEqual([64, 199])
  })

  it('tells tasks of two contexts apart, whatever their ids', () => {
    const other = { ...created, contextId: 'other' }
    const odd = { ...created, taskId: '\0' }
    const view = fold([created, other, odd])
    expect(tasksOf(view)).toHaveLength(3)
    expect(taskOf(view, 'task', 'other')?.contextId).toBe('other')
    expect(taskOf(view, '\0')?.taskId).toBe('\0')
    expect(taskOf(view, 'task', 'ctx')).toBe(taskOf(view, 'task'))
    expect(taskOf(emptyView, 'task')).toBeUndefined()
  })

  it('takes ids that mean something to the language', () => {
    const ids = ['__proto__', 'constructor', 'toString', '']
    const stream = ids.flatMap((id) =>
      events(
        { ...created, taskId: id },
        { kind: 'tool-start', taskId: id, toolCallId: id, toolName: 't', arguments: {} },
      ),
    )
    const view = fold(stream)
    for (const id of ids) expect(taskOf(view, id)?.open.tools).toEqual([id])
  })
})

describe('cost', () => {
  /** How many places of objects and arrays were made anew from one view to the next. */
  function placesMade(before: View, after: View): number {
    const old = new Set<unknown>()
    const remember = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || old.has(value)) return
      old.add(value)
      Object.values(value).forEach(remember)
    }
    const count = (value: unknown): number => {
      if (typeof value !== 'object' || value === null || old.has(value)) return 0
      const inner = Object.values(value)
      return inner.length + inner.reduce<number>((sum, one) => sum + count(one), 0)
    }
    remember(before)
    return count(after)
  }

  const messages = (from: number, to: number): ContextAnyEvent[] =>
    Array.from({ length: to - from }, (_, n) => from + n).flatMap((n) =>
      events(
        { kind: 'task-created', taskId: `t${n}`, initiator: 'user' },
        { kind: 'content-complete', taskId: `t${n}`, content: 'hello' },
        { kind: 'content-complete', content: 'hello' },
        {
          kind: 'thought-stream',
          thoughtId: `h${n}`,
          thoughtType: 'planning',
          verbosity: 'brief',
          content: '',
          index: n,
        },
        { kind: 'tool-start', toolCallId: `c${n}`, toolName: 't', arguments: {} },
        { kind: 'tool-complete', toolCallId: `c${n}`, toolName: 't', success: true },
        record({}, { artifactId: `a${n}` }),
      ),
    )

  const open = events(
    created,
    { kind: 'content-delta', delta: 'a', index: 0 },
    { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 },
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'a', index: 0 },
    file('a', 0, false),
    file('YQ==', 0, false, { artifactId: 'b', encoding: 'base64' }),
    { kind: 'dataset-write', artifactId: 'd', rows: [{}], index: 0, complete: false },
  )
  const deltas = events(
    { kind: 'content-delta', delta: 'b', index: 1 },
    { kind: 'thought-delta', thoughtId: 'h', delta: 'b', index: 1 },
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'b', index: 1 },
    file('b', 1, false),
    file('YQ==', 1, false, { artifactId: 'b' }),
    { kind: 'dataset-write', artifactId: 'd', rows: [{}], index: 1, complete: false },
  )

  it.each(deltas)('a $kind copies no more after 2000 messages than a few levels of 32', (delta) => {
    const few = fold(open)
    const many = fold(open, fold(messages(0, 2000)))
    const afterwards = fold(messages(2000, 2040), many)
    const least = placesMade(few, foldEvent(few, delta))
    expect(placesMade(many, foldEvent(many, delta))).toBeLessThan(least + 300)
    expect(placesMade(afterwards, foldEvent(afterwards, delta))).toBeLessThan(least + 300)
  })
})
