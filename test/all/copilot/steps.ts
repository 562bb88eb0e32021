/** The page on the client of AG-UI, in a browser: an answer, a question, and what follows the answer to it. */
import { deepStrictEqual } from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { copilotServer } from '../../../examples/copilot/server.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'

export const copilotSteps: readonly Step[] = [
  { name: 'copilot: HttpAgent of AG-UI in Chromium, a question and its answer', run: asksAndAnswers },
]

async function asksAndAnswers(lab: Lab): Promise<string> {
  const browser = await lab.browser()
  const server = await copilotServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const shown: Record<string, readonly string[]> = {}
    for (const [answer, last] of [
      ['Yes', 'Booked: room 7.'],
      ['No', 'Nothing was booked.'],
    ] as const) {
      await page.fill('input', 'Two nights in Brest')
      await page.press('input', 'Enter')
      await page.getByRole('button', { name: answer }).click()
      await page.getByText(last).waitFor()
      shown[answer] = await page.locator('p').allTextContents()
      await page.reload()
    }
    const start = ['Two nights in Brest', 'I found a room for “Two nights in Brest”. Shall I book it?']
    deepStrictEqual(shown, {
      Yes: [...start, 'book_room()', '{"number":7}', 'Booked: room 7.'],
      No: [...start, 'Nothing was booked.'],
    })
    deepStrictEqual(errors, [], 'errors of the page')
    return `${Object.values(shown).flat().length} messages in 4 runs`
  } finally {
    await page.close()
    server.close()
    server.closeAllConnections()
  }
}
