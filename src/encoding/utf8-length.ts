/** The size of text in UTF-8. */

const NOT_ASCII = /[^\0-\x7f]/

/** The length of a string in UTF-8 bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length
  // Counting every character would cost as much as writing the JSON.
  if (!NOT_ASCII.test(text)) return bytes
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Each half of a surrogate pair counts 2: four bytes together.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}
