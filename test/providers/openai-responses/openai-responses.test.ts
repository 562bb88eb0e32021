// Proves what openaiResponses makes of the streams of OpenAI and of the servers that speak its dialects.

import type { EventDraft } from 'turnstream'
import { modelTurn, type OpenaiResponsesChunk, openaiResponses } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import type { ModelOptions } from '../../../src/providers/shared/options.ts'
import { type ReadStream, readStream, taskOf, violationsOf } from '../../support/providers/agent-loop.ts'

const created = { type: 'response.created', response: { id: 'resp-1', model: 'm-1' } }
const usage = {
  input_tokens: 5,
  output_tokens: 3,
  total_tokens: 8,
  input_tokens_details: { cached_tokens: 1 },
  output_tokens_details: { reasoning_tokens: 2 },
}
const completed = { type: 'response.completed', response: { id: 'resp-1', status: 'completed', usage } }

const added = (output_index: number, item: object): object => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const done = (output_index: number, item: object): object => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const delta = (name: string, output_index: number, text: string, more: object = {}): object => ({
  type: `response.${name}.delta`,
  output_index,
  delta: text,
  ...more,
})

/** Reads chunks; an agent makes a legal task of what comes out. */
function read(chunks: readonly unknown[], options: ModelOptions = {}): ReadStream {
  const result = readStream(openaiResponses(options), chunks)
  expect(violationsOf(taskOf(result))).toEqual([])
  return result
}

const kindsOf = ({ drafts }: ReadStream): string[] => drafts.slice(1).map(({ kind }) => kind)
const ofKind = <K extends EventDraft['kind']>(
  { drafts }: ReadStream,
  kind: K,
): (EventDraft & { kind: K })[] =>
  drafts.filter((draft): draft is EventDraft & { kind: K } => draft.kind === kind)

it('text, with the usage and the status at the end', () => {
  const result = read([
    created,
    added(0, { type: 'message', id: 'msg-1' }),
    delta('output_text', 0, 'Hel'),
    delta('output_text', 0, 'lo'),
    { type: 'response.output_text.done', output_index: 0, text: 'Hello' },
    done(0, { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }),
    completed,
  ] satisfies (OpenaiResponsesChunk | object)[])
  const tokens = { inputTokens: 5, outputTokens: 3, totalTokens: 8, cachedInputTokens: 1, reasoningTokens: 2 }
  expect(result.drafts[0]).toMatchObject({ model: 'm-1', metadata: { responseId: 'resp-1' } })
  expect(result.drafts.slice(1)).toEqual([
    { kind: 'content-delta', delta: 'Hel' },
    { kind: 'content-delta', delta: 'lo' },
    {
      kind: 'content-complete',
      content: 'Hello',
      finishReason: 'completed',
      metadata: { usage: [{ model: 'm-1', ...tokens }] },
    },
  ])
  expect(result.codes).toEqual([])
})

describe('the whole of a part', () => {
  const whole = { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Hello' }
  const end = done(0, { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] })
  const at = (content_index: number, text: string) => delta('output_text', 0, text, { content_index })

  it.each<[what: string, pieces: string[], whole: string, text: string, codes: string[]]>([
    ['adds what the pieces lack', ['He'], 'Hello', 'Hello', []],
    ['is all there is', [], 'Hello', 'Hello', []],
    ['that differs is reported, and the pieces are kept', ['Hi'], 'Hello', 'Hi', ['done-differs']],
  ])('%s', (_, pieces, whole, text, codes) => {
    const result = read([
      created,
      added(0, { type: 'message' }),
      ...pieces.map((piece) => delta('output_text', 0, piece)),
      { type: 'response.output_text.done', output_index: 0, text: whole },
      completed,
    ])
    expect(result.turn.text).toBe(text)
    expect(result.codes).toEqual(codes)
  })

  it.each<[what: string, chunks: object[], text: string]>([
    ['that comes again adds nothing to another part', [at(0, 'Hello'), whole, at(1, 'He'), whole], 'HelloHe'],
    ['is of a part that has another number', [at(1, 'He'), whole], 'Hello'],
    [
      'is of a part that has ended with another number',
      [at(1, 'Hello'), { ...whole, content_index: 1 }, end],
      'Hello',
    ],
    ['is of no refusal that begins as it does', [delta('refusal', 0, 'He'), whole], 'HeHello'],
  ])('%s', (_, chunks, text) => {
    const result = read([created, added(0, { type: 'message' }), ...chunks, completed])
    expect(result.turn.text).toBe(text)
    expect(result.codes).toEqual([])
  })

  it('may come only with the response', () => {
    const output = [
      { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] },
      { type: 'function_call', call_id: 'c1', name: 'a', arguments: '{}' },
    ]
    const response = { id: 'resp-1', object: 'response', model: 'm-1', status: 'completed', output, usage }
    for (const chunk of [response, { type: 'response.completed', response }]) {
      expect(read([chunk]).turn).toMatchObject({
        text: 'Hi',
        calls: [{ toolName: 'a' }],
        finishReason: 'completed',
      })
    }
  })
})

it('each message is a text, with its phase', () => {
  const result = read([
    created,
    added(0, { type: 'message', phase: 'commentary' }),
    delta('output_text', 0, 'One'),
    done(0, { type: 'message', content: [] }),
    added(1, { type: 'message', phase: 'final_answer' }),
    delta('output_text', 1, 'Two'),
    completed,
  ])
  expect(ofKind(result, 'content-complete')).toMatchObject([
    { content: 'One', metadata: { phase: 'commentary' } },
    { content: 'Two', metadata: { phase: 'final_answer' }, finishReason: 'completed' },
  ])
  expect(ofKind(result, 'content-complete')[0]).not.toHaveProperty('finishReason')
})

it('messages that overlap have ids', () => {
  const result = read([
    created,
    added(0, { type: 'message' }),
    delta('output_text', 0, 'a'),
    delta('output_text', 1, 'b'),
    delta('output_text', 0, 'A'),
    completed,
  ])
  expect(ofKind(result, 'content-complete')).toMatchObject([
    { content: 'aA' },
    { content: 'b', contentId: 'text-1' },
  ])
  expect(result.turn.text).toBe('aAb')
})

describe('reasoning', () => {
  it('is a thought for each item, its parts separated by a blank line', () => {
    const result = read([
      created,
      added(0, { type: 'reasoning', encrypted_content: 'early' }),
      delta('reasoning_summary_text', 0, 'One', { summary_index: 0 }),
      delta('reasoning_summary_text', 0, 'Two', { summary_index: 1 }),
      done(0, {
        type: 'reasoning',
        encrypted_content: 'sig',
        summary: [{ text: 'One' }, { text: 'Two!' }],
      }),
      completed,
    ])
    expect(result.turn.thoughts).toEqual([{ text: 'One\n\nTwo!', signature: 'sig' }])
    expect(ofKind(result, 'thought-delta').map((draft) => draft.delta)).toEqual(['One', '\n\nTwo', '!'])
  })

  it('beside a message does not interrupt it', () => {
    const result = read([
      created,
      added(0, { type: 'reasoning' }),
      delta('reasoning_text', 0, 'Hm'),
      added(1, { type: 'message' }),
      delta('output_text', 1, '4'),
      delta('reasoning_text', 0, '…'),
      completed,
    ])
    expect(result.turn).toMatchObject({ text: '4', thoughts: [{ text: 'Hm…' }] })
  })

  it('of several items at once is in order', () => {
    const result = read([
      created,
      delta('reasoning_text', 0, 'a'),
      delta('reasoning_text', 1, 'b'),
      delta('reasoning_text', 0, 'A'),
      done(0, { type: 'reasoning' }),
      delta('reasoning_text', 1, 'B'),
      done(1, { type: 'reasoning' }),
      completed,
    ])
    expect(result.turn.thoughts).toEqual([{ text: 'aA' }, { text: 'bB' }])
  })

  it('without text and signature is nothing', () => {
    const result = read([
      created,
      added(0, { type: 'reasoning' }),
      done(0, { type: 'reasoning', summary: [] }),
      completed,
    ])
    expect(kindsOf(result)).toEqual(['content-complete'])
    expect(result.turn.thoughts).toEqual([])
  })
})

describe('calls of the application’s tools', () => {
  it.each<[type: string, item: object, pieces: object[], toolName: string, args: object]>([
    [
      'function_call',
      { call_id: 'c1', name: 'weather', arguments: '{"city":"Paris"}' },
      [delta('function_call_arguments', 0, '{"city":')],
      'weather',
      { city: 'Paris' },
    ],
    [
      'custom_tool_call',
      { call_id: 'c1', name: 'sql', input: 'SELECT "1"' },
      [delta('custom_tool_call_input', 0, 'SELECT ')],
      'sql',
      { input: 'SELECT "1"' },
    ],
    [
      'shell_call',
      { call_id: 'c1', action: { commands: ['ls -a', 'pwd'] } },
      [delta('shell_call_command', 0, 'ls', { command_index: 0 })],
      'shell',
      { input: 'ls -a\npwd' },
    ],
    [
      'apply_patch_call',
      { call_id: 'c1', operation: { type: 'create_file', path: 'a.md', diff: '+a\n' } },
      [delta('apply_patch_call_operation_diff', 0, '+a')],
      'apply_patch',
      { type: 'create_file', path: 'a.md', input: '+a\n' },
    ],
    [
      'apply_patch_call',
      { call_id: 'c1', operation: { type: 'delete_file', path: 'a.md' } },
      [],
      'apply_patch',
      { type: 'delete_file', path: 'a.md', input: '' },
    ],
    [
      'computer_call',
      { call_id: 'c1', action: { type: 'click', x: 1 } },
      [],
      'computer',
      { type: 'click', x: 1 },
    ],
    [
      'tool_search_call',
      { call_id: 'c1', execution: 'client', arguments: { q: 'x' } },
      [],
      'tool_search',
      { q: 'x' },
    ],
  ])('%s', (type, item, pieces, toolName, args) => {
    const { arguments: _, input, action, ...start } = item as Record<string, unknown>
    const chunks = [created, added(0, { type, ...start }), ...pieces, done(0, { type, ...item }), completed]
    for (const calls of ['request', 'start'] as const) {
      const result = read(chunks, { calls })
      expect(result.turn.calls).toMatchObject([
        { toolCallId: 'c1', toolName, status: 'complete', arguments: args },
      ])
      expect(ofKind(result, 'tool-start')).toHaveLength(calls === 'start' ? 1 : 0)
    }
  })

  it('that the token limit cuts off do not start', () => {
    const reason = 'max_output_tokens'
    const { turn, codes } = read([
      created,
      added(0, { type: 'function_call', call_id: 'c1', name: 'a' }),
      delta('function_call_arguments', 0, '{"x'),
      { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason } } },
    ])
    expect(turn).toMatchObject({ finishReason: reason, calls: [{ status: 'incomplete' }] })
    expect(codes).toEqual(['arguments-incomplete'])
  })

  it('that the provider ran after all are complete', () => {
    const result = read([
      created,
      done(0, { type: 'shell_call', call_id: 'c1', action: { commands: ['ls'] } }),
      done(1, { type: 'shell_call_output', call_id: 'c1', output: [{ stdout: 'a' }] }),
      completed,
    ])
    expect(kindsOf(result).slice(-3)).toEqual(['tool-start', 'tool-complete', 'content-complete'])
    expect(result.turn.calls).toEqual([])
  })

  const printed = (text: object): object => ({
    type: 'response.shell_call_output_content.delta',
    item_id: 'out-1',
    output_index: 1,
    command_index: 0,
    delta: text,
  })

  it.each(['request', 'start'] as const)('show what a shell at the provider prints, with %s', (calls) => {
    const output = { type: 'shell_call_output', id: 'out-1', call_id: 'c1' }
    const result = read(
      [
        created,
        done(0, { type: 'shell_call', call_id: 'c1', action: { commands: ['ls'] } }),
        added(1, { ...output, status: 'in_progress', output: [] }),
        printed({ stdout: 'a\n' }),
        printed({ stdout: 'b', stderr: 'c', other: null }),
        { ...printed({}), type: 'response.shell_call_output_content.done', output: [] },
        done(1, { ...output, output: [{ stdout: 'a\nb', stderr: 'c' }] }),
        completed,
      ],
      { calls },
    )
    expect(ofKind(result, 'tool-progress').map(({ toolCallId, metadata }) => [toolCallId, metadata])).toEqual(
      [
        ['c1', { stream: 'stdout', chunk: 'a\n' }],
        ['c1', { stream: 'stdout', chunk: 'b' }],
        ['c1', { stream: 'stderr', chunk: 'c' }],
      ],
    )
    expect(ofKind(result, 'tool-start')).toHaveLength(1)
    expect(ofKind(result, 'tool-complete')).toMatchObject([{ success: true }])
    expect(result.codes).toEqual([])
  })

  it('show nothing of a shell whose call is unknown or has ended', () => {
    const output = { type: 'shell_call_output', id: 'out-1', call_id: 'c1' }
    const unknown = read([created, added(1, output), printed({ stdout: 'a' }), completed])
    expect(ofKind(unknown, 'tool-progress')).toEqual([])
    const anonymous = read([
      created,
      added(0, { type: 'function_call', name: 'f' }),
      printed({ stdout: 'a' }),
      done(1, { type: 'shell_call_output', output: [] }),
      completed,
    ])
    expect(ofKind(anonymous, 'tool-progress')).toEqual([])
    const ended = read([
      created,
      done(0, { type: 'shell_call', call_id: 'c1', action: { commands: ['ls'] } }),
      done(1, output),
      printed({ stdout: 'a' }),
      done(1, { ...output, output: [] }),
      completed,
    ])
    expect(ofKind(ended, 'tool-complete')).toHaveLength(1)
    expect(ofKind(ended, 'tool-progress')).toEqual([])
  })
})

it('a response keeps its id, although later chunks have others', () => {
  const response = (type: string, id: string): object => ({
    type: `response.${type}`,
    response: { id, model: 'm-1', status: type },
  })
  const result = read([
    response('created', 'a'),
    response('queued', 'b'),
    response('in_progress', 'c'),
    delta('output_text', 0, 'Hi'),
    response('in_progress', 'd'),
    response('completed', 'e'),
  ])
  expect(ofKind(result, 'internal:llm-call')).toMatchObject([{ metadata: { responseId: 'a' } }])
  expect(result.turn).toMatchObject({ text: 'Hi', finishReason: 'completed' })
  expect(result.codes).toEqual([])
})

describe('tools at the provider', () => {
  it('search the web, with progress and result', () => {
    const item = { type: 'web_search_call', id: 'ws-1', status: 'in_progress' }
    const result = read([
      created,
      added(0, item),
      { type: 'response.web_search_call.searching', output_index: 0 },
      { type: 'response.web_search_call.completed', output_index: 0 },
      done(0, { ...item, status: 'completed', results: [1] }),
      completed,
    ])
    expect(result.drafts.slice(1, -1)).toEqual([
      {
        kind: 'tool-start',
        toolCallId: 'ws-1',
        toolName: 'web_search',
        arguments: {},
        metadata: { provider: 'provider' },
      },
      {
        kind: 'tool-progress',
        toolCallId: 'ws-1',
        progress: 0,
        message: 'searching',
        metadata: { step: 'searching' },
      },
      {
        kind: 'tool-complete',
        toolCallId: 'ws-1',
        toolName: 'web_search',
        success: true,
        result: { results: [1] },
      },
    ])
    expect(result.turn.calls).toEqual([])
  })

  it('call MCP servers, which may fail', () => {
    const item = { type: 'mcp_call', id: 'mcp-1', name: 'lookup' }
    const result = read([
      created,
      added(0, item),
      delta('mcp_call_arguments', 0, '{"q":1}'),
      { type: 'response.mcp_call_arguments.done', output_index: 0, arguments: '{"q":1}' },
      done(0, { ...item, status: 'failed', error: { message: 'No such page.' } }),
      completed,
    ])
    expect(ofKind(result, 'tool-start')).toMatchObject([
      { arguments: { q: 1 }, metadata: { provider: 'provider' } },
    ])
    expect(ofKind(result, 'tool-complete')).toMatchObject([{ success: false, error: 'No such page.' }])
  })

  it('run code', () => {
    const item = { type: 'code_interpreter_call', id: 'ci-1', container_id: 'k' }
    const result = read([
      created,
      added(0, item),
      delta('code_interpreter_call_code', 0, 'print('),
      { type: 'response.code_interpreter_call_code.done', output_index: 0, code: 'print(1)' },
      done(0, { ...item, code: 'print(1)', status: 'completed', outputs: [{ type: 'logs', logs: '1' }] }),
      completed,
    ])
    expect(ofKind(result, 'tool-start')[0]?.arguments).toEqual({ container_id: 'k', input: 'print(1)' })
    expect(ofKind(result, 'tool-complete')[0]?.result).toMatchObject({ outputs: [{ logs: '1' }] })
    expect(result.codes).toEqual([])
  })

  it('draw images', () => {
    const item = { type: 'image_generation_call', id: 'ig-1' }
    const result = read([
      created,
      added(0, item),
      done(0, { ...item, status: 'completed', output_format: 'webp', result: 'aGk=', size: '1x1' }),
      completed,
    ])
    expect(ofKind(result, 'file-write')).toEqual([
      {
        kind: 'file-write',
        artifactId: 'ig-1',
        data: 'aGk=',
        complete: true,
        encoding: 'base64',
        mimeType: 'image/webp',
        metadata: { toolCallId: 'ig-1' },
      },
    ])
    expect(ofKind(result, 'tool-complete')[0]?.result).toEqual({ output_format: 'webp', size: '1x1' })
  })

  it('whose result does not come have failed', () => {
    const result = read([created, added(0, { type: 'web_search_call', id: 'ws-1' }), completed])
    expect(ofKind(result, 'tool-complete')).toMatchObject([{ toolCallId: 'ws-1', success: false }])
  })

  it('may need an approval', () => {
    const item = {
      type: 'mcp_approval_request',
      id: 'ar-1',
      name: 'send',
      server_label: 'mail',
      arguments: '{}',
    }
    const result = read([created, added(0, item), done(0, item), completed])
    expect(ofKind(result, 'input-required')).toMatchObject([
      {
        inputId: 'ar-1',
        inputType: 'tool-execution',
        requireUser: true,
        metadata: { toolCall: { id: 'ar-1', type: 'mcp', function: { name: 'send', arguments: '{}' } } },
      },
    ])
  })
})

it('sources of a text, with positions across its parts', () => {
  const citation = {
    type: 'url_citation',
    url: 'https://a.example',
    title: 'A',
    start_index: 0,
    end_index: 3,
  }
  const result = read([
    created,
    delta('output_text', 0, 'One ', { content_index: 0 }),
    delta('output_text', 0, 'Two', { content_index: 1 }),
    {
      type: 'response.output_text.annotation.added',
      output_index: 0,
      content_index: 1,
      annotation: citation,
    },
    done(0, {
      type: 'message',
      content: [
        { type: 'output_text', text: 'One ' },
        {
          type: 'output_text',
          text: 'Two',
          annotations: [citation, { type: 'file_citation', file_id: 'f' }],
        },
      ],
    }),
    completed,
  ])
  expect(ofKind(result, 'content-complete')[0]?.metadata?.sources).toEqual([
    { url: 'https://a.example', title: 'A', start: 4, end: 7 },
    { documentId: 'f' },
  ])
})

describe('the end', () => {
  it.each<[what: string, chunk: object, code: string]>([
    [
      'failed',
      { type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message: 'm' } } },
      'rate_limited',
    ],
    ['error', { type: 'error', code: 'server_error', message: 'm' }, 'provider_error'],
    [
      'error in an object',
      { type: 'error', error: { type: 'invalid_request_error', message: 'm' } },
      'invalid_request',
    ],
    [
      'filtered',
      {
        type: 'response.incomplete',
        response: { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      },
      'content_filtered',
    ],
  ])('%s', (_, chunk, code) => {
    const result = read([created, delta('output_text', 0, 'x'), chunk])
    expect(result.turn.error?.code).toBe(code)
    expect(kindsOf(result)).toEqual(['content-delta', 'content-complete', 'task-error'])
  })

  it('by a refusal', () => {
    const { turn } = read([created, delta('refusal', 0, 'I cannot.'), completed])
    expect(turn).toMatchObject({ finishReason: 'refusal', text: 'I cannot.', error: { code: 'refused' } })
  })

  it('of a stream that is cut off completes the text', () => {
    const { codes, turn } = read([created, delta('output_text', 0, 'x')])
    expect(codes).toEqual(['ended-early'])
    expect(turn).toMatchObject({ text: 'x', error: { code: 'provider_error' } })
    expect(turn.finishReason).toBeUndefined()
  })
})

it('several responses in a row are each complete, and the turn is the last one', () => {
  const second = { type: 'response.created', response: { id: 'resp-2', model: 'm-2' } }
  const result = read([
    created,
    delta('output_text', 0, 'a'),
    completed,
    second,
    delta('output_text', 0, 'b'),
    completed,
  ])
  expect(ofKind(result, 'internal:llm-call').map(({ model }) => model)).toEqual(['m-1', 'm-2'])
  expect(ofKind(result, 'content-complete').map(({ content }) => content)).toEqual(['a', 'b'])
  expect(result.turn.text).toBe('b')
})

it('a stream that is resumed continues from the stored state', () => {
  const queued = { type: 'response.queued', response: { id: 'resp-1', model: 'm-1' } }
  const all = [
    created,
    added(0, { type: 'message' }),
    delta('output_text', 0, 'a'),
    delta('output_text', 0, 'b'),
    completed,
  ]
  const machine = openaiResponses()
  const whole = readStream(machine, all)
  for (let cut = 1; cut < all.length; cut++) {
    let state = machine.initial
    const drafts: EventDraft[] = []
    for (const chunk of all.slice(0, cut)) {
      const step = machine.step(state, chunk)
      state = step.state
      drafts.push(...step.out)
    }
    const rest = readStream({ ...machine, initial: state }, [queued, ...all.slice(cut)])
    expect([...drafts, ...rest.drafts]).toEqual(whole.drafts)
    expect(modelTurn(rest.state)).toEqual(whole.turn)
  }
})

describe('what is not known does not stop it', () => {
  it.each<[what: string, chunk: unknown, codes: string[]]>([
    ['a chunk', { type: 'response.smell.delta' }, ['unknown-type']],
    ['an item', done(0, { type: 'smell' }), ['unknown-type']],
    ['an item of the turn alone', done(0, { type: 'compaction', encrypted_content: 'x' }), []],
    ['a keepalive', { type: 'keepalive' }, []],
    ['progress of MCP', { type: 'response.mcp_list_tools.completed' }, []],
    ['no object', [], ['invalid-event']],
  ])('%s', (_, chunk, codes) => {
    const result = read([created, chunk, chunk, delta('output_text', 1, 'x'), completed])
    expect(result.turn.text).toBe('x')
    expect([...new Set(result.codes)]).toEqual(codes)
  })
})

describe('values of another type than the API states', () => {
  it('the arguments of an approval request may be an object', () => {
    const item = { type: 'mcp_approval_request', id: 'ar-1', name: 'send', arguments: { to: 'a' } }
    const result = read([created, done(0, item), completed])
    const [question] = ofKind(result, 'input-required')
    expect(question?.metadata?.toolCall?.function.arguments).toBe('{"to":"a"}')
  })

  it('the error of a call of an MCP server is reported', () => {
    const item = { type: 'mcp_call', id: 'mcp-1', name: 'lookup', arguments: '{}', error: 5 }
    expect(read([created, done(0, item), completed]).codes).toContain('invalid-event')
  })

  it('so is the output of a response that is not streamed', () => {
    expect(read([{ object: 'response', status: 'completed', output: 5 }]).codes).toContain('invalid-event')
  })
})

describe('what comes again', () => {
  const question = { id: 'ap-1', type: 'mcp_approval_request', name: 'f', server_label: 's', arguments: '{}' }

  it('is asked once, also in another item and in another response', () => {
    const second = { type: 'response.created', response: { id: 'resp-2', model: 'm-1' } }
    const result = read([
      created,
      done(0, question),
      done(1, question),
      completed,
      second,
      done(0, question),
      completed,
    ])
    expect(ofKind(result, 'input-required')).toHaveLength(1)
    expect(result.codes).toEqual(['dropped:mcp_approval_request', 'dropped:mcp_approval_request'])
  })

  const numbered = [created, delta('output_text', 0, 'a'), delta('output_text', 0, 'b'), completed].map(
    (chunk, sequence_number) => ({ ...chunk, sequence_number }),
  )

  it('as a chunk with a number that was read is dropped, wherever a stream is resumed', () => {
    for (let from = 0; from < numbered.length; from++) {
      for (let to = 2; to < numbered.length; to++) {
        const { turn } = read([...numbered.slice(0, to), ...numbered.slice(Math.min(from, to))])
        expect(turn.text).toBe('ab')
      }
    }
  })

  it('as a number is read if the server numbers nothing, or another response begins', () => {
    const same = numbered.map((chunk) => ({ ...chunk, sequence_number: 0 }))
    expect(read(same).turn.text).toBe('ab')
    const second = { type: 'response.created', response: { id: 'resp-2', model: 'm-1' }, sequence_number: 0 }
    expect(read([...numbered, second, ...numbered.slice(1)]).turn.text).toBe('ab')
  })
})

it('a computer call has all actions, and the safety checks to acknowledge', () => {
  const item = {
    type: 'computer_call',
    call_id: 'c1',
    action: { type: 'click', x: 1 },
    actions: [{ type: 'click', x: 1 }, { type: 'wait' }],
    pending_safety_checks: [{ id: 's1', code: 'malicious' }],
  }
  const { action, actions, pending_safety_checks } = item
  expect(read([created, done(0, item), completed]).turn.calls[0]?.arguments).toEqual({
    ...action,
    actions,
    pending_safety_checks,
  })
})
