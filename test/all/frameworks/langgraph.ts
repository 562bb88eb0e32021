/** A graph of LangGraph.js on a model in place of a real one: thinking, two tools, of which one fails, and an interrupt. */
import { installed, type Untyped } from './installed.ts'

export async function runLangGraph(): Promise<AsyncIterable<unknown>> {
  const { BaseChatModel } = await installed('@langchain/core/language_models/chat_models')
  const { AIMessageChunk, HumanMessage } = await installed('@langchain/core/messages')
  const { ChatGenerationChunk } = await installed('@langchain/core/outputs')
  const { tool } = await installed('@langchain/core/tools')
  const { StateGraph, MessagesAnnotation, START, END, interrupt, MemorySaver } =
    await installed('@langchain/langgraph')
  const { ToolNode } = await installed('@langchain/langgraph/prebuilt')

  const call = (index: number, args: string, start: object = {}): object => ({
    content: '',
    tool_call_chunks: [{ index, args, type: 'tool_call_chunk', ...start }],
  })
  const responses: readonly (readonly object[])[] = [
    [
      { content: [{ type: 'thinking', thinking: 'The tide', index: 0 }] },
      { content: [{ type: 'thinking', thinking: ' table.', signature: 'c2ln', index: 0 }] },
      { content: 'I look' },
      { content: ' it up.' },
      call(0, '{"port":', { id: 'call_1', name: 'tide' }),
      call(0, '"Brest"}'),
      call(1, '{}', { id: 'call_2', name: 'broken' }),
      { content: '', response_metadata: { model_name: 'fake-1', finish_reason: 'tool_calls' } },
    ],
    [
      { content: 'At 14:20.' },
      { content: '', response_metadata: { model_name: 'fake-1', finish_reason: 'stop' } },
    ],
  ]
  let turn = 0
  class Model extends BaseChatModel {
    _llmType(): string {
      return 'fake'
    }
    async *_streamResponseChunks(
      _messages: unknown,
      _options: unknown,
      manager: Untyped,
    ): AsyncGenerator<unknown> {
      const id = `run-${++turn}`
      for (const fields of responses[turn - 1] ?? []) {
        const chunk = new ChatGenerationChunk({ text: '', message: new AIMessageChunk({ id, ...fields }) })
        yield chunk
        const none = undefined
        await manager?.handleLLMNewToken('', none, none, none, none, { chunk })
      }
    }
  }
  const schema = { type: 'object', properties: {} }
  const tools = [
    tool(async () => JSON.stringify({ high: '14:20' }), { name: 'tide', schema }),
    tool(
      async () => {
        throw new Error('No connection.')
      },
      { name: 'broken', schema },
    ),
  ]
  const model = new (Model as Untyped)({})
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', async (state: Untyped, config: unknown) => ({
      messages: [await model.invoke(state.messages, config)],
    }))
    .addNode('tools', new ToolNode(tools))
    .addNode('ask', async () => {
      interrupt({ question: 'May I?' })
      return {}
    })
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', (state: Untyped) =>
      state.messages.at(-1).tool_calls?.length > 0 ? 'tools' : 'ask',
    )
    .addEdge('tools', 'agent')
    .addEdge('ask', END)
    .compile({ checkpointer: new MemorySaver() })
  return graph.stream(
    { messages: [new HumanMessage('When is high tide?')] },
    { streamMode: ['messages', 'updates'], configurable: { thread_id: '1' } },
  )
}
