import type { EventDraft } from 'turnstream'
import { fromMcp, type McpAnswer, toMcpInputResponses } from 'turnstream/mcp'
import type { Stream, TaskName } from 'turnstream/server'

/** What is used of a client of an SDK. */
export interface McpClient {
  callTool(params: object, options: { allowInputRequired: true }): Promise<unknown>
}

/** Books a berth, once the user approves. The tool of the harbour's MCP server asks for what it lacks. */
export async function* bookBerth(
  stream: Pick<Stream, 'approve' | 'ask' | 'answer'>,
  task: TaskName,
  client: McpClient,
): AsyncGenerator<EventDraft> {
  const wanted = { toolCallId: `berth-${task.taskId}`, toolName: 'book_berth', arguments: '{"boat":"Lark"}' }
  const [approval] = yield* stream.approve([wanted], task)
  if (approval?.status !== 'approved') return
  const { toolCallId, toolName, arguments: text } = approval.call
  const params = { name: toolName, arguments: JSON.parse(text) }
  yield { kind: 'tool-start', toolCallId, toolName, arguments: params.arguments }
  const asked: string[] = []
  let retry = {}
  for (let round = 0; round < 10; round++) {
    const result = await client.callTool({ ...params, ...retry }, { allowInputRequired: true })
    const call = { toolCallId, toolName, asked }
    const { drafts, question } = fromMcp({ result }, { callOf: () => call, server: 'The harbour' })
    yield* drafts // The end of the call, or all that the server asks.
    if (drafts.at(-1)?.kind === 'tool-complete') return
    if (question === undefined) break // Neither can be read.
    const answers: Record<string, McpAnswer | undefined> = {}
    for (const { type, id, prompt } of question.requests) {
      if (type === 'auth') answers[id] = await stream.answer({ ...task, authId: id })
      else answers[id] = yield* stream.ask({ ...task, inputId: id, prompt })
      asked.push(id)
    }
    retry = toMcpInputResponses(question, answers).params
  }
  yield { kind: 'tool-complete', toolCallId, toolName, success: false, error: 'The harbour sent no result.' }
}
