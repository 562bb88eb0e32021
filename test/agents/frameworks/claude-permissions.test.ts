// Proves that the user permits what Claude wants to do, while its run goes on.

import fc from 'fast-check'
import { fromClaudeAgent } from 'turnstream/agents'
import type { Agent } from 'turnstream/server'
import { expect, it } from 'vitest'
import type { CanUseTool, Permission } from '../../../src/agents/frameworks/claude-permissions.ts'
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

/** What calls of an agent, and the subagents that it calls. */
interface Plan {
  readonly pays: number
  readonly agents: readonly Plan[]
}

/** Claude, whose agents call the same tool at the same time, and ask about it; subagents begin before the response is over that calls them. */
const withSubagents = (plan: Plan, isStreamed: boolean, seen: Permission[]) =>
  async function* (canUseTool: CanUseTool): AsyncGenerator<object> {
    const asked: (readonly [id: string, parent: string | null, Promise<Permission>])[] = []
    function* begin(id: string, parent: string | null, { pays, agents }: Plan): Generator<object> {
      const calls = [
        ...agents.map((_, i) => ({ name: 'Agent', id: `${id}a${i}`, input: { prompt: `For ${id}a${i}.` } })),
        ...Array.from({ length: pays }, (_, i) => ({ name: 'pay', id: `${id}p${i}`, input })),
      ].map((call) => ({ type: 'tool_use', ...call }))
      const by = (message: object): object => ({ ...message, parent_tool_use_id: parent })
      const event = (event: object): object => by({ type: 'stream_event', session_id: 's', event })
      const start = { id: `m${id}`, model: 'm', content: [], usage: {} }
      if (isStreamed) yield event({ type: 'message_start', message: start })
      else yield by(message(`m${id}`, [{ type: 'text', text: 'I pay.' }]))
      for (const [index, content_block] of calls.entries()) {
        if (isStreamed) yield event({ type: 'content_block_start', index, content_block })
        if (isStreamed) yield event({ type: 'content_block_stop', index })
        yield by(message(`m${id}`, [content_block]))
        const { name, id: toolUseID } = content_block
        if (name === 'pay') asked.push([toolUseID, parent, canUseTool('pay', input, { toolUseID })])
      }
      for (const [i, each] of agents.entries()) yield* begin(`${id}a${i}`, `${id}a${i}`, each)
      if (isStreamed) yield event({ type: 'message_stop' })
    }
    function* end(id: string, parent: string | null, { agents }: Plan): Generator<object> {
      for (const [i, each] of agents.entries()) {
        yield* end(`${id}a${i}`, `${id}a${i}`, each)
        const ended = result(`${id}a${i}`, { behavior: 'allow', updatedInput: {} })
        yield { ...ended, parent_tool_use_id: parent }
      }
    }
    yield* begin('', null, plan)
    for (const [id, parent, each] of asked) {
      const permission = await each
      seen.push(permission)
      yield { ...result(id, permission), parent_tool_use_id: parent }
    }
    yield* end('', null, plan)
    yield { type: 'result', subtype: 'success', is_error: false, session_id: 's' }
  }

const planWith = (agents: fc.Arbitrary<readonly Plan[]>): fc.Arbitrary<Plan> =>
  fc.record({ pays: fc.integer({ min: 0, max: 2 }), agents })
const leaf = planWith(fc.constant([]))
const plans = planWith(fc.array(planWith(fc.array(leaf, { maxLength: 1 })), { maxLength: 2 }))

it('each agent asks in its own task, and calls what it may', async () => {
  const twoAgents = {
    pays: 0,
    agents: [
      { pays: 1, agents: [] },
      { pays: 1, agents: [] },
    ],
  }
  await fc.assert(
    fc.asyncProperty(plans, fc.boolean(), fc.boolean(), async (plan, isStreamed, isApproved) => {
      const seen: Permission[] = []
      const agent: Agent = (task) => fromClaudeAgent(withSubagents(plan, isStreamed, seen), { task })
      const outcome = isApproved ? 'answered' : 'declined'
      const { events, errors } = await answered(agent, { outcome }, ({ toolName }) => toolName === 'pay')
      expect(errors).toEqual([])
      expect(violations(events)).toEqual([])
      expect(events.at(-1)).toMatchObject({ status: 'completed' })
      const main = events[0]?.taskId ?? ''
      /** Whose task it is: the call of the agent. */
      const caller = ({ taskId }: { readonly taskId: string }): string => taskId.slice(main.length + 1)
      const pays = seen.length
      const asked = events.flatMap((event) =>
        event.kind === 'input-required' ? [[caller(event), event.metadata?.toolCall?.id]] : [],
      )
      expect(asked).toHaveLength(pays)
      const of = (kind: 'tool-start' | 'tool-complete', name: string): readonly unknown[] =>
        events.flatMap((event) =>
          event.kind === kind && event.toolName === name ? [[caller(event), event.toolCallId]] : [],
        )
      for (const [task, id] of asked)
        expect(String(id).replace(/p\d$/, '').slice(-2)).toBe(String(task).slice(-2))
      expect(of('tool-start', 'pay').toSorted()).toEqual(isApproved ? asked.toSorted() : [])
      expect(of('tool-complete', 'pay').toSorted()).toEqual(asked.toSorted())
      const prompts = events.flatMap((event) =>
        event.kind === 'subtask-created' ? [[event.subtaskId.split('-').at(-1), event.prompt]] : [],
      )
      for (const [id, prompt] of prompts) expect(prompt).toBe(`For ${id}.`)
      expect(of('tool-start', 'Agent')).toHaveLength(prompts.length)
    }),
    {
      numRuns: 20,
      examples: [
        [twoAgents, false, true],
        [twoAgents, true, true],
        [twoAgents, true, false],
      ],
    },
  )
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
