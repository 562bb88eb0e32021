/** An agent of the OpenAI Agents SDK on a model in place of a real one: reasoning, two tools, one that fails, and an approval. */
import { installed, type Untyped } from './installed.ts'

export async function runOpenaiAgents(): Promise<AsyncIterable<unknown>> {
  const { Agent, Runner, tool } = await installed('@openai/agents')
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const callOf = (i: number, call_id: string, name: string, args: string): readonly object[] => {
    const item = { type: 'function_call', id: `fc_${i}`, call_id, name, status: 'completed' }
    return [
      { type: 'response.output_item.added', output_index: i, item: { ...item, arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: i, item_id: item.id, delta: args },
      { type: 'response.output_item.done', output_index: i, item: { ...item, arguments: args } },
    ]
  }
  const reasoning = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'The tide table.' }],
  }
  const responses: readonly (readonly object[])[] = [
    [
      { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, summary: [] } },
      { type: 'response.output_item.done', output_index: 0, item: reasoning },
      ...callOf(1, 'call_1', 'tide', '{"port":"Brest"}'),
      ...callOf(2, 'call_2', 'broken', '{}'),
    ],
    callOf(0, 'call_9', 'order', '{"what":"boat"}'),
  ]
  let turn = 0
  const model = {
    async *getStreamedResponse(): AsyncGenerator<unknown> {
      const id = `resp_${++turn}`
      const events: readonly Untyped[] = responses[turn - 1] ?? []
      const model = (event: object): object => ({ type: 'model', event })
      yield { type: 'response_started' }
      yield model({ type: 'response.created', response: { id, model: 'fake-1', output: [] } })
      for (const event of events) yield model(event)
      yield model({
        type: 'response.completed',
        response: { id, model: 'fake-1', status: 'completed', output: [], usage },
      })
      const calls = events.filter(
        ({ type, item }) => type === 'response.output_item.done' && item.type === 'function_call',
      )
      const output = calls.map(({ item: { call_id: callId, ...item } }) => ({ ...item, callId }))
      const counts = { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
      yield { type: 'response_done', response: { id, usage: counts, output } }
    },
  }
  const parameters = { type: 'object', properties: {}, required: [], additionalProperties: true }
  const toolOf = (name: string, execute: () => Promise<unknown>, needsApproval = false): unknown =>
    tool({ name, description: name, parameters, strict: false, execute, needsApproval })
  const tools = [
    toolOf('tide', async () => ({ high: '14:20' })),
    toolOf('broken', async () => {
      throw new Error('No connection.')
    }),
    toolOf('order', async () => 'ordered', true),
  ]
  const agent = new Agent({ name: 'Harbour', model, tools })
  return new Runner({ tracingDisabled: true }).run(agent, 'When is high tide?', { stream: true })
}
