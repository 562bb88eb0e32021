/**
 * JSON Patch.
 *
 * Pure: the document is not modified, and unchanged parts are shared. Values of the patch are not copied.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6902
 */
import { requireArray } from '../core/require.ts'
import { parsePointer } from '../encoding/pointer.ts'
import type { JsonPatchOperation } from '../events/artifact-change.ts'
import { isFields } from '../validation/predicates.ts'
import { Document } from './document.ts'
import { excess, extentOf, MAX_RESULT_DEPTH, MAX_RESULT_SIZE } from './extent.ts'
import type { Patched, PatchFailure } from './patched.ts'

/**
 * Applies a JSON Patch atomically: all operations or none. Never throws on data.
 *
 * `test` compares as RFC 6902 defines: members in any order, numbers by value. After each operation the document is
 * nested at most 500 levels deep and has at most 8 Mi characters of JSON, approximately; each object around a change has
 * at most 10,000 members, before and after it. Sizes are remembered by
 * object: a document must not be modified after it was patched.
 *
 * @throws TypeError if `patch` is not an array.
 */
export function applyJsonPatch(document: unknown, patch: readonly JsonPatchOperation[]): Patched {
  requireArray('patch', patch)
  return patchOwned(document, patch, undefined)
}

/**
 * Like {@link applyJsonPatch}, but changes the arrays and objects of `owned` in place, to which it adds its copies. A patch
 * that fails, or whose result is not accepted, changes nothing.
 */
export function patchOwned(
  value: unknown,
  patch: readonly JsonPatchOperation[],
  owned: WeakSet<object> | undefined,
  isAccepted: (value: unknown) => boolean = () => true,
): Patched {
  const document = new Document(value, owned, patch.length > 1 || patch[0]?.op !== 'remove')
  const patched = new PatchedDocument(document)
  for (const [i, operation] of patch.entries()) {
    const code = isFields(operation) ? patched.apply(operation) : 'unknown-op'
    if (code === undefined) continue
    document.revert()
    return { ok: false, code, operation: i }
  }
  if (isAccepted(document.value)) document.commit()
  else document.revert()
  return { ok: true, value: document.value }
}

type Failure = PatchFailure['code'] | undefined

class PatchedDocument {
  readonly #document: Document
  /** How much may still be copied. A bound on the result alone lets a patch copy and remove the same value for ever. */
  #room = MAX_RESULT_SIZE

  constructor(document: Document) {
    this.#document = document
  }

  /** Applies an operation, or returns why that is impossible. */
  apply({ op, path, from, value }: JsonPatchOperation): Failure {
    const tokens = locationOf(path)
    if (typeof tokens === 'string') return tokens
    switch (op) {
      case 'add':
        return value === undefined ? 'missing-field' : this.#document.change(tokens, { type: 'add', value })
      case 'replace':
        if (value === undefined) return 'missing-field'
        return this.#document.change(tokens, { type: 'replace', value })
      case 'remove':
        return this.#document.change(tokens, { type: 'remove' })
      case 'test': {
        if (value === undefined) return 'missing-field'
        const found = this.#document.at(tokens)
        if (found === undefined) return 'no-such-place'
        return this.#document.isEqual(found.value, value) ? undefined : 'test-failed'
      }
      case 'move':
      case 'copy': {
        if (from === undefined) return 'missing-field'
        const source = locationOf(from)
        if (typeof source === 'string') return source
        const found = this.#document.at(source)
        if (found === undefined) return 'no-such-place'
        if (op === 'copy') return this.#copy(found.value, tokens)
        if (path === from) return undefined
        if (path.startsWith(`${from}/`)) return 'into-itself'
        return (
          this.#document.change(source, { type: 'remove' }) ??
          this.#document.change(tokens, { type: 'add', value: found.value })
        )
      }
      default:
        return 'unknown-op'
    }
  }

  #copy(value: unknown, tokens: readonly string[]): Failure {
    const extent = extentOf(value)
    const failure = excess(extent)
    if (extent === undefined || failure !== undefined) return failure
    this.#room -= extent.size
    if (this.#room < 0) return 'too-large'
    this.#document.share(value)
    return this.#document.change(tokens, { type: 'add', value })
  }
}

/** The tokens of a pointer, or why there are none. */
function locationOf(pointer: unknown): string[] | 'bad-pointer' | 'too-deep' {
  const tokens = typeof pointer === 'string' ? parsePointer(pointer) : undefined
  if (tokens === undefined) return 'bad-pointer'
  return tokens.length > MAX_RESULT_DEPTH ? 'too-deep' : tokens
}
