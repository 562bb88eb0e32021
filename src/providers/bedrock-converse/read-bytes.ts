/** Bytes: the SDK gives arrays, JSON has Base64. */

import { fromBase64, isJoinable, toBase64 } from '../../encoding/base64.ts'

/** Bytes as Base64; empty if they are something else. */
export function base64Of(value: unknown): string {
  if (value instanceof Uint8Array) return toBase64(value)
  return typeof value === 'string' ? value : ''
}

/** The Base64 of bytes in two pieces. */
export function joinBase64(first: string, second: string): string {
  if (isJoinable(first)) return first + second
  const [a, b] = [fromBase64(first), fromBase64(second)]
  if (a === undefined || b === undefined) return first + second
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return toBase64(bytes)
}
