/** The default of the options that create ids. */

/** A random UUID, or 32 random hexadecimal digits: `crypto.randomUUID` exists only in secure contexts. */
export function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
