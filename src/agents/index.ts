/**
 * Agents: the loop of a model and its tools, as drafts of events.
 *
 * @packageDocumentation
 */

export type {
  AssistantTurn,
  ToolResult,
  ToolTurn,
  Turn,
  TurnToolCall,
  UserTurn,
} from '../turns/index.ts'
export { agentLoop } from './agent-loop.ts'
export { type ChatParam, chatFormat } from './formats/chat.ts'
export type { ModelFormat, ReaderOptions } from './formats/format.ts'
export { type GeminiFunctionResponse, type GeminiParam, geminiFormat } from './formats/gemini.ts'
export { type MessagesParam, type MessagesToolResult, messagesFormat } from './formats/messages.ts'
export { type ResponsesParam, responsesFormat } from './formats/responses.ts'
export { fromAdk } from './frameworks/adk.ts'
export { fromClaudeAgent } from './frameworks/claude-agent.ts'
export type { CanUseTool, Permission } from './frameworks/claude-permissions.ts'
export { fromCodex } from './frameworks/codex.ts'
export { fromLangGraph } from './frameworks/langgraph.ts'
export { fromOpenaiAgents } from './frameworks/openai-agents.ts'
export type { FrameworkDrafts, FrameworkOptions, Question } from './frameworks/read-framework.ts'
export type { FrameworkTask } from './frameworks/run-memory.ts'
export type { AgentLoopOptions, LoopTask, Tool, ToolContext } from './options.ts'
export { type A2aAgentOptions, type A2aPosted, a2aAgent } from './remote/a2a-agent.ts'
export { agUiAgent } from './remote/ag-ui-agent.ts'
export { chatAgent } from './remote/chat-agent.ts'
export type { ClientTool, RemoteAgentOptions, RemoteResponse } from './remote/options.ts'
