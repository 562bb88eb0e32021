/**
 * `npx tsx start.ts [port]`
 *
 * Serves the agent and its page, with a model without a key unless `OPENAI_API_KEY` is set.
 */
import { startModel } from './model.ts'
import { pageServer } from './page-server.ts'

const port = Number(process.argv[2] ?? 3000)
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`Expected a port, got ${process.argv[2]}.`)
if (process.env.OPENAI_API_KEY === undefined)
  Object.assign(process.env, { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: (await startModel()).url })
const { handler } = await import('./server.ts')
const server = await pageServer(handler)
server.on('error', ({ message }) =>
  fail(`Cannot serve: ${message}. Pass another port: npx tsx start.ts 3001`),
)
server.listen(port, '127.0.0.1', () => console.log(`http://localhost:${port}`))

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
