/** The fields of chunks that describe their artifact. */

import { describeValue } from '../../../../core/require.ts'
import { isSameMark, markOf, type TextMark } from '../../../../encoding/text-mark.ts'
import type { DatasetWriteEvent, FileWriteEvent } from '../../../../events/artifact.ts'
import type { ContextEvent } from '../../../../events/event.ts'
import { isFields } from '../../../../validation/predicates.ts'
import type { CheckContext } from '../../context.ts'

/** A chunk of a file or dataset. */
export type Chunk = ContextEvent<FileWriteEvent | DatasetWriteEvent>

/** Hashes of the fields of a chunk that describe the artifact. */
export function descriptorHashes(event: Chunk): Readonly<Record<string, TextMark>> {
  const hashes: Record<string, TextMark> = {}
  for (const name of ['name', 'description', 'mimeType', 'encoding', 'schema']) {
    const value = (event as unknown as Record<string, unknown>)[name]
    if (value !== undefined) hashes[name] = markOf(canonicalJson(value))
  }
  return hashes
}

/** A value as JSON with sorted keys; empty if it is nested too deeply to be serialized. */
function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_, inner: unknown) =>
      isFields(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    )
  } catch {
    return ''
  }
}

/** Reports the fields of a later chunk that differ from the first one. */
export function checkDescriptor(
  context: CheckContext,
  event: Chunk,
  first: Readonly<Record<string, TextMark>>,
  later: Readonly<Record<string, TextMark>>,
): void {
  for (const [name, hash] of Object.entries(later)) {
    const expected = first[name]
    if (expected !== undefined && isSameMark(expected, hash)) continue
    const actual = (event as unknown as Record<string, unknown>)[name]
    const message = `Expected the ${name} of the first chunk, or none, got ${describeValue(actual)}.`
    context.report('chunk-metadata', message, { path: `/${name}`, actual })
  }
}
