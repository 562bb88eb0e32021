/** Two servers for one model stream: the AI SDK itself, and one that sends AG-UI 1.0. */
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'

/** One response of a model. */
export interface ModelResponse {
  readonly reasoning?: readonly string[]
  readonly text?: readonly string[]
  /** Calls, with the pieces of their arguments. */
  readonly calls?: readonly {
    readonly id: string
    readonly name: string
    readonly pieces: readonly string[]
  }[]
}

/** What the tools of both servers return. */
export const outputs: Readonly<Record<string, unknown>> = {
  get_capital: { capital: 'Paris' },
  count: 3,
  say: 'hello',
}

/** The chunks that `streamText` of the AI SDK sends. */
export async function aiSdkServer(responses: readonly ModelResponse[]): Promise<unknown[]> {
  let turn = 0
  const model = new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: partsOf(responses[turn++] ?? {}) as never[],
        chunkDelayInMs: null,
      }),
    }),
  })
  const tools = Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => [
      name,
      tool({ description: name, inputSchema: jsonSchema({ type: 'object' }), execute: async () => output }),
    ]),
  )
  const result = streamText({ model, prompt: 'go', tools, stopWhen: stepCountIs(responses.length) } as never)
  const chunks: unknown[] = []
  for await (const chunk of result.toUIMessageStream({ generateMessageId: () => 'm-1' })) chunks.push(chunk)
  return chunks
}

/** The parts of a response, as providers of the AI SDK stream them. */
function partsOf({ reasoning = [], text = [], calls = [] }: ModelResponse): object[] {
  const parts: object[] = [{ type: 'stream-start', warnings: [] }]
  if (reasoning.length > 0) {
    parts.push({ type: 'reasoning-start', id: 'r' })
    for (const delta of reasoning) parts.push({ type: 'reasoning-delta', id: 'r', delta })
    parts.push({ type: 'reasoning-end', id: 'r' })
  }
  if (text.length > 0) {
    parts.push({ type: 'text-start', id: 't' })
    for (const delta of text) parts.push({ type: 'text-delta', id: 't', delta })
    parts.push({ type: 'text-end', id: 't' })
  }
  for (const { id, name, pieces } of calls) {
    parts.push({ type: 'tool-input-start', id, toolName: name })
    for (const delta of pieces) parts.push({ type: 'tool-input-delta', id, delta })
    parts.push({ type: 'tool-input-end', id })
    parts.push({ type: 'tool-call', toolCallId: id, toolName: name, input: pieces.join('') })
  }
  const unified = calls.length > 0 ? 'tool-calls' : 'stop'
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 2 } }
  parts.push({ type: 'finish', finishReason: { unified, raw: unified }, usage })
  return parts
}

/** The events that an AG-UI server sends. */
export function agUiServer(responses: readonly ModelResponse[]): unknown[] {
  const events: object[] = [
    { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1', protocolVersion: '1.0' },
  ]
  for (const [turn, { reasoning = [], text = [], calls = [] }] of responses.entries()) {
    if (reasoning.length > 0) {
      const messageId = `reasoning-${turn}`
      events.push({ type: 'REASONING_START', messageId })
      events.push({ type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' })
      for (const delta of reasoning) events.push({ type: 'REASONING_MESSAGE_CONTENT', messageId, delta })
      events.push({ type: 'REASONING_MESSAGE_END', messageId }, { type: 'REASONING_END', messageId })
    }
    if (text.length > 0) {
      const messageId = `text-${turn}`
      events.push({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
      for (const delta of text) events.push({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
      events.push({ type: 'TEXT_MESSAGE_END', messageId })
    }
    for (const { id: toolCallId, name, pieces } of calls) {
      events.push({ type: 'TOOL_CALL_START', toolCallId, toolCallName: name })
      for (const delta of pieces) events.push({ type: 'TOOL_CALL_ARGS', toolCallId, delta })
      events.push({ type: 'TOOL_CALL_END', toolCallId })
    }
    for (const { id: toolCallId, name } of calls) {
      const content = typeof outputs[name] === 'string' ? outputs[name] : JSON.stringify(outputs[name])
      events.push({ type: 'TOOL_CALL_RESULT', messageId: `result-${toolCallId}`, toolCallId, content })
    }
  }
  return [...events, { type: 'RUN_FINISHED', threadId: 'thread-1', runId: 'run-1' }]
}
