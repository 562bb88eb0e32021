/** The page of the agent example in Chromium: reloads, tabs, other users, and a server that is killed. */
import { deepStrictEqual, equal } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Step } from '../step.ts'
import { everyClient } from './every-client.ts'
import { inShop, type Shop, say, shownBy } from './shop.ts'

export const agentPageSteps: readonly Step[] = [
  {
    name: 'agent page: reload, approve in another tab, decline, another user',
    run: (lab) => inShop(lab, together),
  },
  { name: 'agent page: eight tabs of one browser', run: (lab) => inShop(lab, eightTabs) },
  { name: 'agent page: kill -9 while it asks, and offline', run: (lab) => inShop(lab, restarted) },
  {
    name: 'agent page: useChat, HttpAgent, assistant-ui and the Python client of A2A beside it, over a kill -9',
    run: everyClient,
  },
]

async function together({ browser, open }: Shop): Promise<string> {
  const ann = await browser('ann')
  const page = await open(ann)
  await say(page, 'lunch')
  // What is typed while a message is sent stays.
  await page.locator('input').pressSequentially('and')
  await page.getByText('I will pay').waitFor()
  equal(await page.locator('input').inputValue(), 'and')
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
