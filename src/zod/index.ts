/**
 * The zod schemas of all vocabularies, for tools that take schemas. The only entry point that loads zod.
 *
 * @packageDocumentation
 */

export type { Schema } from '../core/schema.ts'
export * as schemas from './schemas.ts'
