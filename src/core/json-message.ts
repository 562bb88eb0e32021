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

/** The parsed data and the event type of a message of `jsonDecoder`; any other input as it is, with the type `''`. */
export function readJsonMessage(input: unknown): readonly [value: unknown, event: string] {
  if (typeof input !== 'object' || input === null) return [input, '']
  const { value, raw, event, id } = input as Partial<JsonMessage>
  const isMessage =
    value !== undefined && typeof raw === 'string' && typeof event === 'string' && typeof id === 'string'
  return isMessage ? [value, event] : [input, '']
}
