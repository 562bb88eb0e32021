/** A page of assistant-ui in front of a handler: its own approvals, over reloads. */
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
import { Skipped, type Step } from '../step.ts'

export const assistantUiSteps: readonly Step[] = [
  {
    name: 'assistant-ui: a page that is reloaded approves a call and declines another, in Chromium',
    run: approves,
  },
]

const HTML =
  '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>'

/** Pays twice, as far as it may. */
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
  yield { kind: 'content-complete', contentId: 'end', content: 'It is done.' }
}

async function approves(lab: Lab): Promise<string> {
  const folder = join(lab.root, 'test/all/assistant-ui')
  if (!existsSync(join(folder, 'node_modules')))
    throw new Skipped('assistant-ui is missing: run `npm install` in test/all/assistant-ui')
  const browser = await lab.browser()
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'page.jsx')],
    ...{ bundle: true, format: 'esm', jsx: 'automatic', write: false, logLevel: 'error' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const script = outputFiles[0]?.text ?? ''
  const store = memoryStore({ needsApproval: ({ toolName }) => toolName === 'pay' })
  const options = { store, user: () => 'ann', agent, protocols: { 'ag-ui': agUi() }, onError: console.error }
  const listener = toNodeListener(agentHandler(options))
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/agent')) return void listener(request, response)
    const [type, body] = request.url === '/page.js' ? ['text/javascript', script] : ['text/html', HTML]
    response.setHeader('content-type', type).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  try {
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}`)
    await page.fill('textarea', 'lunch')
    await page.press('textarea', 'Enter')
    await page.getByText('I will pay').waitFor()
    await page.reload()
    const text = 'I will pay for lunch, as you have asked.'
    await page.getByText(text).waitFor()
    await page.getByRole('button', { name: 'Approve' }).first().waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Approve' }).first().click()
    await page.getByRole('button', { name: 'Decline' }).click()
    const done = ['lunch', text, 'pay {"amount":5} {"paid":5}', 'pay {"amount":6}', 'It is done.']
    await page.getByText('It is done.').waitFor()
    deepStrictEqual(await shownBy(page), done)
    await page.reload()
    await page.getByText('It is done.').waitFor()
    deepStrictEqual(await shownBy(page), done)
    deepStrictEqual(errors, [], 'errors of the page')
    return 'one call is approved and one declined, over three reloads'
  } finally {
    await page.close()
    server.close()
    server.closeAllConnections()
  }
}

const shownBy = async (page: Page): Promise<string[]> =>
  (await page.locator('p').allTextContents()).map((text) => text.trim())
