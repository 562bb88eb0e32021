/** Requests of AI SDK clients as commands. */
export { commandsFromChatRequest, type ReadChatOptions } from './chat-request.ts'
