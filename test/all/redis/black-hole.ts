/** An address of a server that can become a black hole: what is sent to it vanishes, and nobody accepts a connection. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort, lineOf } from './server.ts'

export interface BlackHole {
  readonly port: number
  begin(): Promise<void>
  /** Breaks the connections that were open, and accepts new ones. */
  end(): Promise<void>
  close(): void
}

/** How many connections wait in the queue of a process that accepts none, at most. */
const QUEUE = 8
/** How long a connection may take on one machine. */
const CONNECT_MS = 300

/** @param to - The port of the server. */
export async function startBlackHole(to: number): Promise<BlackHole> {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let server: Server | undefined
  /** The process that accepts nothing. */
  let hole: ChildProcess | undefined
  let isOpen = true
  const kept: Socket[] = []

  const accept = (client: Socket): void => {
    const target = connect(to, '127.0.0.1')
    for (const [from, into] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => isOpen && into.write(bytes))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        // Nor does the other side learn that one has gone.
        if (isOpen) into.destroy()
      })
    }
  }
  const listen = async (): Promise<void> => {
    server = createServer(accept).listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = (): void => {
    for (const socket of [...sockets, ...kept.splice(0)]) socket.destroy()
    hole?.kill('SIGKILL')
  }

  await listen()
  return {
    port,
    async begin() {
      isOpen = false
      server?.close()
      const program = `require('net').createServer().listen({ port: ${port}, host: '127.0.0.1', backlog: 1 }, () => console.log('listening'))`
      hole = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
      await lineOf(hole, /listening/)
      hole.kill('SIGSTOP')
      for (let isAccepted = true; isAccepted; ) {
        if (kept.length === QUEUE) throw new Error('A process that has stopped accepts connections.')
        const socket = connect(port, '127.0.0.1').on('error', () => {})
        kept.push(socket)
        const timeout = AbortSignal.timeout(CONNECT_MS)
        isAccepted = await once(socket, 'connect', { signal: timeout }).then(
          () => true,
          () => false,
        )
      }
    },
    async end() {
      isOpen = true
      cut()
      if (hole !== undefined) await once(hole, 'exit')
      await listen()
    },
    close() {
      cut()
      server?.close()
    },
  }
}
