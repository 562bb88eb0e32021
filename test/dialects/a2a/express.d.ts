/** What the tests need of express, which comes without types. */
declare module 'express' {
  import type { RequestListener } from 'node:http'

  export type RequestHandler = (request: unknown, response: unknown, next: () => void) => void
  export interface Application extends RequestListener {
    use(path: string, handler: RequestHandler): void
  }
  export type Express = Application
  export default function express(): Application
}
