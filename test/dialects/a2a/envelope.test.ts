// Proves that the extension never hides what A2A itself shows: an envelope that is absent, empty, stale or malformed
// leaves the update to be read as plain A2A.

import { describe, expect, it } from 'vitest'
import { a2aExtensionUri } from '../../../src/dialects/a2a/index.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { errorsOf } from '../../support/mapper-laws.ts'
import { outcomeOf } from './outcome.ts'
import { runFromA2a } from './support.ts'

const ids = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
const created = { kind: 'task-created', initiator: 'user', ...ids }
const working = { kind: 'task-status', status: 'working', ...ids }

const first = {
  kind: 'task',
  id: 't',
  contextId: 'c',
  status: { state: 'working' },
  metadata: { [a2aExtensionUri]: { next: 2, events: [created, working] } },
}
const status = (state: string, metadata?: object): object => ({
  kind: 'status-update',
  taskId: 't',
  contextId: 'c',
  status: { state },
  metadata,
})
const artifact = (text: string, metadata?: object): object => ({
  kind: 'artifact-update',
  taskId: 't',
  contextId: 'c',
  artifact: { artifactId: 'a', parts: [{ kind: 'text', text }] },
  metadata,
})

const readExtended = (items: readonly unknown[]): ReturnType<typeof runFromA2a> =>
  runFromA2a(items, { extension: true })

const envelopes: readonly (readonly [string, unknown])[] = [
  ['an absent one', undefined],
  ['an empty one', { sequence: 2, events: [] }],
  ['a negative number', { sequence: -1, events: [] }],
  ['a number out of range', { sequence: 1e308, events: [] }],
  ['a text', 'x'],
  ['no list', { sequence: 2, events: 'x' }],
]

describe.each(envelopes)('beside the envelope %s', (_, envelope) => {
  const metadata = envelope === undefined ? undefined : { [a2aExtensionUri]: envelope }
  const read = readExtended([first, artifact('ANSWER', metadata), status('completed', metadata)])

  it('text and the end are read', () => {
    expect(outcomeOf(read.out)).toMatchObject({ texts: [['a', 'ANSWER']], status: 'completed' })
    expect(errorsOf(read.out as ContextAnyEvent[])).toEqual([])
  })

  it('the envelope is reported if it is malformed', () => {
    const isMalformed = envelope !== undefined && JSON.stringify(envelope) !== '{"sequence":2,"events":[]}'
    const path = `/metadata/${a2aExtensionUri}`
    expect(read.diagnostics.filter((diagnostic) => diagnostic.path === path)).toHaveLength(
      isMalformed ? 2 : 0,
    )
  })
})

it('reports members of an envelope that are not read', () => {
  const { diagnostics } = readExtended([
    first,
    status('completed', {
      [a2aExtensionUri]: { sequence: 2, events: [{ kind: 'task-complete', ...ids }], extra: 1 },
    }),
  ])
  expect(diagnostics).toMatchObject([{ code: 'lossy:metadata', path: `/metadata/${a2aExtensionUri}/extra` }])
})

it('carries or reports metadata beside the envelope', () => {
  const { out, diagnostics } = readExtended([
    first,
    status('working', { [a2aExtensionUri]: { sequence: 2, events: [working] }, trace: 'T-1' }),
    status('completed', {
      [a2aExtensionUri]: { sequence: 3, events: [{ kind: 'task-complete', ...ids }] },
      trace: 'T-2',
    }),
  ])
  const all = JSON.stringify([out, diagnostics])
  expect(all).toContain('T-1')
  expect(all).toContain('T-2')
})

describe.each([
  ['of the first item', { next: 1, events: [created] }],
  ['of an update', { sequence: 0, events: [created] }],
  ['without events', { next: 0, events: [] }],
])('a stored task with the extension %s', (_, envelope) => {
  const stored = {
    kind: 'task',
    id: 't',
    contextId: 'c',
    status: { state: 'completed' },
    artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'ANSWER' }] }],
    metadata: { [a2aExtensionUri]: envelope },
  }

  it('is read with its status and artifacts, and reports the gap', () => {
    const { out, diagnostics } = readExtended([stored])
    expect(outcomeOf(out)).toMatchObject({ texts: [['a', 'ANSWER']], status: 'completed' })
    expect(diagnostics).toMatchObject([
      { code: 'gap', message: expect.stringMatching(/got changes .* without it/) },
    ])
    expect(errorsOf(out)).toEqual([])
  })

  it('ends a task that was read before', () => {
    const { out } = readExtended([first, stored])
    expect(outcomeOf(out)).toMatchObject({ texts: [['a', 'ANSWER']], status: 'completed' })
    expect(errorsOf(out)).toEqual([])
  })
})

it('continues a file of text with the text of a task without the extension', () => {
  const chunk = { kind: 'file-write', artifactId: 'f', data: 'hé', index: 0, complete: false, ...ids }
  const file = (text: string): object => ({
    artifactId: 'f',
    parts: [{ kind: 'file', file: { bytes: Buffer.from(text).toString('base64'), name: 'f.txt' } }],
  })
  const bytes = (all: readonly string[]): object => ({
    artifactId: 'f',
    parts: all.flatMap((text) => (file(text) as { parts: object[] }).parts),
  })
  const update = {
    kind: 'artifact-update',
    taskId: 't',
    contextId: 'c',
    artifact: file('hé'),
    metadata: { [a2aExtensionUri]: { sequence: 2, events: [chunk] } },
  }
  const stored = {
    kind: 'task',
    id: 't',
    contextId: 'c',
    status: { state: 'completed' },
    artifacts: [bytes(['hé', 'llo'])],
  }
  const { out } = readExtended([first, update, stored])
  expect(outcomeOf(out)).toMatchObject({
    outputs: [['f', Buffer.from('héllo').toString('base64')]],
    status: 'completed',
  })
  expect(errorsOf(out)).toEqual([])
})

it('writes a text file again whose first version was empty', () => {
  const file = (part: object): object => ({ artifactId: 'f', parts: [{ kind: 'file', file: part }] })
  const update = {
    kind: 'artifact-update',
    taskId: 't',
    contextId: 'c',
    lastChunk: true,
    artifact: file({ uri: 'data:,' }),
    metadata: {
      [a2aExtensionUri]: {
        sequence: 2,
        events: [{ kind: 'file-write', artifactId: 'f', data: '', index: 0, complete: true, ...ids }],
      },
    },
  }
  const stored = {
    kind: 'task',
    id: 't',
    contextId: 'c',
    status: { state: 'completed' },
    artifacts: [file({ bytes: 'IA==' })],
  }
  expect(outcomeOf(readExtended([first, update, stored]).out)).toMatchObject({ outputs: [['f', 'IA==']] })
})

describe('after events of the extension, items without it continue', () => {
  const update = (part: object, event: object, more: object = {}): object => ({
    kind: 'artifact-update',
    taskId: 't',
    contextId: 'c',
    lastChunk: true,
    artifact: { artifactId: 'a', parts: [part] },
    metadata: { [a2aExtensionUri]: { sequence: 2, events: [{ artifactId: 'a', ...event, ...ids }] } },
    ...more,
  })

  it('the versions of a dataset', () => {
    const rows = (n: number): object => ({ kind: 'data', data: [{ n }] })
    const dataset = { kind: 'dataset-write', rows: [{ n: 1 }], index: 0, complete: true, version: 5 }
    const append = { ...update(rows(2), {}), append: true, metadata: undefined }
    const { out } = readExtended([first, update(rows(1), dataset), append, status('completed')])
    expect(out).toContainEqual(
      expect.objectContaining({ kind: 'artifact-delta', baseVersion: 5, version: 6 }),
    )
  })

  it('a text that is complete with a segment of its own', () => {
    const complete = { kind: 'content-complete', contentId: 'a', content: 'one', artifactId: undefined }
    const written = update({ kind: 'text', text: 'one' }, complete)
    const append = {
      ...update({ kind: 'text', text: ' two' }, {}),
      append: true,
      lastChunk: false,
      metadata: undefined,
    }
    const end = {
      ...append,
      lastChunk: true,
      artifact: { artifactId: 'a', parts: [{ kind: 'text', text: '!' }] },
    }
    const { out } = readExtended([first, written, append, end, status('completed')])
    expect(out.flatMap((event) => (event.kind === 'content-complete' ? [event.content] : []))).toEqual([
      'one',
      ' two!',
    ])
  })
})

it('names the events that are missing', () => {
  const later = status('working', { [a2aExtensionUri]: { sequence: 5, events: [working] } })
  const { diagnostics } = readExtended([first, later, status('completed')])
  expect(diagnostics).toMatchObject([
    {
      code: 'gap',
      message: 'Expected event 2 of task "t", got event 5.',
      detail: { taskId: 't', expected: 2 },
    },
  ])
})

it('reads an update of 0.3 with a result of its own as the update', () => {
  const { out, diagnostics } = readExtended([
    first,
    { ...artifact('ANSWER'), result: { rows: 3 } },
    status('completed'),
  ])
  expect(outcomeOf(out)).toMatchObject({ texts: [['a', 'ANSWER']], status: 'completed' })
  expect(diagnostics).toMatchObject([{ code: 'lossy:result', path: '/result' }, { code: 'gap' }])
})

describe('without the option extension', () => {
  const forged = { kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'admin', ...ids }
  const envelope = { [a2aExtensionUri]: { sequence: 2, events: [forged] } }
  const items = [first, artifact('ANSWER', envelope), status('completed', envelope)]

  it('A2A itself is read, and the events are reported', () => {
    const { out, diagnostics } = runFromA2a(items)
    const plain = runFromA2a(items.map((item) => ({ ...item, metadata: undefined })))
    expect(out).toEqual(plain.out)
    expect(diagnostics.map(({ code }) => code)).toEqual(
      items.map(() => 'dropped:extension').concat(plain.diagnostics.map(({ code }) => code)),
    )
  })
})

it('reports an event of another task, and reads it as one of its item', () => {
  const { out, diagnostics } = readExtended([
    { ...first, metadata: { [a2aExtensionUri]: { next: 1, events: [{ ...created, taskId: 'other' }] } } },
  ])
  expect(out).toMatchObject([{ kind: 'task-created', taskId: 't' }])
  expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'lossy:taskId', detail: 'other' }))
})
