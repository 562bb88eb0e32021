/** Events of clients of the session protocol as commands. */
export { commandsFromSessionEvent } from './client-event.ts'
