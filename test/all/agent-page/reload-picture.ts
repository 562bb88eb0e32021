/**
 * `npm run build && npx tsx test/all/agent-page/reload-picture.ts`: makes `docs/public/reload.png` with Chromium, a reload of the page of the agent example
 * in the middle of an answer.
 *
 * Each third of the picture is a screenshot of the page. `CHROMIUM` is the path of the browser, by default that of the system.
 */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { startModel } from '../../../examples/agent/model.ts'
import { pageServer } from '../../../examples/agent/page-server.ts'

const FILE = fileURLToPath(new URL('../../../docs/public/reload.png', import.meta.url))
const MS_PER_WORD = 500
const size = { width: 360, height: 190 }

const model = await startModel(MS_PER_WORD)
Object.assign(process.env, { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: model.url })
const { handler } = await import('../../../examples/agent/server.ts')
const server = await pageServer(handler)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
try {
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: 2 })
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}`)
  await page.getByRole('textbox').fill('lunch')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('I will pay for').waitFor()
  const shots: [string, Buffer][] = [['In the middle of an answer', await page.screenshot()]]
  await page.reload()
  await page.getByText('I will pay for').waitFor()
  shots.push(['Reloaded: the answer continues', await page.screenshot()])
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  shots.push(['It is whole, and asks', await page.screenshot()])
  await writeFile(FILE, await sideBySide(await browser.newPage(), shots))
  console.log(FILE)
} finally {
  await browser.close()
  server.close()
  server.closeAllConnections()
  model.close()
}

/** One picture of several, with a caption each. */
async function sideBySide(page: Page, shots: readonly [string, Buffer][]): Promise<Buffer> {
  const figures = shots.map(
    ([caption, shot], i) =>
      `<figure><figcaption>${i + 1}. ${caption}</figcaption><img width="${size.width}" src="data:image/png;base64,${shot.toString('base64')}"></figure>`,
  )
  await page.setContent(
    `<style>
      body { display: inline-flex; gap: 16px; margin: 0; padding: 16px; background: #fff; font: 15px sans-serif }
      figure { margin: 0 } figcaption { margin-bottom: 8px } img { display: block; border: 1px solid #bbb; border-radius: 6px }
    </style>${figures.join('')}`,
  )
  return page.locator('body').screenshot()
}
