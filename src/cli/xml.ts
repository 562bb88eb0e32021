/** Writing XML. */

/** Text in XML 1.0, which cannot hold most control characters, nor halves of surrogate pairs. */
export function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what XML cannot hold.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
      .replace(/[<>&"\n\r\t]/g, (char) => `&#${char.charCodeAt(0)};`)
  )
}
