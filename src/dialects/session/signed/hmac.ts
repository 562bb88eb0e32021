/** HMAC-SHA-256 and SHA-256 through WebCrypto, in lower-case hexadecimal. */

import { mismatch } from '../../../core/require.ts'

/** A secret as text, which counts as UTF-8, as bytes, or as an HMAC-SHA-256 key of WebCrypto. */
export type StateKey = string | Uint8Array | CryptoKey

const utf8 = new TextEncoder()
const algorithm = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Requires a key.
 *
 * @throws TypeError such as `"key" must be a non-empty string, bytes or a CryptoKey, got undefined.`
 */
export function requireKey(name: string, key: unknown): void {
  const isBytes = (typeof key === 'string' || key instanceof Uint8Array) && key.length > 0
  const isCryptoKey = typeof key === 'object' && key !== null && 'algorithm' in key
  if (!isBytes && !isCryptoKey) throw mismatch(name, 'a non-empty string, bytes or a CryptoKey', key)
}

/** The key for WebCrypto. */
async function importKey(key: StateKey): Promise<CryptoKey> {
  if (typeof key !== 'string' && !(key instanceof Uint8Array)) return key
  const bytes = typeof key === 'string' ? utf8.encode(key) : new Uint8Array(key)
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
}

/** The signature of a message. */
export async function sign(key: StateKey, message: string): Promise<string> {
  return hexOf(await crypto.subtle.sign('HMAC', await importKey(key), utf8.encode(message)))
}

/** Whether a signature is that of a message, compared in constant time. */
export async function isSigned(key: StateKey, message: string, signature: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return crypto.subtle.verify('HMAC', await importKey(key), bytes, utf8.encode(message))
}

/** The SHA-256 of a text. */
export async function checksumOf(text: string): Promise<string> {
  return hexOf(await crypto.subtle.digest('SHA-256', utf8.encode(text)))
}

function hexOf(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
