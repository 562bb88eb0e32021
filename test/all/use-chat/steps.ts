/** The page of examples/use-chat in a browser: reloaded in the middle of a message, cut off, and asked to approve a tool. */
import { deepStrictEqual, ok } from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { bookingAgent, textAfter, textBefore } from '../../../examples/use-chat/agent.ts'
import { chatServer } from '../../../examples/use-chat/server.ts'
import type { Lab } from '../lab.ts'
import { bundlePage } from '../recipes/bundle-page.ts'
import type { Step } from '../step.ts'

export const useChatSteps: readonly Step[] = [
  {
    name: 'examples/use-chat: useChat in Chromium resumes in the middle of a message, and approves a tool after a reload',
    run: converse,
  },
]

async function converse(lab: Lab): Promise<string> {
  const browser = await lab.browser()
  const script = await bundlePage(join(lab.root, 'examples/use-chat/page.ts'), await lab.project())
  const server = chatServer(bookingAgent(60), script)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  try {
    await page.goto(url)
    await page.click('#send')
    await page.waitForSelector('.assistant p:text("I have found")')
    // The connection breaks; the page reconnects.
    server.closeAllConnections()
    await page.waitForSelector('.assistant p:text("It takes")')
    const before = await textOf(page)
    ok(before.length < textBefore.length, 'the page was reloaded too late')
    await page.reload()
    await page.waitForSelector('#approve')
    deepStrictEqual(await textOf(page), textBefore, 'the text after a reload')
    const other = await browser.newPage()
    await other.goto(url)
    await other.waitForSelector('#approve')
    // A page that loads while the task waits.
    await page.reload()
    await page.click('#approve')
    await page.waitForSelector('.tool:text("output-available")')
    await page.waitForFunction((end) => document.body.textContent?.includes(end), textAfter)
    await page.waitForSelector('#status:text("ready")')
    deepStrictEqual(await textOf(page), textBefore + textAfter, 'the whole text')
    deepStrictEqual(await page.locator('section').count(), 2, 'messages')
    deepStrictEqual(await page.locator('.tool').count(), 1, 'tools')
    // The other page has answered nothing, and shows the rest.
    await other.waitForFunction((end) => document.body.textContent?.includes(end), textAfter)
    await other.waitForSelector('.tool:text("output-available")')
    await other.close()
    const shown = await page.locator('main').textContent()
    await page.reload()
    await page.waitForSelector('#status:text("ready")')
    await page.waitForFunction((end) => document.body.textContent?.includes(end), textAfter)
    deepStrictEqual(await page.locator('main').textContent(), shown, 'what is shown after the last reload')
    deepStrictEqual(errors, [], 'errors of the page')
    return `${textBefore.length + textAfter.length} characters, one cut connection, three reloads, one tool, approved on one of two pages`
  } finally {
    await page.close()
    server.close()
    server.closeAllConnections()
  }
}

/** The texts of the assistant. */
async function textOf(page: Page): Promise<string> {
  return (await page.locator('.assistant p').allTextContents()).join('')
}
