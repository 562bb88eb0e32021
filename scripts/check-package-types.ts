/**
 * Exports with inferred types, as an application or library has them. `check-package.ts` compiles this file against
 * the packed package with `declaration: true`: every type in it must have a name that other packages can use.
 */
import * as core from 'turnstream'
import * as a2a from 'turnstream/a2a'
import * as acp from 'turnstream/acp'
import * as agUi from 'turnstream/ag-ui'
import * as agentEvent from 'turnstream/agent-event'
import * as agents from 'turnstream/agents'
import * as aiSdk from 'turnstream/ai-sdk'
import * as client from 'turnstream/client'
import * as commands from 'turnstream/commands'
import * as frames from 'turnstream/frames'
import * as looopy from 'turnstream/looopy'
import * as mcp from 'turnstream/mcp'
import * as openai from 'turnstream/openai'
import * as otel from 'turnstream/otel'
import * as providers from 'turnstream/providers'
import * as react from 'turnstream/react'
import * as server from 'turnstream/server'
import * as session from 'turnstream/session'
import * as sse from 'turnstream/sse'
import * as streams from 'turnstream/streams'
import * as thoughts from 'turnstream/thoughts'

export const machines = {
  eventDecoder: core.run(core.eventDecoder()),
  sseDecoder: core.run(sse.sseDecoder()),
  jsonDecoder: core.run(sse.jsonDecoder()),
  anthropicMessages: core.run(providers.anthropicMessages()),
  awsEventDecoder: core.run(providers.awsEventDecoder()),
  bedrockConverse: core.run(providers.bedrockConverse()),
  cohereChat: core.run(providers.cohereChat()),
  geminiContent: core.run(providers.geminiContent()),
  geminiInteractions: core.run(providers.geminiInteractions()),
  ollamaChat: core.run(providers.ollamaChat()),
  openaiChat: core.run(core.pipe(sse.jsonDecoder(), providers.openaiChat())),
  openaiResponses: core.run(providers.openaiResponses()),
  thoughtExtractor: core.run(thoughts.thoughtExtractor()),
  thoughtEvents: core.run(thoughts.thoughtEvents()),
  snapshotsToDeltas: core.run(thoughts.snapshotsToDeltas()),
  client: core.run(core.pipe(streams.batchDecoder(), streams.receiver())),
  verifier: core.run(streams.verifier()),
  fromA2a: core.run(a2a.fromA2a()),
  toA2a: core.run(a2a.toA2a({ version: '1.0' })),
  demuxTasks: core.run(a2a.demuxTasks(a2a.toA2a({ version: '1.0' }))),
  fromAgUi: core.run(core.pipe(sse.jsonDecoder(), agUi.fromAgUi())),
  toAgUi: core.run(agUi.toAgUi()),
  agUiVerifier: core.run(agUi.agUiVerifier()),
  commandLedger: core.run(commands.commandLedger()),
  fromFrames: core.run(frames.fromFrames()),
  toFrames: core.run(frames.toFrames({ version: 'v1', sessionId: 's', newId: () => 'x' })),
  frameVerifier: core.run(frames.frameVerifier({ version: 'v2' })),
  fromUiMessageStream: core.run(aiSdk.fromUiMessageStream()),
  toUiMessageStream: core.run(aiSdk.toUiMessageStream()),
  toAcp: core.run(acp.toAcp()),
  toChatCompletions: core.run(openai.toChatCompletions()),
  fromAgentEvents: core.run(agentEvent.fromAgentEvents({ contextId: 'c', taskId: 't' })),
  toAgentEvents: core.run(agentEvent.toAgentEvents()),
  subAgent: core.run(agentEvent.subAgentToolEvents({ toolName: 't' })),
  agentEventVerifier: core.run(agentEvent.agentEventVerifier()),
  toolEventVerifier: core.run(agentEvent.toolEventVerifier()),
  fromLooopy: core.run(looopy.fromLooopy()),
  fromSessionEvents: core.run(session.fromSessionEvents()),
  toSessionEvents: core.run(session.toSessionEvents({ sessionId: 's' })),
  sessionVerifier: core.run(session.sessionVerifier()),
  sessionOutbox: core.run(session.sessionOutbox()),
  sessionReceiver: core.run(session.sessionReceiver()),
}
export const log = streams.createMemoryLog({ stream: 's', epoch: 'e', now: Date.now })
export const view = streams.foldEvent(streams.emptyView, {} as core.ContextAnyEvent)
export const task = streams.taskOf(view, 'c', 't')
export const decoded = core.decodeEvent(null)
export const command = commands.createCommand({ kind: 'task.cancel' })
export const decodedCommand = commands.decodeCommand(null)
export const created = core
  .createEmitter({ contextId: 'c', taskId: 't' })
  .emit({ kind: 'task-created', initiator: 'user' })
export const parts = task?.parts
export const store = server.memoryStore()
export const page = client.agentClient('/agent')
export const usePage = () => react.useAgent('/agent')
export const coder: server.Agent = acp.acpAgent({ connect: () => new TransformStream() })
export const edited: Promise<void> = acp.serveAcp(new TransformStream(), { store, user: 'ann', agent: coder })
export const loop: server.Agent = (task) =>
  agents.agentLoop(task, { format: agents.chatFormat, model: () => [] })
export const traced = (options: Parameters<typeof otel.traceEvents>[1]) =>
  otel.traceEvents(loop({} as server.AgentTask), options)
export const mcpReading = mcp.fromMcp(null, { callOf: () => undefined })
export const mcpAnswers = (asked: Parameters<typeof mcp.commandsFromMcpElicitation>[1]) =>
  mcp.commandsFromMcpElicitation(null, asked)
export const mcpResponses = mcp.toMcpInputResponses({ requests: [] }, {})
export const frame = frames.decodeFrame(null, { version: 'v1' })
export const lenient = session.decodeSessionEvent(null, { mode: 'lenient' })
export const router = streams.createRouter()
export const options = {
  rules: streams.eventRules,
  redactions: streams.redactions,
  frames: frames.frameRules,
  agUi: agUi.agUiRules,
}
