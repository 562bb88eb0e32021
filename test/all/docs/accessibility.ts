/** Accessibility of pages with their content, as axe sees it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Lab } from '../lab.ts'
import { Skipped } from '../step.ts'
import { serveSite, siteOf } from './site.ts'

const PAGES = [
  ...[
    '',
    'start.html',
    'agents.html',
    'benchmarks.html',
    'streams/',
    'streams/view.html',
    'languages/python.html',
  ],
  ...['reference/events.html', 'api/', 'api/turnstream/react.html'],
]

interface Fault {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

export async function checkAccessibility(lab: Lab): Promise<string> {
  const script = join(lab.root, 'test/all/docs/node_modules/axe-core/axe.min.js')
  if (!existsSync(script)) throw new Skipped('run `npm install --prefix test/all/docs`')
  const axe = readFileSync(script, 'utf8')
  const site = await serveSite(siteOf(lab))
  const browser = await lab.browser()
  const faults: string[] = []
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 1440, height: 900 } })
      for (const path of PAGES) {
        await page.goto(`${site.url}/${path}`)
        // With what it shows while it asks.
        if (path === '') await page.getByRole('button', { name: 'Approve' }).waitFor()
        for (const { id, nodes } of await faultsOf(page, axe)) {
          const [{ target, failureSummary } = { target: [], failureSummary: '' }] = nodes
          faults.push(
            `/${path}, ${colorScheme}: ${id}, ${nodes.length} times, ${target[0]}: ${failureSummary}`,
          )
        }
      }
      await page.close()
    }
  } finally {
    site.close()
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return `${PAGES.length} pages in 2 themes`
}

async function faultsOf(page: Page, axe: string): Promise<readonly Fault[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Fault[] }> }
    }
    return (await axe.run({ resultTypes: ['violations'] })).violations
  })
}
