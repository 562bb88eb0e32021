// Proves that the user permits what Claude wants to do, while its run goes on.

import { type CanUseTool, fromClaudeAgent, type Permission } from 'turnstream/agents'
import type { Agent } from 'turnstream/server'
import { expect, it } from 'vitest'
import { answered } from '../../support/answered-agent.ts'
import { newTask, tools, violations } from './reading.ts'

const message = (id: string, content: readonly object[], type = 'assistant'): object => ({
  ...{ type, session_id: 's', parent_tool_use_id: null },
  message: { id, model: 'm', role: type, content },
})
const input = { amount: 5 }
const call = (id: string): object => ({ type: 'tool_use', id, name: 'pay', input })
const result = (id: string, { behavior }: Permission): object =>
  message(
    '',
    [{ type: 'tool_result', tool_use_id: id, content: 'ok', is_error: behavior === 'deny' }],
    'user',
  )

/** Claude, which calls two tools and asks about both. */
const claude = (seen: Permission[], isStreamed: boolean) =>
  async function* (canUseTool: CanUseTool): AsyncGenerator<object> {
    const event = (event: object): object => ({ type: 'stream_event', session_id: 's', event })
    const ids = ['p1', 'p2']
    const start = { id: 'm1', model: 'm', content: [], usage: {} }
    if (isStreamed) yield event({ type: 'message_start', message: start })
    for (const [index, id] of ids.entries()) {
      if (!isStreamed) continue
      yield event({ type: 'content_block_start', index, content_block: { ...call(id), input: {} } })
      yield event({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      })
      yield event({ type: 'content_block_stop', index })
    }
    const asked = ids.map((toolUseID) => canUseTool('pay', input, { toolUseID }))
    if (isStreamed) {
      yield event({ type: 'message_delta', delta: { stop_reason: 'tool_use' } })
      yield event({ type: 'message_stop' })
    }
    yield message('m1', [{ type: 'text', text: 'I pay.' }])
    for (const id of ids) yield message('m1', [call(id)])
    for (const [i, each] of asked.entries()) {
      const permission = await each
      seen.push(permission)
      yield result(ids[i] ?? '', permission)
    }
    yield message('m2', [{ type: 'text', text: 'Done.' }])
    yield { type: 'result', subtype: 'success', is_error: false, session_id: 's' }
  }

it.each([
  ['answered', true],
  ['answered', false],
  ['declined', true],
  ['declined', false],
])('a call that is %s, streamed %s', async (outcome, isStreamed) => {
  const seen: Permission[] = []
  const agent: Agent = (task) => fromClaudeAgent(claude(seen, isStreamed), { task })
  const { events, errors } = await answered(agent, { outcome }, ({ toolName }) => toolName === 'pay')
  const isApproved = outcome === 'answered'
  expect(errors).toEqual([])
  expect(seen.map(({ behavior }) => behavior)).toEqual(Array(2).fill(isApproved ? 'allow' : 'deny'))
  const starts = events.flatMap((event) => (event.kind === 'tool-start' ? [event.arguments] : []))
  expect(starts).toEqual(isApproved ? [input, input] : [])
  expect(tools(events)).toMatchObject([
    ['p1', 'pay', isApproved, 'ok'],
    ['p2', 'pay', isApproved, 'ok'],
  ])
  expect(events.at(-1)).toMatchObject({ status: 'completed' })
  expect(violations(events)).toEqual([])
})

it('a run that is left denies what it waits for', async () => {
  let permission: Promise<Permission> | undefined
  async function* source(canUseTool: CanUseTool): AsyncGenerator<object> {
    yield message('m1', [call('p1')])
    permission = canUseTool('pay', input, { toolUseID: 'p1' })
    await permission
  }
  const task = newTask({
    async *approve() {
      yield { kind: 'task-status', status: 'waiting-input' }
      return []
    },
  })
  for await (const draft of fromClaudeAgent(source, { task })) if (draft.kind === 'task-status') break
  expect(await permission).toMatchObject({ behavior: 'deny', interrupt: true })
})

it('needs a task that can ask', () => {
  expect(() => fromClaudeAgent(() => [], { task: newTask() })).toThrow('"task.approve" must be a function')
})
