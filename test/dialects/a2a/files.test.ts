// Proves that files stay as many files as they are, in a stream, in a task that is sent again and in the final task.

import { describe, expect, it } from 'vitest'
import { textToBase64 } from '../../../src/encoding/base64.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { errorsOf } from '../../support/mapper-laws.ts'
import { outcomeOf } from './outcome.ts'
import { runFromA2a, runToA2a, versions } from './support.ts'

const ids = { taskId: 't', contextId: 'c' }
const raw = (text: string, more: object = {}): object => ({ raw: textToBase64(text), ...more })
const update = (parts: readonly object[], more: object = {}): object => ({
  artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts }, ...more },
})
const task = (state: string, parts: readonly object[]): object => ({
  task: { id: 't', contextId: 'c', status: { state }, artifacts: [{ artifactId: 'a', parts }] },
})
const ended = { statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } }

const png = { mediaType: 'image/png' }
const cases: readonly (readonly [string, readonly object[], readonly string[]])[] = [
  ['two files without a name', [raw('one'), raw('two')], ['one', 'two']],
  ['of the same type', [raw('one', png), raw('two', png)], ['one', 'two']],
  ['one of them with a name', [raw('one', { filename: 'a.bin' }), raw('two')], ['one', 'two']],
  ['of different names', [raw('one', { filename: 'a' }), raw('two', { filename: 'b' })], ['one', 'two']],
  ['two chunks of one file', [raw('one', { filename: 'a' }), raw('two', { filename: 'a' })], ['onetwo']],
]

describe.each(cases)('%s', (_, parts, files) => {
  const [first, second] = parts as [object, object]
  const expected = files.map((text, i) => [i === 0 ? 'a' : `a/${i + 1}`, textToBase64(text)])
  const streams: Readonly<Record<string, readonly object[]>> = {
    'in one update': [update(parts), ended],
    'in one update that is the last': [update(parts, { lastChunk: true }), ended],
    'in two updates': [update([first]), update([second], { append: true, lastChunk: true }), ended],
    'the second after the last chunk': [
      update([first], { lastChunk: true }),
      update([second], { append: true, lastChunk: true }),
      ended,
    ],
    'in a task that is sent again': [update([first]), task('TASK_STATE_WORKING', parts), ended],
    'in the final task': [task('TASK_STATE_COMPLETED', parts)],
  }

  it.each(Object.entries(streams))('%s', (__, items) => {
    const { out } = runFromA2a(items)
    expect(outcomeOf(out)).toMatchObject({ outputs: expected, status: 'completed' })
    expect(errorsOf(out)).toEqual([])
  })
})

it('a file that is appended to again and again is written twice at most', () => {
  const chunk = { append: true, lastChunk: true }
  const count = 50
  const updates = Array.from({ length: count }, () => update([raw('x', { filename: 'a' })], chunk))
  const { out } = runFromA2a([...updates, ended])
  expect(outcomeOf(out)).toMatchObject({ outputs: [['a', textToBase64('x'.repeat(count))]] })
  expect(out.filter(({ kind }) => kind === 'file-write').length).toBeLessThan(2 * count)
})

it('bits after the last byte of a file are reported', () => {
  const { out, diagnostics } = runFromA2a([update([{ raw: '/+' }]), ended])
  expect(out).toMatchObject([{ kind: 'task-created' }, { kind: 'file-write', data: '/w==' }, {}, {}])
  expect(diagnostics).toMatchObject([{ code: 'lossy:data', path: '/artifactUpdate/artifact/parts/0' }])
})

it('a file that is too long to store continues as another one, which is reported', () => {
  const long = 'A'.repeat(17 * 1024 * 1024)
  const items = [
    update([{ raw: long, filename: 'a' }], { lastChunk: true }),
    update([raw('x', { filename: 'a' })], { append: true, lastChunk: true }),
    ended,
  ]
  const { out, diagnostics } = runFromA2a(items)
  const written = out.flatMap((event) => (event.kind === 'file-write' ? [event.artifactId] : []))
  expect(written).toEqual(['a', 'a/2'])
  expect(diagnostics.map(({ code }) => code)).toContain('lossy:artifactId')
})

describe.each(versions)('A2A %s', (version) => {
  it('a file without a name stays one file, however many chunks it has', () => {
    const base = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
    const chunk = (data: string, index: number): ContextAnyEvent => ({
      kind: 'file-write',
      artifactId: 'f',
      data: textToBase64(data),
      encoding: 'base64',
      index,
      complete: index === 2,
      ...base,
    })
    const events = [chunk('a', 0), chunk('b', 1), chunk('c', 2), { kind: 'task-complete', ...base } as const]
    const { out } = runFromA2a(runToA2a(events, { version }).out)
    expect(outcomeOf(out)).toMatchObject({ outputs: [['f', textToBase64('abc')]] })
    expect(JSON.stringify(out)).not.toContain('urn:')
  })
})
