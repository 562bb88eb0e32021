/**
 * The laws of logs, to test a log of your own with any test framework or none.
 *
 * @packageDocumentation
 */

export {
  type EventLogLaw,
  type EventLogLawOptions,
  eventLogLaw,
  eventLogLaws,
  type OpenLog,
} from './event-log-law.ts'
