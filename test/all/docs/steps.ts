/** The documentation site: built, without dead links, searched and read in Chromium. */
import type { Page } from 'playwright-core'
import { command } from '../command.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'
import { checkAccessibility } from './accessibility.ts'
import { tryHome } from './home.ts'
import { linkSteps } from './links.ts'
import { searchSite } from './search.ts'
import { serveSite, siteOf } from './site.ts'

const PAGES = [
  '',
  ...['start', 'streams/view', 'reference/events', 'api/turnstream', 'benchmarks'].map(
    (path) => `${path}.html`,
  ),
]

export const docsSteps: readonly Step[] = [
  {
    name: 'docs: the site is built, and its links lead somewhere',
    async run({ root }) {
      const output = await command('npm', ['run', '--silent', 'docs:check'], { cwd: root })
      return output.trim().split('\n').at(-1) ?? ''
    },
  },
  ...linkSteps,
  { name: 'docs: the search finds the guide first', run: searchSite },
  { name: 'docs: search, both themes and the width of a phone in Chromium', run: readSite },
  { name: 'docs: the home page resumes and is approved in Chromium', run: tryHome },
  { name: 'docs: axe finds nothing in both themes', run: checkAccessibility },
]

async function readSite(lab: Lab): Promise<string> {
  const site = await serveSite(siteOf(lab))
  const browser = await lab.browser()
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [360, 768, 1440]) {
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
        const errors: string[] = []
        page.on('pageerror', ({ message }) => errors.push(message))
        for (const path of PAGES) await expectReadable(page, `${site.url}/${path}`, width)
        if (errors.length > 0) throw new Error(errors.join('\n'))
        await page.close()
      }
    }
    await expectFound(await browser.newPage(), site.url)
  } finally {
    site.close()
  }
  return `${PAGES.length} pages at 3 widths in 2 themes`
}

/** The page does not scroll sideways, and its text stands out from its background. */
async function expectReadable(page: Page, url: string, width: number): Promise<void> {
  await page.goto(url)
  const { scrollWidth, colors } = await page.evaluate(() => {
    const text = document.querySelector('main p, .VPHero .tagline') ?? document.body
    return {
      scrollWidth: document.documentElement.scrollWidth,
      colors: [getComputedStyle(text).color, getComputedStyle(document.body).backgroundColor],
    }
  })
  const [dark = 0, light = 0] = colors.map(luminanceOf).sort((a, b) => a - b)
  const contrast = (light + 0.05) / (dark + 0.05)
  if (scrollWidth > width) throw new Error(`${url} is ${scrollWidth} px wide at ${width} px.`)
  if (contrast < 4.5)
    throw new Error(`${url} has a contrast of ${contrast.toFixed(2)}; expected at least 4.5.`)
}

/** The relative luminance of a color, as WCAG 2.2 defines it. */
function luminanceOf(color: string): number {
  const channels =
    color
      .match(/[\d.]+/g)
      ?.slice(0, 3)
      .map(Number) ?? []
  const [r = 0, g = 0, b = 0] = channels.map((channel) => {
    const share = channel / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The search finds a page by a word of its text, and opens it. */
async function expectFound(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/start.html`)
  await page.click('.DocSearch-Button, .VPNavBarSearch button')
  await page.fill('.search-input', 'closeDangling')
  await page.click('.result >> nth=0')
  await page.waitForFunction(() => !location.pathname.endsWith('/start.html'))
  const text = await page.textContent('main')
  if (!text?.includes('closeDangling'))
    throw new Error('The first result does not contain what was searched.')
  await page.close()
}
