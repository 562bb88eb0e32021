/** The law of logs, to test other implementations. */

export { type EventLogLawOptions, eventLogLaw } from './event-log-law.ts'
