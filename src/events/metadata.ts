/** Types of fields that several events have. */

/**
 * Additional information about an event. Each event lists its well-known keys; other keys are defined by
 * the producer and are preserved unchanged. Their values are assumed to be JSON and are not checked.
 *
 * @remarks The type with the well-known keys is, for example,
 * `NonNullable<EventOf<'tool-start'>['metadata']>`.
 */
export interface Metadata {
  [key: string]: unknown
}

/**
 * A JSON Schema. Not interpreted by this library.
 *
 * @see https://json-schema.org
 */
export type JsonSchema = Record<string, unknown>
