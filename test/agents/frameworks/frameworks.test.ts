// Proves that runs of frameworks, as their packages sent them, become legal tasks from which nothing is missing.

import fc from 'fast-check'
import { type ContextAnyEvent, decodeEvent, isTaskEnd } from 'turnstream'
import { fromAdk, fromClaudeAgent, fromCodex, fromLangGraph, fromOpenaiAgents } from 'turnstream/agents'
import { emptyView, foldEvents, taskOf } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'
import { frameworks, linesOf, questions, read, text, thoughts, tools, usage, violations } from './reading.ts'

describe.each(frameworks)('%s', (name, from) => {
  it('is a legal task, from lines and from objects', async () => {
    const ofLines = await read(from, linesOf(name))
    expect(violations(ofLines.events)).toEqual([])
    const ofObjects = await read(
      from,
      linesOf(name).map((line) => JSON.parse(line)),
    )
    const stated = (events: readonly ContextAnyEvent[]): unknown[] =>
      events.map((event) => ({ ...event, timestamp: '', thoughtId: '' }))
    expect(stated(ofObjects.events)).toEqual(stated(ofLines.events))
  })

  it('is legal wherever it breaks off, and whatever is missing', async () => {
    const lines = linesOf(name)
    for (let at = 0; at < lines.length; at++) {
      expect(violations((await read(from, lines.slice(0, at))).events)).toEqual([])
      expect(violations((await read(from, lines.toSpliced(at, 1))).events)).toEqual([])
      expect(
        violations((await read(from, lines.toSpliced(at, 0, '<html>', 'null', '{"type":"x"}', '[]'))).events),
      ).toEqual([])
    }
  })
})

/** The calls that events of these kinds are about. */
const callsOf =
  (...kinds: readonly string[]) =>
  (events: readonly ContextAnyEvent[]): Set<string> =>
    new Set(
      events.flatMap((event) => {
        if (!kinds.includes(event.kind)) return []
        const id =
          event.kind === 'task-error' ? event.error.toolCallId : 'toolCallId' in event && event.toolCallId
        return id ? [`${event.taskId} ${id}`] : []
      }),
    )
const written = callsOf('tool-arguments-delta', 'tool-start', 'tool-complete', 'task-error')

it.each(frameworks)('%s is legal whatever comes twice, late or not at all', async (name, from) => {
  const line = fc.constantFrom(...linesOf(name))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 60 }), async (lines) => {
      const { events } = await read(from, lines)
      expect(violations(events)).toEqual([])
      // A task that was asked something waits for the answer, whatever follows.
      const last = events.findLast(
        (event) => event.kind === 'task-status' && event.parentTaskId === undefined,
      )
      if (questions(events).length > 0) expect(last).toMatchObject({ status: 'waiting-input' })
      else expect(callsOf('tool-complete', 'task-error')(events)).toEqual(new Set(written(events)))
    }),
    { numRuns: runs(500) },
  )
})

it('LangGraph: thinking, two tools side by side, a failure, an interrupt', async () => {
  const { events, codes } = await read(fromLangGraph, linesOf('langgraph'))
  expect(thoughts(events)).toEqual(['The tide table.'])
  expect(text(events)).toBe('I look it up.|At 14:20.')
  expect(tools(events)).toEqual([
    ['call_1', 'tide', true, { port: 'Brest', high: '14:20' }],
    ['call_2', 'broken', false, 'Error: No connection.\n Please fix your mistakes.'],
  ])
  expect(questions(events)).toEqual([['cb8d52ca9025ffdb4b576766e32c8c23', 'custom']])
  expect(events.some(isTaskEnd)).toBe(false)
  expect(codes).toEqual([])
})

it('OpenAI Agents: an approval before the start of its tool, and the run after it', async () => {
  const { events, codes } = await read(fromOpenaiAgents, linesOf('openai-agents'))
  expect(thoughts(events)).toEqual(['The tide table.'])
  expect(tools(events)).toMatchObject([
    ['call_1', 'tide', true, { high: '14:20' }],
    ['call_2', 'broken', false, 'An error occurred while running the tool. Please try again.'],
  ])
  expect(questions(events)).toEqual([['approval-call_9', 'tool-execution']])
  expect(events.filter((event) => event.kind === 'tool-start' && event.toolCallId === 'call_9')).toEqual([])
  const resumed = await read(fromOpenaiAgents, linesOf('openai-agents-resumed'))
  expect(tools(resumed.events)).toEqual([['call_9', 'order', true, 'ordered']])
  expect(text(resumed.events)).toBe('At 14:20.')
  expect(usage(resumed.events)).toEqual([
    { model: 'fake-1', inputTokens: 10, outputTokens: 5, totalTokens: 15 },
  ])
  expect([...codes, ...resumed.codes]).toEqual([])
})

it('OpenAI Agents: the SDK may state the end of a response before its last event', async () => {
  const lines = linesOf('openai-agents')
  const moved = lines.flatMap((line, i) => {
    if (line.includes('"response_done"')) return []
    return lines[i + 1]?.includes('"response_done"') ? [lines[i + 1] ?? '', line] : [line]
  })
  expect(moved).not.toEqual(lines)
  const untimed = (events: readonly ContextAnyEvent[]): unknown[] =>
    events.map((event) => ({ ...event, timestamp: '', thoughtId: '' }))
  const { events, codes } = await read(fromOpenaiAgents, moved)
  expect(untimed(events)).toEqual(untimed((await read(fromOpenaiAgents, lines)).events))
  expect(codes).toEqual([])
})

it('OpenAI Agents: a model that is called by Chat Completions', async () => {
  const raw = (data: object): object => ({ type: 'raw_model_stream_event', data })
  const chunk = (delta: object, finish_reason: string | null = null): object =>
    raw({ type: 'model', event: { id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason }] } })
  const { events, codes } = await read(fromOpenaiAgents, [
    raw({ type: 'response_started' }),
    chunk({ content: 'At ' }),
    raw({ type: 'output_text_delta', delta: 'At ' }),
    chunk({ content: '14:20.' }, 'stop'),
    raw({ type: 'response_done', response: { id: 'c', output: [] } }),
  ])
  expect(text(events)).toBe('At 14:20.')
  expect(events.at(-1)).toMatchObject({ kind: 'task-status', status: 'completed' })
  expect(codes).toEqual([])
})

it('OpenAI Agents: a task that was asked waits at the end, whatever comes after the question', async () => {
  const lines = linesOf('openai-agents')
  const asks = lines.findIndex((line) => line.includes('"tool_approval_requested"'))
  const [asked = ''] = lines.splice(asks, 1)
  const results = lines.findIndex((line) => line.includes('"tool_output"'))
  const { events } = await read(fromOpenaiAgents, lines.toSpliced(results, 0, asked))
  expect(violations(events)).toEqual([])
  expect(events.at(-1)).toMatchObject({ kind: 'task-status', status: 'waiting-input' })
})

it('ADK: partial events and the whole after them, once', async () => {
  const { events, codes } = await read(fromAdk, linesOf('adk'))
  expect(thoughts(events)).toEqual(['The tide table.'])
  expect(text(events)).toBe('I look it up.|At 14:20.')
  expect(tools(events)).toEqual([
    ['call_1', 'tide', true, { high: '14:20' }],
    ['call_2', 'broken', false, 'No connection.'],
  ])
  expect(usage(events)).toEqual([{ model: 'unknown', inputTokens: 30, outputTokens: 9, totalTokens: 39 }])
  expect(codes).toEqual([])
})

it('ADK: the JSON of Python, and the confirmation of a tool', async () => {
  const asked = {
    author: 'a',
    content: {
      role: 'model',
      parts: [{ function_call: { id: 'c1', name: 'order', args: { what: 'boat' } } }],
    },
    actions: { requested_tool_confirmations: { c1: { hint: 'Order a boat?' } } },
    finish_reason: 'STOP',
  }
  const { events } = await read(fromAdk, [asked])
  expect(events.filter(({ kind }) => kind === 'tool-arguments-delta')).toMatchObject([{ toolName: 'order' }])
  expect(questions(events)).toEqual([['confirmation-c1', 'tool-execution']])
  const after = {
    author: 'a',
    content: { role: 'model', parts: [{ text: 'I wait.' }] },
    finish_reason: 'STOP',
  }
  const waiting = await read(fromAdk, [asked, after])
  expect(violations(waiting.events)).toEqual([])
  expect(waiting.events.at(-1)).toMatchObject({ kind: 'task-status', status: 'waiting-input' })
  const failed = await read(fromAdk, [{ author: 'a', error_code: 'SAFETY', error_message: 'x' }])
  expect(failed.events.at(-1)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
})

it.each<[response: unknown, success: boolean, outcome: unknown]>([
  [{ error: 'No connection.' }, false, 'No connection.'],
  [{ error: { code: 7 } }, false, '{"code":7}'],
  [{ error: 'warn', data: 42 }, false, '{"error":"warn","data":42}'],
  [{ error: '', data: 42 }, true, { error: '', data: 42 }],
  [{ error: false, data: 42 }, true, { error: false, data: 42 }],
  [{ error: null }, true, { error: null }],
])('ADK: a tool that answers %j', async (response, success, outcome) => {
  const parts = [{ functionResponse: { id: 'c1', name: 'tide', response } }]
  const { events } = await read(fromAdk, [{ author: 'a', content: { role: 'user', parts } }])
  expect(tools(events)).toEqual([['c1', 'tide', success, outcome]])
})

it('ADK: a run that ends within a response has failed', async () => {
  const event = (text: string, rest: object): object => ({
    author: 'a',
    content: { parts: [{ text }] },
    ...rest,
  })
  const cut = await read(fromAdk, [event('At 14', { partial: true })])
  expect(text(cut.events)).toBe('At 14')
  expect(cut.events.at(-1)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
  expect(cut.codes).toEqual(['ended-early'])
  expect(violations(cut.events)).toEqual([])
  for (const whole of [{}, { partial: true, finishReason: 'STOP' }]) {
    const { events, codes } = await read(fromAdk, [event('At 14:20.', whole)])
    expect([events.at(-1), codes]).toMatchObject([{ status: 'completed' }, []])
  }
})

it('Claude: a subagent is a subtask', async () => {
  const { events, codes } = await read(fromClaudeAgent, linesOf('claude-agent'))
  expect(thoughts(events)).toEqual(['The tide table.'])
  expect(text(events)).toMatch(/At 14:20\.$/)
  const view = foldEvents(emptyView, events)
  expect(taskOf(view, 't-toolu_1')).toMatchObject({ parentTaskId: 't', status: 'completed' })
  expect(tools(events)).toEqual([
    ['toolu_2', 'Read', false, 'File does not exist.'],
    ['toolu_3', 'WebSearch', true, '14:20'],
    ['toolu_1', 'Task', true, { status: 'completed', totalTokens: 20 }],
  ])
  expect(usage(events)).toEqual([
    {
      model: 'claude-sonnet',
      inputTokens: 60,
      outputTokens: 34,
      totalTokens: 94,
      cachedInputTokens: 7,
      cacheWriteInputTokens: 3,
    },
    {
      model: 'claude-haiku',
      inputTokens: 14,
      outputTokens: 14,
      totalTokens: 28,
      cachedInputTokens: 0,
      cacheWriteInputTokens: 0,
    },
  ])
  expect(codes).toEqual([])
})

it('Claude: a subagent in the background ends when it does, and the task with its last result', async () => {
  const lines = linesOf('claude-agent-background')
  expect(lines.filter((line) => line.includes('"type":"result"'))).toHaveLength(2)
  const { events, codes } = await read(fromClaudeAgent, lines)
  expect(text(events)).toBe('|Answer 2.|Answer 4.')
  const view = foldEvents(emptyView, events)
  expect(taskOf(view, 't-call_3')).toMatchObject({
    parentTaskId: 't',
    status: 'completed',
    parts: [{ text: 'Answer 3.' }],
  })
  expect(usage(events)).toMatchObject([{ model: 'fake-1', totalTokens: 60 }])
  expect(events.filter(({ kind }) => kind === 'subtask-created')).toMatchObject([{ prompt: 'Look it up.' }])
  expect(codes).toEqual([])
})

it.each([
  ['stopped', 'canceled'],
  ['failed', 'failed'],
])('Claude: a subagent in the background that has %s', async (stated, status) => {
  const lines = linesOf('claude-agent-background').map((line) =>
    line.includes('"task_notification"')
      ? line.replace('"status":"completed"', `"status":"${stated}"`)
      : line,
  )
  const { events } = await read(fromClaudeAgent, lines)
  expect(taskOf(foldEvents(emptyView, events), 't-call_3')).toMatchObject({ status })
})

it('Claude: without partial messages the same, and a budget that is used up', async () => {
  const whole = linesOf('claude-agent').filter((line) => !line.includes('"stream_event"'))
  const call = (id: string, name: string, input: object): string =>
    JSON.stringify({
      type: 'assistant',
      parent_tool_use_id: null,
      message: { id: 'msg_1', model: 'm', content: [{ type: 'tool_use', id, name, input }] },
    })
  const lines = whole.toSpliced(
    2,
    0,
    call('toolu_1', 'Task', { prompt: 'Look it up' }),
    call('toolu_2', 'Read', { file: 'tides.txt' }),
  )
  const { events } = await read(fromClaudeAgent, lines)
  expect(violations(events)).toEqual([])
  expect(tools(events)).toEqual(tools((await read(fromClaudeAgent, linesOf('claude-agent'))).events))
  const spent = await read(fromClaudeAgent, [{ type: 'result', subtype: 'error_max_turns', is_error: true }])
  expect(spent.events.at(-1)).toMatchObject({ error: { code: 'budget_exhausted' } })
})

it('Claude: a tool that has its result before the response ends does not end it', async () => {
  const lines = linesOf('claude-agent-background')
  const result = lines.findIndex((line) => line.includes('"type":"user"'))
  const end = lines.findIndex((line) => line.includes('"message_delta"'))
  const early = lines.toSpliced(result, 1).toSpliced(end, 0, lines[result] ?? '')
  const { events, codes } = await read(fromClaudeAgent, early)
  expect(text(events)).toBe('|Answer 2.|Answer 4.')
  expect(tools(events)).toEqual(tools((await read(fromClaudeAgent, lines)).events))
  expect(codes).toEqual([])
})

it('Claude: a subagent of a subagent is a subtask of its subtask', async () => {
  const of = (parent: string | null, type: string, content: object): object => ({
    ...{ type, session_id: 's', parent_tool_use_id: parent },
    message: { id: `msg-${parent}`, model: 'm', content: [content] },
  })
  const calls = (id: string, prompt: string): object => ({
    type: 'tool_use',
    id,
    name: 'Agent',
    input: { prompt },
  })
  const result = (id: string, is_error = false): object => ({
    ...{ type: 'tool_result', tool_use_id: id, content: 'Done.', is_error },
  })
  const { events, codes } = await read(fromClaudeAgent, [
    of(null, 'assistant', calls('outer', 'Look.')),
    of('outer', 'assistant', calls('inner', 'Look closer.')),
    of('inner', 'assistant', { type: 'text', text: 'Found.' }),
    of('outer', 'user', result('inner', true)),
    of(null, 'user', result('outer')),
    { type: 'result', subtype: 'success', is_error: false, session_id: 's' },
  ])
  expect(violations(events)).toEqual([])
  const view = foldEvents(emptyView, events)
  expect(taskOf(view, 't-outer')).toMatchObject({ parentTaskId: 't', status: 'completed' })
  expect(taskOf(view, 't-inner')).toMatchObject({ parentTaskId: 't-outer', status: 'failed' })
  const begun = events.filter(({ kind }) => kind === 'subtask-created')
  expect(begun).toMatchObject([
    { taskId: 't', subtaskId: 't-outer', prompt: 'Look.' },
    { taskId: 't-outer', subtaskId: 't-inner', prompt: 'Look closer.' },
  ])
  expect(codes).toEqual([])
})

it('Claude: a run without its result was cut off', async () => {
  const lines = linesOf('claude-agent').filter((line) => !line.includes('"type":"result"'))
  const { events, codes } = await read(fromClaudeAgent, lines)
  expect(events.at(-1)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
  expect(codes).toEqual(['ended-early'])
})

it('Claude: a program that fails after its result ends the task as the result states', async () => {
  async function* failing(lines: readonly object[]): AsyncGenerator<object> {
    yield* lines
    throw new Error('Claude Code process exited with code 1')
  }
  const failed = { type: 'result', subtype: 'success', is_error: true, session_id: 's' }
  const { events, codes } = await read(fromClaudeAgent, failing([failed]))
  expect(events.at(-1)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
  expect(codes).toEqual(['provider-error', 'provider-error'])
  const before = read(fromClaudeAgent, failing([{ type: 'system', subtype: 'init', session_id: 's' }]))
  await expect(before).rejects.toThrow('exited with code 1')
})

it('Codex: commands, changes, searches and plans', async () => {
  const { events, codes } = await read(fromCodex, linesOf('codex'))
  expect(thoughts(events)).toEqual(['The tide table.'])
  expect(text(events)).toBe('At 14:20.')
  expect(tools(events)).toMatchObject([
    ['item_1', 'command_execution', false, 'Exit code 1: No such file'],
    ['item_2', 'lookup', true, { content: [{ type: 'text', text: '14:20' }] }],
    ['item_4', 'file_change', true, null],
  ])
  expect(usage(events)).toEqual([
    { inputTokens: 100, outputTokens: 20, totalTokens: 120, cachedInputTokens: 40 },
  ])
  expect(codes).toEqual([])
  const failed = await read(fromCodex, [
    { type: 'turn.started' },
    { type: 'turn.failed', error: { message: 'x' } },
  ])
  expect(failed.events.at(-1)).toMatchObject({ kind: 'task-status', status: 'failed' })
})

it('Codex: what a search states at its end only is its result', async () => {
  const item = { id: 'item_1', type: 'web_search', query: '' }
  const done = { ...item, query: 'tide brest', action: { type: 'search', query: 'tide brest' } }
  const line = (type: string, one: object): object => ({ type, item: one })
  const turn = (...lines: readonly object[]): object[] => [
    { type: 'turn.started' },
    ...lines,
    { type: 'turn.completed' },
  ]
  const { events } = await read(fromCodex, turn(line('item.started', item), line('item.completed', done)))
  const { query, action } = done
  expect(tools(events)).toEqual([['item_1', 'web_search', true, { query, action }]])
  const alone = await read(fromCodex, turn(line('item.completed', done)))
  const [start] = alone.events.filter(({ kind }) => kind === 'tool-start')
  expect(start).toMatchObject({ arguments: { query, action } })
  expect(tools(alone.events)).toEqual([['item_1', 'web_search', true, null]])
})

const started = { type: 'turn.started' }
const completed = { type: 'turn.completed' }
const turnFailed = { type: 'turn.failed', error: { message: 'x' } }
const trouble = { type: 'error', message: 'Reconnecting' }
const answer = { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'At 14:20.' } }

it.each<[lines: readonly object[], end: object, codes: readonly string[]]>([
  [[started, turnFailed, started, answer, completed], { status: 'completed' }, ['provider-error']],
  [[started, answer, completed, started, turnFailed], { status: 'failed' }, ['provider-error']],
  [
    [started, turnFailed, started, answer],
    { error: { message: 'The run was cut off.' } },
    ['provider-error', 'ended-early'],
  ],
  [[started, answer], { status: 'failed', error: { code: 'provider_error' } }, ['ended-early']],
  [[started, trouble, answer, completed], { status: 'completed' }, ['provider-error']],
  [[trouble], { status: 'failed', error: { code: 'provider_error' } }, ['provider-error', 'ended-early']],
])('Codex: ends once, with the source, as the last turn of %j', async (lines, end, expected) => {
  const { events, codes } = await read(fromCodex, lines)
  expect(violations(events)).toEqual([])
  expect(events.at(-1)).toMatchObject(end)
  expect(codes).toEqual(expected)
})

it('Codex: a program that fails after its last turn ends the task as the turn states', async () => {
  async function* failing(lines: readonly object[]): AsyncGenerator<object> {
    yield* lines
    throw new Error('Codex Exec exited with code 1')
  }
  const { events } = await read(fromCodex, failing([started, turnFailed]))
  expect(events.at(-1)).toMatchObject({ status: 'failed', error: { message: 'Codex reported an error.' } })
  await expect(read(fromCodex, failing([started]))).rejects.toThrow('exited with code 1')
})

it('Codex: items without an id, and arguments that are too deep for events', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)
  const item = (more: object): object => ({ type: 'item.completed', item: more })
  const call = { type: 'mcp_tool_call', tool: 'lookup', arguments: deep }
  const { events, codes } = await read(fromCodex, [
    started,
    item({ type: 'agent_message', text: 'One.' }),
    item({ type: 'agent_message', text: 'Two.' }),
    { type: 'item.started', item: call },
    item({ ...call, result: 'r', status: 'completed' }),
    item({ ...call, result: 's', status: 'completed' }),
    completed,
  ])
  expect(text(events)).toBe('One.|Two.')
  expect(tools(events)).toMatchObject([
    ['mcp_tool_call-0', 'lookup', true, 'r'],
    ['mcp_tool_call-1', 'lookup', true, 's'],
  ])
  expect(events.map((event) => decodeEvent(event).status)).toEqual(events.map(() => 'known'))
  expect(violations(events)).toEqual([])
  expect(codes).toEqual([])
})

it('Codex: a warning is no error', async () => {
  const { events, codes } = await read(fromCodex, linesOf('codex-exec'))
  expect(events.at(-1)).toMatchObject({ status: 'completed' })
  expect(codes).toEqual(['provider-warning'])
})
