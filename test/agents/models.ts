/** Models that answer as they are told, in the chunks of their API. */
import type { ModelFormat } from 'turnstream/agents'
import { chatFormat, geminiFormat, messagesFormat, responsesFormat } from 'turnstream/agents'

/** What a model answers. */
export interface Said {
  readonly text?: string
  /** With the signature of the provider. */
  readonly thought?: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  /** @defaultValue whether it ends as it should */
  readonly isCut?: boolean
}

/** A provider: the format that reads it, and the chunks of an answer. */
export interface FakeProvider {
  readonly name: string
  readonly format: ModelFormat<unknown>
  chunks(said: Said, id: number): unknown[]
}

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }

export const chat: FakeProvider = {
  name: 'chat',
  format: chatFormat as ModelFormat<unknown>,
  chunks({ text = '', thought, calls = [], isCut = false }, id) {
    const chunk = (delta: object, finish_reason: string | null = null): object => ({
      ...{ id: `chat-${id}`, object: 'chat.completion.chunk', created: 0, model: 'm' },
      choices: [{ index: 0, delta, finish_reason }],
    })
    return [
      chunk({ role: 'assistant', content: '' }),
      ...(thought === undefined ? [] : [chunk({ reasoning_content: thought })]),
      ...[...text].map((content) => chunk({ content })),
      ...calls.flatMap(({ id, name, arguments: text }, index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...(text === '' ? [] : [chunk({ tool_calls: [{ index, function: { arguments: text } }] })]),
      ]),
      ...(isCut
        ? []
        : [chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'), { ...chunk({}), choices: [], usage }]),
    ]
  },
}

export const responses: FakeProvider = {
  name: 'responses',
  format: responsesFormat as ModelFormat<unknown>,
  chunks({ text = '', thought, calls = [], isCut = false }, id) {
    const response = { id: `resp-${id}`, object: 'response', model: 'm', output: [], status: 'in_progress' }
    const items: Record<string, unknown>[] = []
    if (thought !== undefined) {
      const summary = [{ type: 'summary_text', text: thought }]
      items.push({ type: 'reasoning', id: `rs-${id}`, summary, encrypted_content: `sealed ${thought}` })
    }
    if (text !== '') {
      const content = [{ type: 'output_text', text, annotations: [] }]
      items.push({ type: 'message', id: `msg-${id}`, role: 'assistant', status: 'completed', content })
    }
    for (const call of calls) {
      const { id: call_id, name, arguments: text } = call
      items.push({
        type: 'function_call',
        id: `fc-${call_id}`,
        call_id,
        name,
        arguments: text,
        status: 'completed',
      })
    }
    const done = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
    return [
      { type: 'response.created', sequence_number: 0, response },
      ...items.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        { type: 'response.output_item.done', output_index, item },
      ]),
      ...(isCut
        ? []
        : [
            {
              type: 'response.completed',
              response: { ...response, status: 'completed', output: items, usage: done },
            },
          ]),
    ]
  },
}

export const messages: FakeProvider = {
  name: 'messages',
  format: messagesFormat as ModelFormat<unknown>,
  chunks({ text = '', thought, calls = [], isCut = false }, id) {
    const blocks: { start: object; deltas: object[] }[] = []
    if (thought !== undefined) {
      blocks.push({
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: thought },
          { type: 'signature_delta', signature: `sealed ${thought}` },
        ],
      })
    }
    if (text !== '')
      blocks.push({ start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text }] })
    for (const { id, name, arguments: text } of calls) {
      blocks.push({
        start: { type: 'tool_use', id, name, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: text }],
      })
    }
    const message = { id: `msg-${id}`, type: 'message', role: 'assistant', model: 'm', content: [] }
    const delta = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
    return [
      { type: 'message_start', message: { ...message, usage: { input_tokens: 3, output_tokens: 1 } } },
      ...blocks.flatMap(({ start, deltas }, index) => [
        { type: 'content_block_start', index, content_block: start },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      ...(isCut
        ? []
        : [{ type: 'message_delta', delta, usage: { output_tokens: 2 } }, { type: 'message_stop' }]),
    ]
  },
}

export const gemini: FakeProvider = {
  name: 'gemini',
  format: geminiFormat as ModelFormat<unknown>,
  chunks({ text = '', thought, calls = [], isCut = false }, id) {
    const chunk = (part: object, more: object = {}): object => ({
      ...{ responseId: `gem-${id}`, modelVersion: 'm' },
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...more }],
    })
    return [
      ...(thought === undefined ? [] : [chunk({ text: thought, thought: true })]),
      ...(text === '' ? [] : [chunk({ text })]),
      ...calls.map(({ id, name, arguments: text }) =>
        chunk({
          functionCall: { id, name, args: text === '' ? {} : JSON.parse(text) },
          ...(thought !== undefined && { thoughtSignature: `sealed ${thought}` }),
        }),
      ),
      ...(isCut
        ? []
        : [
            {
              ...chunk({ text: '' }, { finishReason: 'STOP' }),
              usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
            },
          ]),
    ]
  },
}

export const providers: readonly FakeProvider[] = [chat, responses, messages, gemini]

/** A model, and what it was sent. */
export interface Scripted {
  readonly requests: unknown[][]
  readonly model: (sent: readonly unknown[]) => AsyncIterable<unknown>
}

/** A model that gives one answer after another, from the one with a number. */
export function scripted({ chunks }: FakeProvider, script: readonly Said[], from = 0): Scripted {
  const requests: unknown[][] = []
  async function* model(sent: readonly unknown[]): AsyncGenerator<unknown> {
    const at = from + requests.push(structuredClone([...sent])) - 1
    const said = script[at]
    if (said === undefined) throw new Error('The script is over.')
    yield* chunks(said, at)
  }
  return { requests, model }
}
