/** Requests of AG-UI clients as commands. */
export { commandsFromRunAgentInput } from './run-input.ts'
