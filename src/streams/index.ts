/**
 * Streams: the events of tasks over time. Append them to a log and resume readers from it, apply backpressure,
 * redact by audience, route to subscribers, reduce to a view, verify and compact.
 *
 * @packageDocumentation
 */

export * from './access/index.ts'
export * from './compact/index.ts'
export * from './log/follow/index.ts'
export * from './log/index.ts'
export * from './log/memory/index.ts'
export * from './log/wire/index.ts'
export * from './routing/index.ts'
export * from './serve/index.ts'
export * from './verify/index.ts'
export * from './view/fold/index.ts'
export * from './view/index.ts'
export * from './view/snapshot/index.ts'
export * from './watch/index.ts'
