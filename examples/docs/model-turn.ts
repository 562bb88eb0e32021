import { type EventDraft, run } from 'agentwire'
import { type ModelTurn, modelTurn, openaiChat } from 'agentwire/providers'

/** One call of the model: emits what it streams, and returns its turn for the next request. */
export async function callModel(
  chunks: AsyncIterable<unknown>,
  emit: (draft: EventDraft) => void,
): Promise<ModelTurn> {
  const model = run(openaiChat({ iteration: 1 }), { onDiagnostic: console.warn })
  for await (const chunk of chunks) for (const draft of model.push(chunk)) emit(draft)
  for (const draft of model.end()) emit(draft)

  const turn = modelTurn(model.state)
  for (const { status, toolCallId, toolName, arguments: args = {} } of turn.calls) {
    if (status === 'complete') emit({ kind: 'tool-start', toolCallId, toolName, arguments: args })
  }
  return turn
}
