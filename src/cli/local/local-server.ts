/** Servers that only this machine can reach, until Ctrl+C. */
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../usage-error.ts'
import { onInterrupt } from './until-interrupted.ts'

/** The names by which this machine is reached. Another one is a website that was pointed at it. */
const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

/** Whether an address without its scheme is of this machine. */
export function isLocal(host: string): boolean {
  return LOCAL.test(host)
}

/** Whether a request is one to this machine. */
export function isToLocal({ headers }: IncomingMessage): boolean {
  return isLocal(headers.host ?? '')
}

/** A server that runs until it is stopped. */
export interface RunningServer {
  /** Resolves to the exit code once it has stopped. */
  readonly done: Promise<number>
  /** Stops it. Connections end by themselves if it is graceful. */
  readonly stop: (isGraceful: boolean) => void
}

/**
 * Runs a server on 127.0.0.1 until Ctrl+C.
 *
 * @param port - 0 for any that is free.
 * @param onListening - Called with its address, such as `http://127.0.0.1:4000`.
 */
export function runLocally(
  server: Server,
  port: number,
  onListening: (address: string) => void,
): RunningServer {
  let release = (): void => {}
  const stop = (isGraceful: boolean): void => {
    release()
    server.close()
    server.closeIdleConnections()
    if (!isGraceful) server.closeAllConnections()
  }
  const done = new Promise<number>((resolve, reject) => {
    server.on('close', () => resolve(0))
    server.on('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? `Port ${port} is taken.` : `${error.message}.`
      reject(new UsageError(reason))
    })
    server.listen(port, '127.0.0.1', () => {
      release = onInterrupt(() => stop(false))
      onListening(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
  return { done, stop }
}
