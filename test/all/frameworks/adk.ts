/** An agent of the Google ADK on a model in place of a real one: thinking, two tools, and one that fails. */
import { installed, type Untyped } from './installed.ts'

export async function runAdk(): Promise<AsyncIterable<unknown>> {
  const { BaseLlm, FunctionTool, InMemoryRunner, LlmAgent } = await installed('@google/adk')
  const content = (...parts: readonly object[]): object => ({ content: { role: 'model', parts } })
  const thought = { text: 'The tide table.', thought: true }
  const callOf = (id: string, name: string): object => ({ functionCall: { id, name, args: {} } })
  const end = {
    finishReason: 'STOP',
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  }
  const responses: readonly (readonly object[])[] = [
    [
      { partial: true, ...content(thought) },
      { partial: true, ...content({ text: 'I look it up.' }) },
      {
        ...content(thought, { text: 'I look it up.' }, callOf('call_1', 'tide'), callOf('call_2', 'broken')),
        ...end,
      },
    ],
    [
      { partial: true, ...content({ text: 'At 14:20.' }) },
      { ...content({ text: 'At 14:20.' }), ...end },
    ],
  ]
  let turn = 0
  class Model extends BaseLlm {
    async *generateContentAsync(): AsyncGenerator<unknown> {
      yield* responses[turn++] ?? []
    }
  }
  const parameters = { type: 'OBJECT', properties: {} }
  const tools = [
    new FunctionTool({
      name: 'tide',
      description: 'tide',
      parameters,
      execute: async () => ({ high: '14:20' }),
    }),
    new FunctionTool({
      name: 'broken',
      description: 'broken',
      parameters,
      execute: async () => ({ error: 'No connection.' }),
    }),
  ]
  const agent = new LlmAgent({ name: 'harbour', model: new (Model as Untyped)({ model: 'fake-1' }), tools })
  const runner = new InMemoryRunner({ agent, appName: 'harbour' })
  const session = await runner.sessionService.createSession({ appName: 'harbour', userId: 'u' })
  const newMessage = { role: 'user', parts: [{ text: 'When is high tide?' }] }
  return runner.runAsync({
    userId: 'u',
    sessionId: session.id,
    newMessage,
    runConfig: { streamingMode: 'sse' },
  })
}
