/** The home page in Chromium: an answer survives a cut connection, and goes on when it is approved. */
import type { Lab } from '../lab.ts'
import { serveSite, siteOf } from './site.ts'

export async function tryHome(lab: Lab): Promise<string> {
  const site = await serveSite(siteOf(lab))
  const browser = await lab.browser()
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  // There is no server behind the page.
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/agent')) asked.push(request.url())
  })
  try {
    await page.goto(site.url)
    const view = page.getByRole('log')
    await view.getByText('You wrote').waitFor()
    await page.getByRole('button', { name: 'Cut the connection' }).click()
    await page.locator('[data-connection=reconnecting]').waitFor()
    await page.getByText(/Last-Event-ID: \S+:\d+/).waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await view.getByText('It is booked: table 7, by the window.').waitFor()
    await view.locator('[data-status=completed]').waitFor()
    const text = (await view.textContent()) ?? ''
    if (text.split('You wrote').length !== 2 || !text.includes('with a view of the boats.'))
      throw new Error(`Expected the answer once and whole, got: ${text}`)
    const code = await page.locator('.live .vp-code-group').textContent()
    if (!code?.includes('agentHandler(')) throw new Error('The code is not beside it.')
    if (asked.length + errors.length > 0) throw new Error([...asked, ...errors].join('\n'))
  } finally {
    await page.close()
    site.close()
  }
  return 'cut, resumed, approved'
}
