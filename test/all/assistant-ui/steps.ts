/** A page of assistant-ui in front of a handler: its own approvals, and a text that is revised, over reloads. */
import { deepStrictEqual } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'
import { openAgUiPage, said } from './ag-ui-page.ts'

export const assistantUiSteps: readonly Step[] = [
  {
    name: 'assistant-ui: a page that is reloaded approves a call and declines another, in Chromium',
    run: approves,
  },
]

async function approves(lab: Lab): Promise<string> {
  const { page, close } = await openAgUiPage(lab, 'assistant-ui')
  try {
    await page.fill('textarea', 'lunch')
    await page.press('textarea', 'Enter')
    await page.getByText('I will pay').waitFor()
    await page.reload()
    await page.getByText(said).waitFor()
    await page.getByRole('button', { name: 'Approve' }).first().waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Approve' }).first().click()
    await page.getByRole('button', { name: 'Decline' }).click()
    const done = ['lunch', said, 'pay {"amount":5} {"paid":5}', 'pay {"amount":6}']
    // While a run goes on, it keeps what it has read of its message, whatever a snapshot states.
    await page.getByText('Both are paid.').waitFor()
    deepStrictEqual(await shownBy(page), [...done, 'Both are paid.'])
    await page.reload()
    await page.getByText('It is done.').waitFor()
    deepStrictEqual(await shownBy(page), [...done, 'It is done.'])
  } finally {
    await close()
  }
  return 'one call is approved and one declined, and a text is revised, over three reloads'
}

const shownBy = async (page: Page): Promise<string[]> =>
  (await page.locator('p').allTextContents()).map((text) => text.trim())
