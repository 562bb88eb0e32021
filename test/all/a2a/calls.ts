/** Clients of the Python SDKs use each call of the server that docs/a2a.md shows. */
import { strictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { serve } from '../../../examples/docs/a2a-server.ts'
import { agent } from '../../../examples/docs/plain-agent.ts'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import { freePort } from '../agent-page/shop.ts'
import { command } from '../command.ts'
import type { Lab } from '../lab.ts'
import { pythonWithSdk } from './sdks.ts'

/** What each client prints. */
const EXPECTED = `stream True input-required
get input-required
send completed
subscribe input-required
cancel canceled
subscribed canceled`

export async function useEachCall(lab: Lab, sdk: A2aVersion): Promise<string> {
  const python = await pythonWithSdk(lab, sdk)
  const origin = `http://127.0.0.1:${await freePort()}`
  const userOf = (request: Request) => request.headers.get('authorization')?.replace('Bearer ', '')
  const server = serve(agent, userOf, origin)
  try {
    const script = join(lab.root, `test/all/a2a/calls_v${sdk.replace('.', '_')}.py`)
    const env = { PYTHONDONTWRITEBYTECODE: '1' }
    const out = await command(python, [script, origin], { cwd: '.', env })
    strictEqual(out.trim().replaceAll('\r', ''), EXPECTED)
  } finally {
    server.close()
    server.closeAllConnections()
  }
  return 'card, send, stream, get, subscribe and cancel'
}
