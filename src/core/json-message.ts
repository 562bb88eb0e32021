/** Messages of a stream of JSON. */

/** A message whose data is JSON. */
export interface JsonMessage {
  /** The parsed data: any JSON. */
  value: unknown
  /** The data as it was received. */
  raw: string
  /** The event type. Defaults to `message` if the stream sets none. */
  event: string
  /** The last event ID at this message. Empty if the stream has not set one. */
  id: string
}

/** An input that is a message of `jsonDecoder`; `undefined` for any other. */
export function asJsonMessage(input: unknown): JsonMessage | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const { value, raw, event, id } = input as Partial<JsonMessage>
  const isMessage =
    value !== undefined && typeof raw === 'string' && typeof event === 'string' && typeof id === 'string'
  return isMessage ? (input as JsonMessage) : undefined
}
