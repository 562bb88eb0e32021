/** Which hosts a handler answers to, and which pages may use it. */

/** Hosts of this computer: no page of another site is loaded from them. */
const local = ['localhost', '127.0.0.1', '[::1]']

/** What {@link accessOf} decides about a request. */
export type Access =
  | { readonly status: 'allowed'; readonly headers: Readonly<Record<string, string>> }
  | { readonly status: 'wrong-host' | 'wrong-origin'; readonly headers?: undefined }

/** Decides about the host and the origin of requests. */
export function accessOf(
  hosts: readonly string[] | undefined,
  origins: readonly string[],
): (request: Request) => Access {
  const known = new Set(
    (hosts ?? [...local, ...origins.map((origin) => new URL(origin).host)]).map((host) => host.toLowerCase()),
  )
  return (request) => {
    const host = hostOf(request)
    if (!known.has(host) && !known.has(withoutPort(host))) return { status: 'wrong-host' }
    const origin = request.headers.get('origin')
    // A browser states the origin of each request that has an effect; `null` is that of a frame that nobody vouches for.
    if (origin === null) {
      const isForeign = request.method !== 'GET' && request.headers.get('sec-fetch-site') === 'cross-site'
      return isForeign ? { status: 'wrong-origin' } : { status: 'allowed', headers: {} }
    }
    if (origins.includes(origin)) return { status: 'allowed', headers: corsHeaders(origin) }
    const isSame = URL.canParse(origin) && new URL(origin).host === host
    return isSame ? { status: 'allowed', headers: {} } : { status: 'wrong-origin' }
  }
}

/** What a browser asks for before it sends JSON to another origin. The clients of protocols send headers of their own. */
export function preflightHeaders({ headers }: Request): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers':
      headers.get('access-control-request-headers') ??
      'content-type, authorization, last-event-id, turnstream-stream',
    'access-control-max-age': '600',
  }
}

function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'origin',
  }
}

/** Behind TLS the server does not know the scheme, so that hosts are compared and not origins. */
function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '')
}
