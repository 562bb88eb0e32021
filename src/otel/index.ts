/**
 * OpenTelemetry: events → spans and metrics of the GenAI semantic conventions.
 *
 * @packageDocumentation
 */

export { traceEvents } from './trace-events.ts'
