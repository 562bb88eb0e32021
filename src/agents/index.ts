/**
 * Agents: the loop of a model and its tools, as drafts of events.
 *
 * @packageDocumentation
 */

export type { Turn } from '../turns/index.ts'
export { agentLoop } from './agent-loop.ts'
export { chatFormat } from './formats/chat.ts'
export type { ModelFormat } from './formats/format.ts'
export { geminiFormat } from './formats/gemini.ts'
export { messagesFormat } from './formats/messages.ts'
export { responsesFormat } from './formats/responses.ts'
export { fromAdk } from './frameworks/adk.ts'
export { fromClaudeAgent } from './frameworks/claude-agent.ts'
export { fromCodex } from './frameworks/codex.ts'
export { fromLangGraph } from './frameworks/langgraph.ts'
export { fromOpenaiAgents } from './frameworks/openai-agents.ts'
export type { Tool } from './options.ts'
export { a2aAgent } from './remote/a2a-agent.ts'
export { agUiAgent } from './remote/ag-ui-agent.ts'
export { chatAgent } from './remote/chat-agent.ts'
