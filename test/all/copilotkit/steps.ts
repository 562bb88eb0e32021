/** A page of CopilotKit in front of a handler, without a runtime of its own: approvals and a revised text, over reloads. */
import { deepStrictEqual } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openAgUiPage, said } from '../assistant-ui/ag-ui-page.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'

export const copilotkitSteps: readonly Step[] = [
  {
    name: 'CopilotKit: a page that is reloaded approves a call and declines another, in Chromium',
    run: approves,
  },
]

async function approves(lab: Lab): Promise<string> {
  const { page, close } = await openAgUiPage(lab, 'copilotkit')
  try {
    await page.fill('textarea', 'lunch')
    await page.press('textarea', 'Enter')
    await page.getByText('I will pay').waitFor()
    await page.reload()
    await page.getByText(said).waitFor()
    await page.getByRole('button', { name: 'Approve' }).first().waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Approve' }).first().click()
    await page.getByRole('button', { name: 'Decline' }).last().click()
    const done = [said, 'pay {"amount":5} {"paid":5}', 'pay {"amount":6}', 'It is done.']
    await page.getByText('It is done.').waitFor()
    deepStrictEqual(await shownBy(page), done)
    await page.reload()
    await page.getByText('It is done.').waitFor()
    deepStrictEqual(await shownBy(page), done)
  } finally {
    await close()
  }
  return 'one call is approved and one declined, and a text is revised, over three reloads'
}

const shownBy = async (page: Page): Promise<string[]> =>
  (await page.locator('p').allTextContents()).map((text) => text.trim())
