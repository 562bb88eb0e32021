// Proves that every change of a part is read, whatever its content: hashes of 32 bits of the contents below are equal.

import { describe, expect, it } from 'vitest'
import { base64ToText } from '../../../src/encoding/base64.ts'
import { errorsOf } from '../../support/mapper-laws.ts'
import { outcomeOf } from './outcome.ts'
import { runFromA2a } from './support.ts'

const task = (state: string, parts: readonly object[]): object => ({
  kind: 'task',
  id: 't',
  contextId: 'c',
  status: { state },
  artifacts: [{ artifactId: 'a', parts }],
})

const completed = {
  kind: 'status-update',
  taskId: 't',
  contextId: 'c',
  final: true,
  status: { state: 'completed' },
}

/** Texts of one length with the same FNV-1a of 32 bits, before and after any text. */
const [before, after] = ['declinate', 'macallums']

describe.each([
  ['text', (text: string) => ({ kind: 'text', text })],
  ['a URL', (text: string) => ({ kind: 'file', file: { uri: `${text}`, name: 'n' } })],
  ['data', (text: string) => ({ kind: 'data', data: text })],
])('a change of %s', (_, part) => {
  it('in a task that is sent again', () => {
    const { out } = runFromA2a([task('working', [part(before)]), task('completed', [part(after)])])
    expect(contentsOf(out)).toContain(after)
  })

  it('by an update that replaces it', () => {
    const update = (parts: readonly object[]): object => ({
      kind: 'artifact-update',
      taskId: 't',
      contextId: 'c',
      append: false,
      artifact: { artifactId: 'a', parts },
    })
    const { out } = runFromA2a([update([part(before)]), update([part(after)]), completed])
    expect(contentsOf(out)).toContain(after)
  })
})

/** The contents of the outputs at the end, decoded. */
function contentsOf(events: Parameters<typeof outcomeOf>[0]): string {
  const { texts, outputs } = outcomeOf(events) as Readonly<Record<string, readonly (readonly string[])[]>>
  const contents = (outputs ?? []).map(([, content = '']) => base64ToText(content) ?? content)
  return JSON.stringify([texts, contents])
}

it('a change of a message', () => {
  const status = (text: string): object => ({
    kind: 'status-update',
    taskId: 't',
    contextId: 'c',
    status: {
      state: 'working',
      message: { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'data', data: { text } }] },
    },
  })
  const { out } = runFromA2a([status(before), status(after)])
  expect(JSON.stringify(out)).toContain(after)
})

it('of a text to bytes', () => {
  const file = { kind: 'file', file: { bytes: 'AQ==' } }
  const { out } = runFromA2a([task('working', [{ kind: 'text', text: before }]), task('completed', [file])])
  expect(outcomeOf(out)).toMatchObject({ outputs: [['a@1', 'AQ==']] })
  expect(errorsOf(out)).toEqual([])
})
