/** A proxy whose connections break in the middle of a message, as those of real networks do. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface CuttingProxy {
  readonly url: string
  /** The `Last-Event-ID` of each event stream that was asked for; `undefined` where there was none. */
  readonly lastEventIds: readonly (string | undefined)[]
  /** How many connections were cut. */
  readonly cuts: number
  close(): void
}

export interface CuttingOptions {
  /** The server to begin with. */
  readonly target: string
  /**
   * In the data of which message each event stream is cut, counted from 1: the first stream by the
   * first number and so on. Streams after that are left whole.
   */
  readonly cutIn: readonly number[]
  /** How the paths of event streams begin. Defaults to that of the live example. */
  readonly path?: string
  /** Called before a connection is cut. Where it returns a server, the connections after it go there. */
  readonly onCut?: () => Promise<string | undefined>
}

/** How long a client has to look at what has come before its connection is cut. */
const LOOK_MS = 100

/** What of a message's data still comes through when the connection is cut in it. */
const LEFT = 20

export async function cuttingProxy({
  target,
  cutIn,
  path = '/turns/',
  onCut,
}: CuttingOptions): Promise<CuttingProxy> {
  const open = new Set<Socket>()
  const lastEventIds: (string | undefined)[] = []
  let cuts = 0
  let server = target

  const listener = createServer((client) => {
    const { hostname, port } = new URL(server)
    const upstream = connect(Number(port), hostname)
    let cutAt: number | undefined
    let answered = ''
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (bytes) => {
      const request = bytes.toString('latin1')
      if (request.startsWith(`GET ${path}`)) {
        cutAt = cutIn[lastEventIds.length]
        answered = ''
        lastEventIds.push(/^last-event-id: (.*)\r$/im.exec(request)?.[1])
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      const before = answered.length
      answered += bytes.toString('latin1')
      const end = cutAt === undefined ? undefined : endInMessage(answered, cutAt)
      if (end === undefined) {
        client.write(bytes)
        return
      }
      cuts++
      upstream.removeAllListeners('data')
      // Alone: the client must not connect again before `onCut` is done.
      upstream.removeAllListeners('close')
      open.delete(upstream)
      upstream.destroy()
      const cut = async (): Promise<void> => {
        server = (await onCut?.()) ?? server
        client.write(bytes.subarray(0, end - before))
        // A body that breaks off at once takes along what its reader has not looked at.
        await sleep(LOOK_MS)
        // Ended and not destroyed: what was sent arrives.
        client.end()
      }
      cut().catch(() => client.destroy())
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`,
    lastEventIds,
    get cuts() {
      return cuts
    },
    close() {
      listener.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** A place in the data of the n-th message of an answer; `undefined` as long as it has not come. */
function endInMessage(answered: string, n: number): number | undefined {
  let at = -1
  for (let i = 0; i < n; i++) {
    at = answered.indexOf('\ndata: ', at + 1)
    if (at === -1) return undefined
  }
  const end = at + '\ndata: '.length + LEFT
  return answered.length > end ? end : undefined
}
