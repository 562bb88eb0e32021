/** Types of fields that several events have. */
import type { JsonValue } from '../core/json-value.ts'

/**
 * Additional information about an event. Each event lists its well-known keys; other keys are defined by
 * the producer and are preserved unchanged.
 *
 * @remarks The type with the well-known keys is, for example,
 * `NonNullable<EventOf<'tool-start'>['metadata']>`.
 */
export interface Metadata {
  [key: string]: JsonValue | undefined
}

/**
 * A JSON Schema. Not interpreted by this library.
 *
 * @see https://json-schema.org
 */
export type JsonSchema = Record<string, unknown>
