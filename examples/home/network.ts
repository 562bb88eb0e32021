/** The network between page and server. */
export interface Network {
  readonly fetch: typeof fetch
  /** Breaks the connections. New ones fail for a while. */
  cut(): void
}

export function createNetwork(
  handler: (request: Request) => Promise<Response>,
  onRequest: (request: Request) => void,
  downMs = 1500,
): Network {
  let isDown = false
  let connections = new AbortController()
  return {
    async fetch(url, init) {
      if (isDown) throw new TypeError('There is no network.')
      const request = new Request(url, init)
      onRequest(request)
      const { signal } = connections
      const { status, headers, body } = await handler(request)
      return new Response(body?.pipeThrough(new TransformStream(), { signal }), { status, headers })
    },
    cut() {
      isDown = true
      connections.abort(new TypeError('The connection is cut.'))
      connections = new AbortController()
      setTimeout(() => {
        isDown = false
      }, downMs)
    },
  }
}
