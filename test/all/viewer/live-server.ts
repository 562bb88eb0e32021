/** A server of live streams whose connections break when the check wants it. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LiveServer {
  readonly url: string
  /** The `Last-Event-ID` of each connection. */
  readonly cursors: (string | undefined)[]
  /** Breaks the connections that are open, after the first bytes of a message. */
  readonly cut: () => Promise<void>
  readonly close: () => void
}

/** Answers a connection. */
export type Answer = (response: ServerResponse, lastEventId: string | undefined) => unknown

/** Serves a stream to pages of any origin. */
export async function liveServer(answer: Answer): Promise<LiveServer> {
  const cursors: (string | undefined)[] = []
  const open = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'last-event-id')
    if (request.method === 'OPTIONS') return response.writeHead(204).end()
    const lastEventId = request.headers['last-event-id'] as string | undefined
    cursors.push(lastEventId)
    open.add(response)
    response.on('close', () => open.delete(response))
    return answer(response, lastEventId)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    cursors,
    async cut() {
      const closed = [...open].map((response) => once(response, 'close'))
      for (const response of open) response.write('id: half\ndata: {"kin', () => response.destroy())
      await Promise.all(closed)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
