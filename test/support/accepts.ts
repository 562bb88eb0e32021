/** Whether a schema accepts a value. */
import * as z from 'zod/mini'

/**
 * A value that throws when it is read is not accepted: zod reads the length even of values that are not
 * strings, and a length that cannot be converted to a number throws.
 */
export function accepts(schema: z.ZodMiniType, value: unknown): boolean {
  try {
    return z.safeParse(schema, value).success
  } catch {
    return false
  }
}
