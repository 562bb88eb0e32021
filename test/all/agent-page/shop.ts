/** The agent example on a server in a process of its own, and browsers of its users. */
import { deepStrictEqual, equal } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import type { BrowserContext, Page } from 'playwright-core'
import type { Lab } from '../lab.ts'
import { nodeWithSqlite } from '../sql/node-with-sqlite.ts'
import { startRecordedModel } from './recorded-model.ts'

export interface Shop {
  readonly url: string
  /** Another browser of a user. */
  browser(user: string): Promise<BrowserContext>
  /** Opens a page: that of the example, or one of the given scripts by its name. */
  open(browser: BrowserContext, page?: string): Promise<Page>
  kill(): Promise<void>
  start(): Promise<void>
}

/**
 * Runs a check on a server in a process of its own.
 *
 * @param pages - The scripts of other pages, by name.
 */
export async function inShop(
  lab: Lab,
  check: (shop: Shop) => Promise<string>,
  pages: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [node, chromium] = [nodeWithSqlite(lab.root), await lab.browser()]
  const folder = mkdtempSync(join(lab.temporary, 'agent-page-'))
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, `${name}.js`), text)
  const script = join(lab.root, 'test/all/sql/node_modules/.cache/agent-page.mjs')
  await build({
    entryPoints: [join(lab.root, 'test/all/agent-page/server.ts')],
    ...{ bundle: true, platform: 'node', format: 'esm', outfile: script, logLevel: 'error' },
    // What is in the repository is not in a bundle.
    external: ['esbuild'],
    define: { 'import.meta.url': JSON.stringify(`file://${lab.root}/examples/agent/page-server.ts`) },
  })
  const model = await startRecordedModel()
  const port = await freePort()
  const browsers: BrowserContext[] = []
  const errors: string[] = []
  let child: ChildProcess | undefined
  const url = `http://localhost:${port}`
  const shop: Shop = {
    url,
    async browser(user) {
      const browser = await chromium.newContext()
      browsers.push(browser)
      await browser.addCookies([{ name: 'user', value: user, url }])
      return browser
    },
    async open(browser, name) {
      const page = await browser.newPage()
      page.on('pageerror', (error) => errors.push(String(error)))
      await page.goto(name === undefined ? url : `${url}/pages/${name}`)
      await page.locator('main, textarea').first().waitFor()
      return page
    },
    async kill() {
      if (child?.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async start() {
      child = spawn(node, ['--no-warnings', script, join(folder, 'agent.db'), String(port), folder], {
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

export const say = async (page: Page, text: string): Promise<void> => {
  await page.fill('input', text)
  await page.press('input', 'Enter')
}

export const shownBy = (page: Page): Promise<string[]> =>
  page.locator('section b, section p').allTextContents()

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
