/**
 * The laws of logs, to test a log of your own with any test framework or none.
 *
 * @packageDocumentation
 */

export { eventLogLaw, eventLogLaws } from './event-log-law.ts'
