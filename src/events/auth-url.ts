/** Which addresses of login pages are safe to open. */

/**
 * Whether the `authUrl` of an event is safe to open in a browser or with the system: an absolute URL with the scheme
 * `https`, `http` of this computer (`localhost`, `127.…`, `[::1]`), or the scheme of an app, which is a domain name in
 * reverse, such as `com.example.app`.
 *
 * All others are refused: `javascript:` and `data:` run code, `file:` and the short schemes of an operating system
 * open what they name, and `user@` before the host disguises it. Even a safe URL may lead to a page that imitates
 * another one: show its host.
 *
 * @example
 * ```ts
 * if (event.kind === 'auth-required' && isSafeAuthUrl(event.authUrl)) link.href = event.authUrl
 * ```
 *
 * @see https://www.rfc-editor.org/rfc/rfc8252#section-7.1
 */
export function isSafeAuthUrl(url: unknown): url is string {
  // Browsers remove line breaks and tabs from URLs, and read a backslash as a slash; format characters turn text around.
  if (typeof url !== 'string' || /[\s\\\p{Cc}\p{Cf}]/u.test(url)) return false
  // Without the slashes it is relative to a page with the same scheme.
  if (/^https?:(?!\/\/)/i.test(url) || /^https?:\/\/[^/?#]*@/i.test(url)) return false
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    return false
  }
  const { protocol, hostname, username, password } = parsed
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  if (protocol === 'http:') return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  return /^[a-z][a-z\d-]*\.[a-z\d.-]*:$/.test(protocol) && !/\.[.:]/.test(protocol)
}
