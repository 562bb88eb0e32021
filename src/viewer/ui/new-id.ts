/** Random ids. */

/** A UUID, version 4. `crypto.randomUUID` is missing in pages that come over HTTP. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hex) ?? []
  return `${a}-${b}-4${c}-8${d}-${e}`
}
