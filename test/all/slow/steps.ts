/** Clients that never read, on real sockets: their server holds a page for each, not the log. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Step } from '../step.ts'

const CLIENTS = 50
const MAX_MIB = 60

interface Memory {
  readonly rss: number
  readonly responses: number
  readonly sent: number
}

export const slowSteps: readonly Step[] = [
  {
    name: 'clients that never read',
    async run(lab) {
      const cwd = await lab.project()
      const server = fork('slow/server.mjs', { cwd, execArgv: ['--expose-gc'] })
      const sockets = []
      try {
        const [{ port }] = (await once(server, 'message')) as [{ port: number }]
        const before = await memoryOf(server)
        for (let n = 0; n < CLIENTS; n++) {
          const socket = connect({ port, host: '127.0.0.1' })
          socket.pause()
          sockets.push(socket)
          await once(socket, 'connect')
          socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
        }
        const after = await settled(server)
        const mib = (after.rss - before.rss) / 2 ** 20
        const text = `${CLIENTS} clients of a log of 8 MB: ${mib.toFixed(0)} MiB more, at most ${MAX_MIB}`
        if (mib > MAX_MIB) throw new Error(text)
        return text
      } finally {
        for (const socket of sockets) socket.destroy()
        server.kill()
      }
    },
  },
]

/** The memory when all responses have begun and the system takes no more bytes. */
async function settled(server: ChildProcess): Promise<Memory> {
  let last = await memoryOf(server)
  for (;;) {
    await sleep(500)
    const memory = await memoryOf(server)
    if (memory.responses === CLIENTS && memory.sent === last.sent) return memory
    last = memory
  }
}

async function memoryOf(server: ChildProcess): Promise<Memory> {
  server.send('memory')
  const [memory] = (await once(server, 'message')) as [Memory]
  return memory
}
