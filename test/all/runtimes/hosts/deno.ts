/** The page docs/hosts/deno.md. Prints its port. */
import { agentHandler, memoryStore } from 'turnstream/server'
import { agent, userOf } from './agent.ts'

interface Deno {
  serve(options: object, handler: (request: Request) => Promise<Response>): void
}

const { Deno } = globalThis as unknown as { readonly Deno: Deno }
const onListen = ({ port }: { readonly port: number }): void => console.log(port)
Deno.serve({ port: 0, onListen }, agentHandler({ store: memoryStore(), user: userOf, agent }))
