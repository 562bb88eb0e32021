/** The page of the agent example in Chromium: reloads, tabs, other users, and a server that is killed. */
import { deepStrictEqual, equal } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import type { BrowserContext, Page } from 'playwright-core'
import { startModel } from '../../../examples/agent/model.ts'
import type { Lab } from '../lab.ts'
import { nodeWithSqlite } from '../sql/node-with-sqlite.ts'
import type { Step } from '../step.ts'

export const agentPageSteps: readonly Step[] = [
  {
    name: 'agent page: reload, approve in another tab, decline, another user',
    run: (lab) => inShop(lab, together),
  },
  { name: 'agent page: eight tabs of one browser', run: (lab) => inShop(lab, eightTabs) },
  { name: 'agent page: kill -9 while it asks, and offline', run: (lab) => inShop(lab, restarted) },
]

interface Shop {
  /** Another browser of a user. */
  browser(user: string): Promise<BrowserContext>
  open(browser: BrowserContext): Promise<Page>
  kill(): Promise<void>
  start(): Promise<void>
}

async function together({ browser, open }: Shop): Promise<string> {
  const ann = await browser('ann')
  const page = await open(ann)
  await say(page, 'lunch')
  await page.getByText('I will pay').waitFor()
  await page.reload()
  await page.getByText('I will pay for lunch, as you have asked.').waitFor()
  const tab = await open(ann)
  const phone = await open(await browser('ann'))
  await phone.getByRole('button', { name: 'Approve' }).waitFor()
  await tab.getByRole('button', { name: 'Approve' }).click()
  for (const each of [page, tab, phone]) await each.getByText('It is done: {"paid":5}').waitFor()
  await say(phone, 'tea')
  await page.getByRole('button', { name: 'Decline' }).click()
  for (const each of [page, tab, phone]) await each.locator('section[data-status=completed]').nth(1).waitFor()
  const other = await open(await browser('bob'))
  await other.locator('main[data-connection=idle]').waitFor()
  equal(await other.locator('section').count(), 0)
  deepStrictEqual(await shownBy(page), await shownBy(phone))
  return `${(await shownBy(page)).length} lines on three pages of one user, none on that of another`
}

async function eightTabs({ browser, open }: Shop): Promise<string> {
  const ann = await browser('ann')
  const tabs: Page[] = []
  for (let count = 0; count < 8; count++) tabs.push(await open(ann))
  const [first, ...others] = tabs as [Page, ...Page[]]
  await say(others[6] ?? first, 'lunch')
  for (const tab of tabs) await tab.getByRole('button', { name: 'Approve' }).waitFor()
  // The tab that has read for all goes.
  await first.close()
  await others[3]?.getByRole('button', { name: 'Approve' }).click()
  for (const tab of others) await tab.getByText('It is done').waitFor()
  const shown = await Promise.all(others.map(shownBy))
  for (const lines of shown) deepStrictEqual(lines, shown[0])
  return 'eight tabs are live, and seven when the first is closed'
}

async function restarted({ browser, open, kill, start }: Shop): Promise<string> {
  const ann = await browser('ann')
  const page = await open(ann)
  await say(page, 'lunch')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await kill()
  await page.locator('main[data-connection=reconnecting]').waitFor()
  await page.getByText('I will pay for lunch').waitFor()
  await start()
  await page.locator('main[data-connection=open]').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('It is done: {"paid":5}').waitFor()
  await page.reload()
  await page.getByText('It is done: {"paid":5}').waitFor()
  await ann.setOffline(true)
  const phone = await open(await browser('ann'))
  await say(phone, 'tea')
  await phone.getByRole('button', { name: 'Approve' }).click()
  await ann.setOffline(false)
  await page.locator('section[data-status=completed]').nth(1).waitFor()
  deepStrictEqual(await shownBy(page), await shownBy(phone))
  return 'the approval goes on after the restart, and the page after it was offline'
}

export const say = async (page: Page, text: string): Promise<void> => {
  await page.fill('input', text)
  await page.press('input', 'Enter')
}

const shownBy = (page: Page): Promise<string[]> => page.locator('section b, section p').allTextContents()

/** Runs a check on a server in a process of its own. */
async function inShop(lab: Lab, check: (shop: Shop) => Promise<string>): Promise<string> {
  const [node, chromium] = [nodeWithSqlite(lab.root), await lab.browser()]
  const folder = mkdtempSync(join(lab.temporary, 'agent-page-'))
  const script = join(lab.root, 'test/all/sql/node_modules/.cache/agent-page.mjs')
  await build({
    entryPoints: [join(lab.root, 'test/all/agent-page/server.ts')],
    ...{ bundle: true, platform: 'node', format: 'esm', outfile: script, logLevel: 'error' },
    // What is in the repository is not in a bundle.
    external: ['esbuild'],
    define: { 'import.meta.url': JSON.stringify(`file://${lab.root}/examples/agent/page-server.ts`) },
  })
  const model = await startModel()
  const port = await freePort()
  const browsers: BrowserContext[] = []
  const errors: string[] = []
  let child: ChildProcess | undefined
  const shop: Shop = {
    async browser(user) {
      const browser = await chromium.newContext()
      browsers.push(browser)
      await browser.addCookies([{ name: 'user', value: user, url: `http://localhost:${port}` }])
      return browser
    },
    async open(browser) {
      const page = await browser.newPage()
      page.on('pageerror', (error) => errors.push(String(error)))
      await page.goto(`http://localhost:${port}`)
      await page.locator('main').waitFor()
      return page
    },
    async kill() {
      if (child?.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async start() {
      child = spawn(node, ['--no-warnings', script, join(folder, 'agent.db'), String(port)], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: model.url },
      })
      const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
      const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit')])
      equal(line, 'ready')
    },
  }
  try {
    await shop.start()
    const result = await check(shop)
    deepStrictEqual(errors, [], 'errors of the pages')
    return result
  } finally {
    for (const browser of browsers) await browser.close()
    await shop.kill()
    model.close()
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
