/** The page docs/hosts/bun.md. Prints its port. */
import { agentHandler, memoryStore } from 'turnstream/server'
import { agent, userOf } from './agent.ts'

interface Bun {
  serve(options: object): { readonly port: number }
}

const { Bun } = globalThis as unknown as { readonly Bun: Bun }
const handler = agentHandler({ store: memoryStore(), user: userOf, agent })
console.log(Bun.serve({ port: 0, fetch: handler, idleTimeout: 0 }).port)
