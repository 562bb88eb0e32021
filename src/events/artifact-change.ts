/** The ways a complete artifact can be changed. */
import * as z from 'zod/mini'
import { schemaOf } from '../core/schema.ts'
import { anyObject, maybe, open } from './fields.ts'

/** How an `artifact-delta` changes its artifact; `type` tells the four apart. */
export type ArtifactChange = JsonPatchChange | MergePatchChange | TextAppendChange | RowsAppendChange

/**
 * Changes a data artifact operation by operation.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6902
 */
export interface JsonPatchChange {
  type: 'json-patch'
  /** Applied in order, all or none. */
  patch: JsonPatchOperation[]
}

/**
 * One operation of a JSON Patch. Which of `from` and `value` an `op` needs, RFC 6902 says; who
 * applies the patch checks it.
 */
export interface JsonPatchOperation {
  /** What to do, as RFC 6902 defines it. */
  op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  /** JSON pointer to the place to change. */
  path: string
  /** JSON pointer to the place to take from, with `move` and `copy`. */
  from?: string
  /** Any JSON, with `add`, `replace` and `test`. */
  value?: unknown
}

/**
 * Changes a data artifact by a document that looks like it: `null` removes a member.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7396
 */
export interface MergePatchChange {
  type: 'merge-patch'
  /** The document to merge in; `null` removes a member, anything that is no object replaces one. */
  patch: Record<string, unknown>
}

/** Appends text to a file artifact. */
export interface TextAppendChange {
  type: 'text-append'
  /** The text to append. Only a file of text takes it; one of bytes is written anew. */
  text: string
}

/** Appends rows to a dataset artifact. */
export interface RowsAppendChange {
  type: 'rows-append'
  /** The rows to append, in order. Values are trusted to be JSON and never walked. */
  rows: Record<string, unknown>[]
}

const jsonPatchOperation = schemaOf<JsonPatchOperation>()(
  open({
    op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']),
    path: z.string(),
    from: maybe(z.string()),
    value: maybe(z.unknown()),
  }),
)

export const artifactChange: z.ZodMiniType<ArtifactChange> = schemaOf<ArtifactChange>()(
  z.discriminatedUnion('type', [
    open({ type: z.literal('json-patch'), patch: z.array(jsonPatchOperation) }),
    open({ type: z.literal('merge-patch'), patch: anyObject }),
    open({ type: z.literal('text-append'), text: z.string() }),
    open({ type: z.literal('rows-append'), rows: z.array(anyObject) }),
  ]),
)
