/** What `toUiMessageStream` stores of an artifact, to send it as a whole. */

/** An artifact as far as it is written. Files and rows are text, so that appending and copying are cheap. */
export interface ArtifactRecord {
  readonly type: 'file' | 'data' | 'dataset'
  /** The type of its chunk: that of its first name. */
  readonly chunkType: `data-${string}`
  readonly name?: string
  readonly description?: string
  readonly mimeType?: string
  readonly isBase64: boolean
  /** The version of the last complete write or change. `0` before it. */
  readonly version: number
  /** The index of the next chunk; `-1` while chunks are missing. */
  readonly nextIndex: number
  readonly isComplete: boolean
  /** Text, joinable Base64, the JSON of each row on a line of its own, or that of each change of a record not yet applied. */
  readonly body: string
  /** The content of a record. `null` for others. Shared between states: never changed. */
  readonly data: Readonly<Record<string, unknown>> | null
  /** The last bytes of Base64 that are no group of 3. */
  readonly rest: string
  /** The length of a dataset when it was sent. */
  readonly sentLength: number
}

/** The most characters of an artifact that are stored and sent. */
export const MAX_BODY: number = 8 * 1024 * 1024
