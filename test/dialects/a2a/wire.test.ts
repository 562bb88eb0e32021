// Proves the exact JSON of items, and everything around them: ids, envelopes, stream ends, snapshots, coverage.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { run } from '../../../src/core/machine.ts'
import * as a2a from '../../../src/dialects/a2a/index.ts'
import {
  a2aCoverage,
  a2aSnapshot,
  isA2aStreamEnd,
  toA2a,
  validateA2aEvent,
  wrapJsonRpc,
} from '../../../src/dialects/a2a/index.ts'
import { a2aLosses, losses as table } from '../../../src/dialects/a2a/to/coverage.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { eventKinds } from '../../../src/events/kinds.ts'
import { contextEventSchemas } from '../../../src/events/records/schemas.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runFromA2a, runToA2a, versions } from './support.ts'

const context = { contextId: 'ctx-7', taskId: 'task-7', timestamp: '2026-03-04T05:06:07.080Z' }

const make = (kind: string, fields: object): ContextAnyEvent =>
  ({ kind, ...context, ...fields }) as unknown as ContextAnyEvent

describe.each(versions)('in A2A %s', (version) => {
  it('every message has its own id, also if a prompt is repeated', () => {
    const ask = (inputId: string): ContextAnyEvent =>
      make('input-required', { inputId, inputType: 'custom', prompt: 'Again?' })
    const answer = make('input-received', { inputId: 'a', providedBy: 'user' })
    const { out } = runToA2a([ask('a'), answer, ask('b')], { version })
    const ids = JSON.stringify(out).match(/"messageId":"[^"]+"/g) ?? []
    expect(new Set(ids).size).toBe(2)
  })

  it('a snapshot is the task in its current state', () => {
    const mapper = run(toA2a({ version }))
    expect(() => a2aSnapshot(mapper.state)).toThrow(TypeError)
    mapper.push(make('content-delta', { delta: 'So ', index: 0 }))
    mapper.push(make('content-delta', { delta: 'far', index: 1 }))
    mapper.push(make('file-write', { artifactId: 'f', data: 'a', index: 0, complete: false, name: 'f.txt' }))
    mapper.push(make('file-write', { artifactId: 'f', data: 'b', index: 1, complete: false }))
    const status = { timestamp: context.timestamp }
    const v03 = {
      kind: 'task',
      id: 'task-7',
      contextId: 'ctx-7',
      status: { state: 'submitted', ...status },
      artifacts: [
        { artifactId: 'task-7:content', parts: [{ kind: 'text', text: 'So far' }] },
        {
          artifactId: 'f',
          name: 'f.txt',
          parts: ['YQ==', 'Yg=='].map((bytes) => ({
            kind: 'file',
            file: { bytes, name: 'f.txt', mimeType: 'text/plain' },
          })),
        },
      ],
    }
    const v1 = {
      id: 'task-7',
      contextId: 'ctx-7',
      status: { state: 'TASK_STATE_SUBMITTED', ...status },
      artifacts: [
        { artifactId: 'task-7:content', parts: [{ text: 'So far' }] },
        {
          artifactId: 'f',
          name: 'f.txt',
          parts: ['YQ==', 'Yg=='].map((raw) => ({ raw, filename: 'f.txt', mediaType: 'text/plain' })),
        },
      ],
    }
    expect(a2aSnapshot(mapper.state)).toStrictEqual(version === '0.3' ? v03 : v1)
  })

  it('a snapshot has the given history, which it copies', () => {
    const part = version === '0.3' ? { kind: 'text', text: 'Hi' } : { text: 'Hi' }
    const message = { messageId: 'm', role: version === '0.3' ? 'user' : 'ROLE_USER', parts: [part] }
    const history = [version === '0.3' ? { kind: 'message', ...message } : message] as never[]
    const { state } = runToA2a([make('task-created', { initiator: 'user' })], { version }, 'open')
    const task = a2aSnapshot(state as never, { history }) as { history?: unknown }
    expect(task.history).toEqual(history)
    expect(task.history).not.toBe(history)
    expect(validateA2aEvent(version, version === '0.3' ? task : { task })).toEqual([])
    expect(a2aSnapshot(state as never, { history: [] })).not.toHaveProperty('history')
  })

  it('a snapshot with the extension has the last events, as many as fit', () => {
    const delta = 'x'.repeat(400_000)
    const events = Array.from({ length: 12 }, (_, index) => make('content-delta', { delta, index }))
    const { state } = runToA2a(events, { version, extension: true }, 'open')
    const { metadata = {} } = a2aSnapshot(state as never) as { metadata?: Record<string, unknown> }
    const { next, events: last } = metadata[a2a.a2aExtensionUri] as { next: number; events: unknown[] }
    expect(next).toBe(12)
    expect(last).toEqual(events.slice(-last.length))
    expect(last.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(last).length).toBeLessThan(2.2 * 1024 * 1024)
  })

  it('the last events stay few after one that is larger than all that fit', () => {
    const events = [3_000_000, ...Array.from({ length: 12 }, () => 400_000)].map((length, index) =>
      make('content-delta', { delta: 'x'.repeat(length), index }),
    )
    const { state } = runToA2a(events, { version, extension: true }, 'open')
    expect(state.extension?.log.length).toBeLessThan(2.2 * 1024 * 1024)
  })

  it('an artifact that is too large is sent, but left out of snapshots', () => {
    const delta = 'x'.repeat(12 * 1024 * 1024)
    const events = [0, 1, 2, 3].map((index) => make('content-delta', { delta, index }))
    const small = make('data-write', { artifactId: 'd', data: { k: 1 } })
    const codes: string[] = []
    const mapper = run(toA2a({ version }), { onDiagnostic: ({ code }) => codes.push(code) })
    for (const event of events)
      expect([...mapper.push(event)].map((item) => JSON.stringify(item).length > delta.length)).toContain(
        true,
      )
    for (const event of [small, make('content-complete', { content: 'y' })]) mapper.push(event)
    mapper.end()
    expect(codes).toContain('state-evicted')
    const { artifacts = [] } = a2aSnapshot(mapper.state)
    expect(artifacts.map(({ artifactId }) => artifactId)).toContain('d')
    expect(JSON.stringify(mapper.state).length).toBeLessThan(3 * delta.length)
  })

  it('holds back a bounded number of events', () => {
    const thought = (index: number): ContextAnyEvent =>
      make('thought-delta', { thoughtId: 'th', delta: '.', index })
    for (const ask of [
      make('input-required', { inputId: 'a', inputType: 'custom', prompt: '?' }),
      make('auth-required', { authId: 'a', authType: 'custom', prompt: '?' }),
    ]) {
      const events = [
        make('task-created', { initiator: 'user' }),
        ask,
        ...Array.from({ length: 300 }, (_, i) => thought(i)),
      ]
      const { out, state } = runToA2a(events, { version, extension: true }, 'open')
      expect(state.extension?.held.length).toBeLessThan(128)
      expect(out).toHaveLength(4)
      const rest = runToA2a(events, { version, extension: true }).out
      expect(runFromA2a(rest, { extension: true }).out).toEqual(events)
    }
  })
})

describe('the end of a stream', () => {
  const v03 = (state: string, final: boolean): object => ({
    kind: 'status-update',
    taskId: 't',
    contextId: 'c',
    final,
    status: { state },
  })
  const v1 = (state: string): object => ({ statusUpdate: { taskId: 't', contextId: 'c', status: { state } } })
  it.each<[string, unknown, boolean]>([
    ['completed', v03('completed', true), true],
    ['completed in 1.0', v1('TASK_STATE_COMPLETED'), true],
    ['rejected', v1('TASK_STATE_REJECTED'), true],
    ['input is required', v03('input-required', false), true],
    ['input is required in 1.0', v1('TASK_STATE_INPUT_REQUIRED'), true],
    ['authentication is required', v03('auth-required', false), false],
    ['authentication is required in 1.0', v1('TASK_STATE_AUTH_REQUIRED'), false],
    ['working with final', v03('working', true), true],
    ['working', v03('working', false), false],
    ['a message', { kind: 'message', messageId: 'm', role: 'agent', parts: [] }, true],
    ['a task', { task: { id: 't', status: { state: 'TASK_STATE_WORKING' } } }, false],
    [
      'a task that requires input',
      { task: { id: 't', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
      false,
    ],
    ['a task that has ended', { kind: 'task', id: 't', status: { state: 'failed' } }, true],
    ['an artifact', { artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: [] } } }, false],
    ['in a JSON-RPC response', { jsonrpc: '2.0', id: 1, result: v1('TASK_STATE_CANCELED') }, true],
    ['a JSON-RPC error', { jsonrpc: '2.0', id: 1, error: { code: 1 } }, false],
  ])('%s', (_, item, expected) => {
    expect(isA2aStreamEnd(item)).toBe(expected)
  })
})

describe('wrapJsonRpc', () => {
  it.each(['7', 7, null, '', 0])('echoes the id %j', (id) => {
    expect(wrapJsonRpc(id, { a: 1 })).toStrictEqual({ jsonrpc: '2.0', id, result: { a: 1 } })
  })
  it.each([undefined, {}, Number.NaN, true])('throws for the id %j', (id) => {
    expect(() => wrapJsonRpc(id as string, {})).toThrow(TypeError)
  })
})

describe('invalid options', () => {
  it('throw a TypeError that names the expected values', () => {
    expect(() => toA2a({ version: '1.1' as '1.0' })).toThrow(/"version" must be "0.3" or "1.0", got "1.1"/)
    expect(() => toA2a({ version: '1.0', closeText: 'none' as 'snapshot' })).toThrow(/empty-part/)
    expect(() => a2a.validateA2aEvent('2.0' as '1.0', {})).toThrow(TypeError)
  })
})

describe('a2aCoverage', () => {
  // Collects, over many streams, the kinds that were mapped and the fields that were reported as lossy.
  const streams = fc.sample(legalStreams({ subtasks: false, revisions: true }), { numRuns: 150, seed: 11 })
  const lost = new Map<string, Set<string>>()
  const mappedKinds = new Set<string>()
  for (const events of streams) {
    const diagnostics: string[] = []
    const mapper = run(toA2a({ version: '1.0' }), { onDiagnostic: ({ code }) => diagnostics.push(code) })
    for (const event of events) {
      diagnostics.length = 0
      const out = mapper.push(event)
      if (!diagnostics.includes(`dropped:${event.kind}`) && out.length > 0) mappedKinds.add(event.kind)
      const fields = lost.get(event.kind) ?? new Set()
      for (const code of diagnostics) if (code.startsWith('lossy:')) fields.add(code.slice('lossy:'.length))
      lost.set(event.kind, fields)
    }
  }

  it.each(eventKinds)('is right for %s', (kind) => {
    const unseen = (table[kind] ?? []).filter((field) => field.startsWith('~'))
    const fields = [...(lost.get(kind) ?? []), ...unseen]
    const verdict = !mappedKinds.has(kind) ? 'omitted' : fields.length > 0 ? 'partial' : 'full'
    expect(verdict).toBe(a2aCoverage[kind])
    expect(contextEventSchemas).toHaveProperty([kind])
  })
})

describe('the documentation', () => {
  const read = (page: string): string =>
    readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')
  const docs = read('a2a.md')

  it('shows the tested executor', () => {
    const source = readFileSync(new URL('./mount.ts', import.meta.url), 'utf8')
    const [, shown = ''] = /\/\/ docs: begin\n([\s\S]*?)\n +\/\/ docs: end/.exec(source) ?? []
    expect(shown).not.toBe('')
    expect(docs).toContain(shown.replaceAll(/^ {2}/gm, ''))
  })

  it('shows the coverage, the losses and the URI of the extension', () => {
    const rows = read('reference/a2a.md').matchAll(/^\| `([a-z:-]+)` \| (full|partial) \| (.*) \|$/gm)
    const shown = [...rows].map(([, kind, verdict, lost = '']) => [
      kind,
      verdict,
      new Set(lost.match(/\w+/g)),
    ])
    const unnamed = ['*', 'parentTaskId', 'path']
    const expected = eventKinds
      .filter((kind) => a2aCoverage[kind] !== 'omitted')
      .map((kind) => [
        kind,
        a2aCoverage[kind],
        new Set(
          a2aLosses[kind]
            .map((field) => field.replace(/\..*/, ''))
            .filter((field) => !unnamed.includes(field)),
        ),
      ])
    expect(shown, 'Show coverage and losses in docs/reference/a2a.md.').toEqual(expected)
    expect(docs).toContain(a2a.a2aExtensionUri)
  })
})

it('exports the documented values', () => {
  expect(Object.keys(a2a).sort()).toEqual([
    'a2a',
    'a2aCoverage',
    'a2aExtensionUri',
    'a2aLosses',
    'a2aRules',
    'a2aSnapshot',
    'a2aVerifier',
    'commandsFromA2a',
    'demuxTasks',
    'fromA2a',
    'isA2aStreamEnd',
    'toA2a',
    'validateA2aEvent',
    'wrapJsonRpc',
  ])
})
