/** Conversations as turns. */
export { turnDraft, turnsOf, unanswered } from './read-turns.ts'
export type { AssistantTurn, ToolResult, ToolTurn, Turn, TurnToolCall, UserTurn } from './turn.ts'
