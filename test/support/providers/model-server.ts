// A model server on this computer, which the SDKs are pointed at: answers requests with prepared bodies, in order.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventStreamHeaders } from 'turnstream/sse'

/** How a request is answered. */
export interface ModelReply {
  /** Defaults to 200. */
  readonly status?: number
  readonly body: string | Uint8Array
  /**
   * - `end`: the body is whole
   * - `cut`: the connection breaks after the body
   * - `hang`: the connection stays open after the body, until the client leaves
   */
  readonly after?: 'end' | 'cut' | 'hang'
}

export interface ModelServer {
  readonly url: string
  /** The bodies of the requests so far. */
  readonly requests: readonly Record<string, unknown>[]
  /** Whether each client that was left hanging has closed its connection. */
  readonly left: Promise<void>
  close(): void
}

/** Starts a server. Further requests than replies are answered with the last one. */
export async function modelServer(replies: readonly ModelReply[]): Promise<ModelServer> {
  const requests: Record<string, unknown>[] = []
  let leave: () => void = () => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (bytes) => {
      text += bytes
    })
    request.on('end', () => {
      const reply = replies[Math.min(requests.length, replies.length - 1)] as ModelReply
      requests.push(JSON.parse(text || '{}'))
      const { status = 200, body, after = 'end' } = reply
      response.writeHead(status, status === 200 ? eventStreamHeaders : { 'content-type': 'application/json' })
      if (after === 'end') response.end(body)
      else if (after === 'hang') response.on('close', leave).write(body)
      else response.write(body, () => response.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    left,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
