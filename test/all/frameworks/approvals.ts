/** Agents whose tool `pay` waits for an approval, run by their own packages, and continued after the answer. */
import { fromAdk, fromLangGraph, fromOpenaiAgents } from 'turnstream/agents'
import type { Agent, AgentTask } from 'turnstream/server'
import { installed, type Untyped } from './installed.ts'

/** Notes what a package yields, in the run with this number. */
export type Note = (item: unknown, run: number) => void

const parameters = { type: 'object', properties: {}, required: [], additionalProperties: true }

async function* noted(items: AsyncIterable<unknown>, note: Note, run: number): AsyncGenerator<unknown> {
  for await (const item of items) {
    note(item, run)
    yield item
  }
}

export async function openaiAgent(note: Note = () => undefined): Promise<Agent> {
  const { Agent: SdkAgent, Runner, tool } = await installed('@openai/agents')
  let turn = 0
  const model = {
    async *getStreamedResponse(): AsyncGenerator<unknown> {
      const id = `resp_${++turn}`
      const text = turn === 1 ? 'I pay.' : 'Done.'
      const item = { id: `msg_${turn}`, type: 'message', role: 'assistant', status: 'completed' }
      const message = { ...item, content: [{ type: 'output_text', text, annotations: [] }] }
      const fc = { type: 'function_call', id: 'fc_1', call_id: 'p1', name: 'pay', status: 'completed' }
      const call = { ...fc, arguments: '{"amount":5}' }
      const output = turn === 1 ? [message, call] : [message]
      const raw = (event: object): object => ({ type: 'model', event })
      yield { type: 'response_started' }
      yield raw({ type: 'response.created', response: { id, model: 'fake-1', output: [] } })
      for (const [i, each] of output.entries()) {
        const begun = { ...each, ...('content' in each ? { content: [] } : { arguments: '' }) }
        yield raw({ type: 'response.output_item.added', output_index: i, item: begun })
        yield raw({ type: 'response.output_item.done', output_index: i, item: each })
      }
      const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
      yield raw({
        type: 'response.completed',
        response: { id, model: 'fake-1', status: 'completed', output, usage },
      })
      const counts = { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
      const own = output.map((each) => {
        if ('content' in each) return each
        const { call_id: callId, ...rest } = each
        return { ...rest, callId }
      })
      yield { type: 'response_done', response: { id, usage: counts, output: own } }
    },
  }
  const execute = async ({ amount }: Untyped): Promise<string> => `paid ${amount}`
  const pay = tool({
    name: 'pay',
    description: 'pay',
    parameters,
    strict: false,
    execute,
    needsApproval: true,
  })
  const agent = new SdkAgent({ name: 'Harbour', model, tools: [pay] })
  const runner = new Runner({ tracingDisabled: true })
  return async function* (task) {
    let number = 1
    let run = await runner.run(agent, String(task.input), { stream: true })
    while (true) {
      const source = Object.assign(noted(run, note, number++), { runContext: run.runContext })
      const questions = yield* fromOpenaiAgents(source, { task })
      if (questions.length === 0) return
      for (const { inputId, metadata } of questions) {
        const answer = await task.answer({ inputId })
        const call = run.interruptions.find(({ rawItem }: Untyped) => rawItem.callId === metadata?.callId)
        if (answer?.call === undefined) run.state.reject(call, { message: 'Not today.' })
        else run.state.approve(call)
      }
      run = await runner.run(agent, run.state, { stream: true })
    }
  }
}

export async function langGraphAgent(note: Note = () => undefined): Promise<Agent> {
  const { BaseChatModel } = await installed('@langchain/core/language_models/chat_models')
  const { AIMessageChunk, HumanMessage, ToolMessage } = await installed('@langchain/core/messages')
  const { ChatGenerationChunk } = await installed('@langchain/core/outputs')
  const { StateGraph, MessagesAnnotation, START, END, interrupt, Command, MemorySaver } =
    await installed('@langchain/langgraph')
  let turn = 0
  class Model extends BaseChatModel {
    _llmType(): string {
      return 'fake'
    }
    async *_streamResponseChunks(_: unknown, __: unknown, manager: Untyped): AsyncGenerator<unknown> {
      const id = `run-${++turn}`
      const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
      const end = (finish_reason: string): object => ({
        content: '',
        usage_metadata,
        response_metadata: { model_name: 'fake-1', finish_reason },
      })
      const call = { index: 0, id: 'p1', name: 'pay', args: '{"amount":5}', type: 'tool_call_chunk' }
      const pieces =
        turn === 1
          ? [{ content: 'I pay.' }, { content: '', tool_call_chunks: [call] }, end('tool_calls')]
          : [{ content: 'Done.' }, end('stop')]
      for (const fields of pieces) {
        const chunk = new ChatGenerationChunk({ text: '', message: new AIMessageChunk({ id, ...fields }) })
        yield chunk
        const none = undefined
        await manager?.handleLLMNewToken('', none, none, none, none, { chunk })
      }
    }
  }
  const model = new (Model as Untyped)({})
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', async (state: Untyped, config: unknown) => ({
      messages: [await model.invoke(state.messages, config)],
    }))
    .addNode('tools', async (state: Untyped) => {
      const call = state.messages.at(-1).tool_calls[0]
      const isApproved = interrupt({ question: 'May I pay?', call })
      const content = isApproved ? `paid ${call.args.amount}` : 'Not today.'
      const status = isApproved ? 'success' : 'error'
      return { messages: [new ToolMessage({ tool_call_id: call.id, name: call.name, content, status })] }
    })
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', (state: Untyped) =>
      state.messages.at(-1).tool_calls?.length > 0 ? 'tools' : END,
    )
    .addEdge('tools', 'agent')
    .compile({ checkpointer: new MemorySaver() })
  return async function* (task) {
    let number = 1
    let input: unknown = { messages: [new HumanMessage(String(task.input))] }
    while (true) {
      const config = { streamMode: ['messages', 'updates'], configurable: { thread_id: task.taskId } }
      const stream = await graph.stream(input, config)
      const [question] = yield* fromLangGraph(noted(stream, note, number++), { task })
      if (question === undefined) return
      const answer = await task.answer({ inputId: question.inputId })
      input = new Command({ resume: answer?.outcome !== 'declined' })
    }
  }
}

/** Nodes that run at the same time and ask two questions each, of which one is answered before each run. */
export async function askingNodes(): Promise<Agent> {
  const { StateGraph, MessagesAnnotation, START, END, interrupt, Command, MemorySaver } =
    await installed('@langchain/langgraph')
  const node = async (): Promise<object> => {
    interrupt('Which?')
    interrupt('Which?')
    return {}
  }
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('a', node)
    .addNode('b', node)
    .addEdge(START, 'a')
    .addEdge(START, 'b')
    .addEdge('a', END)
    .addEdge('b', END)
    .compile({ checkpointer: new MemorySaver() })
  return async function* (task) {
    let input: unknown = { messages: [] }
    while (true) {
      const config = { streamMode: ['messages', 'updates'], configurable: { thread_id: task.taskId } }
      const [question] = yield* fromLangGraph(await graph.stream(input, config), { task })
      if (question === undefined) return
      const answer = await task.answer({ inputId: question.inputId })
      input = new Command({ resume: { [String(question.metadata?.interruptId)]: answer?.value } })
    }
  }
}

export async function adkAgent(note: Note = () => undefined): Promise<Agent> {
  const { BaseLlm, FunctionTool, InMemoryRunner, LlmAgent } = await installed('@google/adk')
  let turn = 0
  const usage = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
  const end = { finishReason: 'STOP', usageMetadata: usage }
  const functionCall = { id: 'p1', name: 'pay', args: { amount: 5 } }
  class Model extends BaseLlm {
    async *generateContentAsync(): AsyncGenerator<unknown> {
      const parts = ++turn === 1 ? [{ text: 'I pay.' }, { functionCall }] : [{ text: 'Done.' }]
      yield { content: { role: 'model', parts }, ...end }
    }
  }
  const pay = new FunctionTool({
    name: 'pay',
    description: 'pay',
    parameters: { type: 'OBJECT', properties: {} },
    requireConfirmation: true,
    execute: async ({ amount }: Untyped) => ({ paid: amount }),
  })
  const agent = new LlmAgent({
    name: 'harbour',
    model: new (Model as Untyped)({ model: 'fake-1' }),
    tools: [pay],
  })
  const runner = new InMemoryRunner({ agent, appName: 'harbour' })
  return async function* (task: AgentTask) {
    const session = await runner.sessionService.createSession({ appName: 'harbour', userId: 'u' })
    let number = 1
    let parts: object[] = [{ text: String(task.input) }]
    while (parts.length > 0) {
      const newMessage = { role: 'user', parts }
      const run = runner.runAsync({ userId: 'u', sessionId: session.id, newMessage })
      const questions = yield* fromAdk(noted(run, note, number++), { task })
      parts = []
      for (const { inputId, metadata } of questions) {
        const answer = await task.answer({ inputId })
        const response = { confirmed: answer?.call !== undefined }
        parts.push({ functionResponse: { ...(metadata?.functionCall as object), response } })
      }
    }
  }
}
