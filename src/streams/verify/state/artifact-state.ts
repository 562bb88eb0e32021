/** What the verifier stores of an artifact. */

import type { TextMark } from '../../../encoding/text-mark.ts'

export interface ArtifactState {
  readonly type: 'file' | 'data' | 'dataset'
  /** 0 before the first complete version. `null` if unknown. */
  readonly version: number | null
  readonly pending: PendingWrite | null
  /** Keys of the tasks that completed a version. `null` if unknown or more than 16. */
  readonly writers: readonly string[] | null
  /** The part of the dataset's schema that is checked. `null` if there is none. */
  readonly rowSchema: RowSchema | null
}

/** A version that is being written. */
export interface PendingWrite {
  /** The task of the last chunk. When it ends, the write is abandoned. */
  readonly taskId: string
  readonly nextIndex: number
  /** `null` if unknown. */
  readonly encoding: 'utf-8' | 'base64' | null
  readonly version: number | null
  /** Bytes or rows so far. */
  readonly size: number
  /** The announced number of bytes or rows. `null` if unknown. */
  readonly expectedSize: number | null
  /** Hashes of the descriptive fields of the first chunk, by field. `null` if it was not seen. */
  readonly descriptor: Readonly<Record<string, TextMark>> | null
}

/** The part of a dataset's JSON Schema that is checked. */
export interface RowSchema {
  readonly required: readonly string[]
  readonly types: readonly (readonly [name: string, types: readonly string[]])[]
}
