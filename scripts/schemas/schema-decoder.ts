/** Decoding by schemas alone, for vocabularies that the library reads in another way. */
import * as z from 'zod/mini'
import type { DecodeResult } from '../../src/core/decode-result.ts'
import { toPointer } from '../../src/encoding/pointer.ts'
import { type Fields, isFields } from '../../src/validation/predicates.ts'

type Issue = z.core.$ZodIssue

/** Decodes as all decoders do: a `null` on an optional field counts as absent, and a later type is `unknown`. */
export function schemaDecoder(
  tag: string,
  schemas: Readonly<Record<string, z.core.$ZodType>>,
  envelope: z.core.$ZodType,
): (value: unknown) => DecodeResult<unknown, unknown> {
  return (value) => {
    const invalid = (issues: readonly Issue[]): DecodeResult<unknown, unknown> => ({
      status: 'invalid',
      issues: issues.map((issue) => ({
        code: codeOf(issue, value),
        path: toPointer(issue.path as (string | number)[]),
        message: issue.message,
      })),
      value,
    })
    const head = z.safeParse(envelope, value)
    if (!head.success || !isFields(value)) return invalid(head.error?.issues ?? [])
    const kind = String(value[tag])
    const schema = Object.hasOwn(schemas, kind) ? schemas[kind] : undefined
    if (schema === undefined) return { status: 'unknown', kind, event: value }
    const event = withoutNulls(schema, value)
    const { success, error } = z.safeParse(schema, event)
    return success ? { status: 'known', event } : invalid(error.issues)
  }
}

/** The value without the optional fields of its own that are `null`. */
function withoutNulls(schema: z.core.$ZodType, value: Fields): Fields {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const shape = def.type === 'object' ? def.shape : {}
  const isNull = ([key, field]: [string, unknown]): boolean =>
    field === null && Object.hasOwn(shape, key) && shape[key]?._zod.optin === 'optional'
  const entries = Object.entries(value)
  return entries.some(isNull) ? Object.fromEntries(entries.filter((entry) => !isNull(entry))) : value
}

function codeOf({ code, path }: Issue, value: unknown): string {
  const at = path.reduce<unknown>((inner, key) => (inner as Fields | undefined)?.[String(key)], value)
  if (at === undefined) return 'missing'
  if (code === 'invalid_type') return 'invalid-type'
  if (code === 'too_small' || code === 'too_big') return 'out-of-range'
  return code === 'invalid_format' ? 'invalid-format' : 'invalid-value'
}
