/**
 * agentwire: the wire format of AI agent event streams, with nothing attached.
 *
 * @packageDocumentation
 */

export * from './core/index.ts'
export * from './emitter/index.ts'
export * from './event-stream/index.ts'
export * from './events/index.ts'
export type { SseOptions } from './sse/state.ts'
