/** A page over AG-UI in front of a handler, whose agent revises a text, and pays twice as far as it may. */
import { deepStrictEqual } from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { agUi } from 'turnstream/ag-ui'
import { type Agent, agentHandler, memoryStore, toNodeListener } from 'turnstream/server'
import type { Lab } from '../lab.ts'
import { Skipped } from '../step.ts'

const HTML =
  '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>'

/** What the agent has said before it asks. */
export const said = 'I will pay for lunch, as you have asked.'

const agent: Agent = async function* (task) {
  const content = `I will pay for ${String(task.input)}, as you have asked.`
  for (const delta of content.match(/\S+\s*/g) ?? []) {
    yield { kind: 'content-delta', delta }
    await sleep(60)
  }
  yield { kind: 'content-complete', content }
  const calls = [5, 6].map((amount) => ({
    ...{ toolCallId: `${amount}-${task.taskId}`, toolName: 'pay', arguments: JSON.stringify({ amount }) },
  }))
  for (const approval of yield* task.approve(calls)) {
    if (approval.status !== 'approved') continue
    const { toolCallId, toolName, arguments: text } = approval.call
    const { amount } = JSON.parse(text) as { amount: number }
    yield { kind: 'tool-start', toolCallId, toolName, arguments: { amount } }
    yield { kind: 'tool-complete', toolCallId, toolName, success: true, result: { paid: amount } }
  }
  yield { kind: 'content-complete', contentId: 'end', content: 'Both are paid.' }
  await sleep(300)
  yield { kind: 'content-replace', contentId: 'end', content: 'It is done.' }
}

/** The script of the page of a folder with packages of its own. */
export async function agUiPage(lab: Lab, folder: string): Promise<string> {
  const root = join(lab.root, 'test/all', folder)
  if (!existsSync(join(root, 'node_modules')))
    throw new Skipped(`${folder} is missing: run \`npm install\` in test/all/${folder}`)
  const { outputFiles } = await build({
    entryPoints: [join(root, 'page.jsx')],
    ...{ bundle: true, format: 'esm', jsx: 'automatic', write: false, outdir: 'out', logLevel: 'error' },
    loader: { '.woff': 'empty', '.woff2': 'empty', '.ttf': 'empty' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? ''
}

/** Opens that page. */
export async function openAgUiPage(
  lab: Lab,
  folder: string,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const script = await agUiPage(lab, folder)
  const browser = await lab.browser()
  const store = memoryStore({ needsApproval: ({ toolName }) => toolName === 'pay' })
  const options = { store, user: () => 'ann', agent, protocols: { 'ag-ui': agUi() }, onError: console.error }
  const listener = toNodeListener(agentHandler(options))
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/agent')) return void listener(request, response)
    const [type, body] = request.url === '/page.js' ? ['text/javascript', script] : ['text/html', HTML]
    response.setHeader('content-type', type).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  // Nothing else is needed: pages of vendors ask their own services, too.
  await page.route(
    (url) => url.origin !== origin,
    (route) => route.abort(),
  )
  await page.goto(origin)
  return {
    page,
    async close() {
      await page.close()
      server.close()
      server.closeAllConnections()
      await store.close()
      deepStrictEqual(errors, [], 'errors of the page')
    },
  }
}
