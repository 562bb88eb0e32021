/**
 * What each row of the table in docs/frameworks.md takes: its lines are those of the function here. The parameters are what the
 * other package gives you.
 */
import { type ContextAnyEvent, type EventDraft, iterate, pipe } from 'turnstream'
import { fromA2a } from 'turnstream/a2a'
import { type AcpStream, acpAgent, serveAcp } from 'turnstream/acp'
import { type AgUiRunInput, fromAgUi } from 'turnstream/ag-ui'
import { fromAgentEvents } from 'turnstream/agent-event'
import { fromAdk, fromClaudeAgent, fromCodex, fromLangGraph, fromOpenaiAgents } from 'turnstream/agents'
import { fromUiMessageStream } from 'turnstream/ai-sdk'
import { fromFrames } from 'turnstream/frames'
import { fromLooopy } from 'turnstream/looopy'
import { fromMcp, type McpCall } from 'turnstream/mcp'
import {
  anthropicMessages,
  awsEventDecoder,
  bedrockConverse,
  cohereChat,
  geminiContent,
  geminiInteractions,
  ollamaChat,
  openaiChat,
  openaiResponses,
} from 'turnstream/providers'
import { type Agent, type AgentTask, memoryStore } from 'turnstream/server'
import { fromSessionEvents } from 'turnstream/session'
import { jsonDecoder, sseDecoder } from 'turnstream/sse'

/** What an SDK streams, or the bytes of a response. */
type Chunks = AsyncIterable<never>
/** What an agent yields. */
type Drafts = AsyncGenerator<EventDraft | ContextAnyEvent>
/** Starts a run with options. */
type Start<Run> = (...options: readonly unknown[]) => Run
/** The process of an agent. */
type Coder = { readonly stdin: unknown; readonly stdout: unknown; kill(): void }

export async function* withOpenaiChat(stream: Chunks): Drafts {
  yield* iterate(openaiChat(), stream)
}

export async function* withOpenaiResponses(stream: Chunks): Drafts {
  yield* iterate(openaiResponses(), stream)
}

export async function* withAnthropicMessages(stream: Chunks): Drafts {
  yield* iterate(anthropicMessages(), stream)
}

export async function* withGeminiContent(stream: Chunks): Drafts {
  yield* iterate(geminiContent(), stream)
}

export async function* withGeminiInteractions(stream: Chunks): Drafts {
  yield* iterate(geminiInteractions(), stream)
}

export async function* withBedrockConverse(body: Chunks): Drafts {
  yield* iterate(pipe(awsEventDecoder(), bedrockConverse()), body)
}

export async function* withCohereChat(stream: Chunks): Drafts {
  yield* iterate(cohereChat(), stream)
}

export async function* withOllamaChat(body: Chunks): Drafts {
  yield* iterate(pipe(jsonDecoder(), ollamaChat()), body)
}

export async function* withFromClaudeAgent(task: AgentTask, query: Start<Chunks>): Drafts {
  const options = { includePartialMessages: true }
  yield* fromClaudeAgent(query({ prompt: String(task.input), options }), { task })
}

export async function* withFromCodex(
  task: AgentTask,
  thread: { runStreamed: Start<Promise<{ events: Chunks }>> },
): Drafts {
  const { events } = await thread.runStreamed(String(task.input))
  yield* fromCodex(events)
}

export async function* withFromLangGraph(input: object, graph: { stream: Start<Promise<Chunks>> }): Drafts {
  const stream = await graph.stream(input, { streamMode: ['messages', 'updates'] })
  yield* fromLangGraph(stream)
}

export async function* withFromOpenaiAgents(
  task: AgentTask,
  agent: object,
  run: Start<Promise<Chunks>>,
): Drafts {
  yield* fromOpenaiAgents(await run(agent, String(task.input), { stream: true }))
}

export async function* withFromAdk(
  userId: string,
  sessionId: string,
  newMessage: object,
  runner: { runAsync: Start<Chunks> },
): Drafts {
  yield* fromAdk(runner.runAsync({ userId, sessionId, newMessage }))
}

export function withAcpAgent(spawn: Start<Coder>, ndJsonStream: Start<AcpStream>): Agent {
  return acpAgent({
    connect() {
      const { stdin, stdout, kill } = spawn('gemini', ['--acp'])
      return { ...ndJsonStream(stdin, stdout), close: kill }
    },
  })
}

export async function withServeAcp(agent: Agent, ndJsonStream: () => AcpStream): Promise<void> {
  const stream = ndJsonStream()
  await serveAcp(stream, { store: memoryStore(), user: 'ann', agent })
}

export async function* withFromUiMessageStream(
  task: AgentTask,
  result: { toUIMessageStream: Start<Chunks> },
): Drafts {
  const { contextId, taskId } = task
  const stream = result.toUIMessageStream()
  yield* iterate(fromUiMessageStream({ contextId, taskId, now: Date.now }), stream)
}

export async function* withFromAgUi(request: AgUiRunInput, body: Chunks): Drafts {
  yield* iterate(pipe(jsonDecoder(), fromAgUi({ request })), body)
}

export async function* withFromA2a(body: Chunks): Drafts {
  yield* iterate(pipe(jsonDecoder(), fromA2a()), body)
}

export async function* withFromMcp(message: unknown, calls: ReadonlyMap<unknown, McpCall>): Drafts {
  const { drafts } = fromMcp(message, { callOf: (id) => calls.get(id) })
  yield* drafts
}

export async function* withFromFrames(frames: Chunks): Drafts {
  yield* iterate(fromFrames(), frames)
}

export async function* withFromAgentEvents({ contextId, taskId }: AgentTask, events: Chunks): Drafts {
  yield* iterate(fromAgentEvents({ contextId, taskId, now: Date.now }), events)
}

export async function* withFromSessionEvents(events: Chunks): Drafts {
  yield* iterate(fromSessionEvents(), events)
}

export async function* withFromLooopy(body: Chunks): Drafts {
  yield* iterate(pipe(sseDecoder(), fromLooopy({ now: Date.now })), body)
}
