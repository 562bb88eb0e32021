/** The page docs/hosts/workers.md. */
import { handlerOf, type ObjectStorage } from '../../../../examples/hosts/workers.ts'
import { agent, userOf } from './agent.ts'

type Handler = (request: Request) => Promise<Response>

interface Env {
  readonly CONVERSATIONS: { getByName(name: string): { readonly fetch: Handler } }
}

export class Conversations {
  readonly fetch: Handler
  constructor({ storage }: { readonly storage: ObjectStorage }) {
    this.fetch = handlerOf(storage, { user: userOf, agent })
  }
}

const worker: { fetch(request: Request, env: Env): Promise<Response> } = {
  fetch: (request, env) => env.CONVERSATIONS.getByName(userOf()).fetch(request),
}
export default worker
