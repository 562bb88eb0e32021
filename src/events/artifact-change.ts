/** Changes of a complete artifact. */

/** The change of an `artifact-delta`, discriminated by `type`. */
export type ArtifactChange = JsonPatchChange | MergePatchChange | TextAppendChange | RowsAppendChange

/**
 * Changes a data artifact by a JSON Patch.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6902
 */
export interface JsonPatchChange {
  type: 'json-patch'
  /** The operations, applied in order and atomically. */
  patch: JsonPatchOperation[]
}

/**
 * One operation of a JSON Patch. RFC 6902 defines which operation needs `from` or `value`; this is checked
 * when the patch is applied, not when the event is validated.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6902#section-4
 */
export interface JsonPatchOperation {
  /** The operation, as defined by RFC 6902. */
  op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  /** JSON pointer to the location to change. */
  path: string
  /** JSON pointer to the source location. Only with `move` and `copy`. */
  from?: string
  /** Any JSON. Only with `add`, `replace` and `test`. */
  value?: unknown
}

/**
 * Changes a data artifact by a JSON Merge Patch.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7396
 */
export interface MergePatchChange {
  type: 'merge-patch'
  /** The document to merge: `null` removes a member, objects are merged, any other value replaces. */
  patch: Record<string, unknown>
}

/** Appends text to a file artifact. */
export interface TextAppendChange {
  type: 'text-append'
  /** The text to append. Only for files with the encoding `utf-8`. */
  text: string
}

/** Appends rows to a dataset artifact. */
export interface RowsAppendChange {
  type: 'rows-append'
  /** The rows to append, in order. Not validated: values are assumed to be JSON. */
  rows: Record<string, unknown>[]
}
