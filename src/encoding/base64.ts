/** Base64 as A2A wants it: the standard alphabet, padded, no white space, no spare bits. */

/**
 * Text in any of the alphabets, padded or not, in canonical Base64; `undefined` when it is none.
 *
 * Each chunk of a file is taken by itself: joining the encoded chunks of a stream and cutting them
 * elsewhere gives other bytes.
 */
export function canonicalBase64(text: string): string | undefined {
  try {
    return btoa(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}

/** The UTF-8 bytes of a text in Base64. */
export function textToBase64(text: string): string {
  let bytes = ''
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes)
}

/** The text whose UTF-8 bytes these are; `undefined` when it is not Base64 of UTF-8. */
export function base64ToText(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    // A byte order mark is part of the file.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
