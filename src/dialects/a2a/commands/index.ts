/** Requests of A2A clients as commands. */
export { commandsFromA2a } from './json-rpc.ts'
