/**
 * turnstream: typed, validated events for streaming AI agents to any client.
 *
 * @packageDocumentation
 */

export * from './core/index.ts'
export * from './emitter/index.ts'
export * from './event-stream/index.ts'
export * from './events/index.ts'
