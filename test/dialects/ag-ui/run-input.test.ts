// Tests what a request to run an agent is checked for, and that its state is where changes begin.
import { commandsFromRunAgentInput } from 'turnstream/ag-ui'
import { expect, it } from 'vitest'
import type { AgUiEvent } from '../../../src/dialects/ag-ui/index.ts'
import { outputsOf, reader } from './support.ts'

it.each([
  ['/messages/0/role', { id: 'm', role: 5 }],
  ['/messages/0/toolCallId', { id: 'm', role: 'tool', toolCallId: 5 }],
  ['/messages/0/id', { id: 5, role: 'user' }],
])('is invalid at %s', (path, message) => {
  const input = { threadId: 'c', runId: 'r', messages: [message] }
  const { commands, diagnostics } = commandsFromRunAgentInput(input as never)
  expect(commands).toEqual([])
  expect(diagnostics).toMatchObject([{ code: 'invalid-event', path }])
})

it('has the state that the first change is applied to', () => {
  const request = { threadId: 'c', runId: 'r', state: { a: 1 }, messages: [] }
  const events = outputsOf(reader({ request } as never), [
    { type: 'RUN_STARTED', threadId: 'c', runId: 'r' },
    { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/a', value: 2 }] },
  ] as AgUiEvent[])
  const [before, change] = events.slice(-2)
  expect(before).toMatchObject({ kind: 'data-write', data: { a: 1 } })
  expect(change).toMatchObject({ kind: 'artifact-delta' })
})
