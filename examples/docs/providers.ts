import { createEmitter, iterate, pipe } from 'agentwire'
import { openaiChat } from 'agentwire/providers'
import { jsonDecoder } from 'agentwire/sse'

// What a model server sends; in an application, the body of a response of `fetch`.
const body = [
  'data: {"model":"m-1","choices":[{"index":0,"delta":{"reasoning":"Easy."}}]}\n\n',
  'data: {"model":"m-1","choices":[{"index":0,"delta":{"content":"Four."},"finish_reason":"stop"}]}\n\n',
  'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}\n\n',
  'data: [DONE]\n\n',
]

const emitter = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
for await (const draft of iterate(pipe(jsonDecoder(), openaiChat()), body)) {
  console.log(emitter.emit(draft).kind) // internal:llm-call, thought-delta, thought-stream, content-delta, content-complete
}
