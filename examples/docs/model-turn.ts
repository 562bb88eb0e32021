import type OpenAI from 'openai'
import { type EventDraft, iterate, run } from 'turnstream'
import { type ChatMessage, type ModelTurn, modelTurn, openaiChat } from 'turnstream/providers'
import { jsonDecoder } from 'turnstream/sse'

/** One call of the model: emits what it streams, and returns its turn for the next request. */
export async function callModel(
  chunks: AsyncIterable<unknown>,
  emit: (draft: EventDraft) => void,
): Promise<ModelTurn<ChatMessage>> {
  const model = run(openaiChat({ iteration: 1 }), { onDiagnostic: console.warn })
  for await (const chunk of chunks) for (const draft of model.push(chunk)) emit(draft)
  for (const draft of model.end()) emit(draft)

  const turn = modelTurn(model.state)
  for (const { status, toolCallId, toolName, arguments: args = {} } of turn.calls) {
    if (status === 'complete') emit({ kind: 'tool-start', toolCallId, toolName, arguments: args })
  }
  return turn
}

/** The same for the body of a `fetch`: appends the turn and the results of its calls for the next request. */
export async function callWithFetch(
  body: ReadableStream<Uint8Array>,
  messages: OpenAI.ChatCompletionMessageParam[],
  emit: (draft: EventDraft) => void,
  runTool: (name: string, args: Record<string, unknown>) => Promise<string>,
): Promise<void> {
  const { content, calls } = await callModel(iterate(jsonDecoder(), body), emit)
  messages.push(...content)
  for (const { status, toolCallId, toolName, arguments: args = {} } of calls) {
    const isComplete = status === 'complete'
    const result = isComplete ? await runTool(toolName, args) : `The arguments are ${status}.`
    if (isComplete) emit({ kind: 'tool-complete', toolCallId, toolName, success: true, result })
    messages.push({ role: 'tool', tool_call_id: toolCallId, content: result })
  }
}
