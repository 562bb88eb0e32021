/** UI message streams that frameworks write: thinking, two tools side by side, of which one fails, and an answer. */
import { ReadableStream } from 'node:stream/web'
import { installed, type Untyped } from './installed.ts'
import { runLangGraph } from './langgraph.ts'
import { runOpenaiAgents } from './openai-agents.ts'

const usage = { inputTokens: { total: 10, noCache: 10 }, outputTokens: { total: 5, text: 5 } }
const callOf = (toolCallId: string, toolName: string, input: string): object => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
})
const textOf = (type: 'reasoning' | 'text', id: string, delta: string): readonly object[] => [
  { type: `${type}-start`, id },
  { type: `${type}-delta`, id, delta },
  { type: `${type}-end`, id },
]
const responses: readonly (readonly object[])[] = [
  [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'r1', modelId: 'fake-1', timestamp: new Date(0) },
    ...textOf('reasoning', 'r', 'The tide table.'),
    ...textOf('text', 't', 'I look it up.'),
    callOf('call_1', 'tide', '{"port":"Brest"}'),
    callOf('call_2', 'broken', '{}'),
    { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage },
  ],
  [
    { type: 'stream-start', warnings: [] },
    ...textOf('text', 't', 'At 14:20.'),
    { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
  ],
]

/** A model of the AI SDK that answers with the responses. */
function newModel(): object {
  let turn = 0
  return {
    specificationVersion: 'v3',
    provider: 'fake',
    modelId: 'fake-1',
    supportedUrls: {},
    doStream: async () => ({ stream: ReadableStream.from(responses[turn++] ?? []) }),
  }
}

const inputSchema = { type: 'object', properties: { port: { type: 'string' } } }
const tide = async (): Promise<object> => ({ high: '14:20' })
const broken = async (): Promise<never> => {
  throw new Error('No connection.')
}

export async function streamOfAiSdk(): Promise<AsyncIterable<unknown>> {
  const { isStepCount, jsonSchema, streamText, tool } = await installed('ai')
  const toolOf = (execute: () => Promise<unknown>): unknown =>
    tool({ inputSchema: jsonSchema(inputSchema), execute })
  const result = streamText({
    model: newModel(),
    prompt: 'When is high tide?',
    tools: { tide: toolOf(tide), broken: toolOf(broken) },
    stopWhen: isStepCount(3),
    onError: () => undefined,
  })
  const messageMetadata = ({ part }: Untyped): object | undefined => {
    if (part.type === 'finish-step') return { model: part.response.modelId }
    return part.type === 'finish' ? { usage: part.totalUsage } : undefined
  }
  return result.toUIMessageStream({ messageMetadata })
}

export async function streamOfMastra(): Promise<AsyncIterable<unknown>> {
  const { Agent } = await installed('@mastra/core/agent')
  const { createTool } = await installed('@mastra/core/tools')
  const { toAISdkStream } = await installed('@mastra/ai-sdk')
  const toolOf = (id: string, execute: () => Promise<unknown>): unknown =>
    createTool({ id, description: id, inputSchema, execute })
  const agent = new Agent({
    id: 'harbour',
    name: 'Harbour',
    instructions: 'You know the tides.',
    model: newModel(),
    tools: { tide: toolOf('tide', tide), broken: toolOf('broken', broken) },
  })
  return toAISdkStream(await agent.stream('When is high tide?', { maxSteps: 3 }), { from: 'agent' })
}

export async function streamOfLangchain(): Promise<AsyncIterable<unknown>> {
  const { toUIMessageStream } = await installed('@ai-sdk/langchain')
  return toUIMessageStream(await runLangGraph())
}

export async function streamOfOpenaiAgents(): Promise<AsyncIterable<unknown>> {
  const { createAiSdkUiMessageStream } = await installed('@openai/agents-extensions/ai-sdk-ui')
  return createAiSdkUiMessageStream(await runOpenaiAgents())
}
