/** Bytes: the SDK gives arrays, JSON has Base64. */

import { toBase64 } from '../../encoding/base64.ts'

/** Bytes as Base64; empty if they are something else. */
export function base64Of(value: unknown): string {
  if (value instanceof Uint8Array) return toBase64(value)
  return typeof value === 'string' ? value : ''
}
