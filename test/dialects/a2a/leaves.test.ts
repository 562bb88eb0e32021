// Proves that an item with more, or other, members than one object of A2A has loses none of them silently.

import { describe, expect, it } from 'vitest'
import { fromA2a } from '../../../src/dialects/a2a/index.ts'
import { expectNothingLost, resultsOf } from '../../support/mapper-laws.ts'

const ids = { taskId: 't', contextId: 'c' }
const created = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } } }
const status = (message: object): object => ({
  statusUpdate: { ...ids, status: { state: 'TASK_STATE_WORKING', message } },
})
const asked = (data: unknown, more: object = {}): object => ({
  statusUpdate: {
    ...ids,
    status: {
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ data, ...more }] },
    },
  },
})
const artifact = (part: object, more: object = {}): object => ({
  artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [part] }, ...more },
})
const message = { messageId: 'message-7', role: 'ROLE_AGENT', parts: [{ text: 'Hi' }] }

const items: readonly (readonly [string, object])[] = [
  ['two updates', { ...status(message), ...artifact({ text: 'second' }) }],
  ['an update and a message', { ...status(message), message: { ...message, messageId: 'message-8' } }],
  ['a part of text and data', artifact({ text: 'a', data: { k: 'v' } })],
  ['a part of bytes and a URL', artifact({ raw: 'AQ==', url: 'https://x.example/' })],
  ['a part of bytes and a file', artifact({ raw: 'AQ==', file: { bytes: 'Ag==' } })],
  ['a part of bytes and a file that is none', artifact({ raw: 'AQ==', file: 'x' })],
  ['a file with two forms of bytes', artifact({ file: { bytes: 'AQ==', fileWithBytes: 'Ag==' } })],
  ['a file with two types', artifact({ file: { bytes: 'AQ==', mimeType: 'a/b', mediaType: 'c/d' } })],
  ['a name in both cases', artifact({ text: 'a' }, { task_id: 't2' })],
  ['a flag that is none', artifact({ text: 'a' }, { append: 'yes', lastChunk: 1 })],
  [
    'an end that is no flag',
    { statusUpdate: { ...ids, status: { state: 'TASK_STATE_WORKING' }, final: 'yes' } },
  ],
  ['an artifact without parts', { artifactUpdate: { ...ids, artifact: { artifactId: 'empty', parts: [] } } }],
  ['the id of a message', status(message)],
  ['the id of a message that is none', status({ ...message, messageId: 7 })],
  ['the role of the user', status({ ...message, role: 'ROLE_USER' })],
  ['a message of the user', { message: { ...message, taskId: 't', contextId: 'c', role: 'ROLE_USER' } }],
  ['a role that is none', status({ ...message, role: 'robot' })],
  [
    'another context',
    {
      artifactUpdate: { taskId: 't', contextId: 'c9', artifact: { artifactId: 'a', parts: [{ text: 'a' }] } },
    },
  ],
  ['other ids of a message', status({ ...message, taskId: 't9', contextId: 'c9' })],
  ['two forms of parts', status({ ...message, content: [{ text: 'Ho' }] })],
  ['empty data in a prompt', asked({})],
  ['data and its part in a prompt', asked({ inputId: 'i' }, { filename: 'form.json', mediaType: 'x/form' })],
]

it.each(items)('%s', (_, item) => {
  const inputs = [created, item]
  expectNothingLost(resultsOf(fromA2a({ now: () => 0 }), inputs), inputs, isState, false)
})

/** States and roles are mapped to other names, and a list without parts to no content. */
function isState(path: string, value: unknown): boolean {
  return path.endsWith('/state') || value === 'ROLE_AGENT' || path.endsWith('/parts')
}

it('a text of more parts with metadata than are carried', () => {
  const parts = Array.from({ length: 40 }, (_, n) => ({ text: `${n}`, metadata: { source: `page ${n}` } }))
  const inputs = [created, { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts } } }]
  expectNothingLost(resultsOf(fromA2a({ now: () => 0 }), inputs), inputs, isState, false)
})

describe('a message with the id and the parts of another', () => {
  it('is read if it has other metadata', () => {
    const inputs = [created, status(message), status({ ...message, metadata: { step: 'second' } })]
    expectNothingLost(resultsOf(fromA2a({ now: () => 0 }), inputs), inputs, isState, false)
  })
})

describe('an item that is dropped', () => {
  const ended = { statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } }
  it.each([
    ['is no item', [{ n: 1 }]],
    ['comes after the end', [ended, artifact({ text: 'late' })]],
  ])('%s: its diagnostic has its value', (_, inputs) => {
    const { diagnostics } = resultsOf(fromA2a({ now: () => 0 }), inputs as unknown[])[inputs.length - 1] ?? {}
    expect(diagnostics).toMatchObject([{ path: '', detail: { value: inputs.at(-1) } }])
    expect(diagnostics?.[0]?.message).not.toMatch(/\ba [aeiou]/)
  })
})

it('quotes no value of a field that A2A does not have, and cuts its name', () => {
  const name = 'apiKey'.repeat(1000)
  const item = status({ ...message, [name]: 'secret-7' })
  const [, { diagnostics = [] } = {}] = resultsOf(fromA2a({ now: () => 0 }), [created, item])
  const [first] = diagnostics
  expect(first?.path).toContain(name)
  expect(first?.code.length).toBeLessThan(100)
  expect(first?.message).not.toContain('secret')
  expect(first?.message.length).toBeLessThan(200)
})
