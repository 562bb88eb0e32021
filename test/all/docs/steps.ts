/** The documentation site: built, without dead links, searched and read in Chromium. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { command } from '../command.ts'
import type { Lab } from '../lab.ts'
import { Skipped, type Step } from '../step.ts'

const PAGES = ['', 'start', 'streams/view', 'reference/events', 'api/turnstream', 'benchmarks']

export const docsSteps: readonly Step[] = [
  {
    name: 'docs: the site is built, and its links lead somewhere',
    async run({ root }) {
      const output = await command('npm', ['run', '--silent', 'docs:check'], { cwd: root })
      return output.trim().split('\n').at(-1) ?? ''
    },
  },
  { name: 'docs: search, both themes and the width of a phone in Chromium', run: readSite },
]

async function readSite(lab: Lab): Promise<string> {
  const folder = join(lab.root, 'site')
  if (!existsSync(folder)) throw new Skipped('there is no site: run `npm run docs`')
  const site = await serveSite(folder)
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
    await expectFewLast(await browser.newPage(), site.url)
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
  await page.goto(`${url}/start`)
  await page.click('.DocSearch-Button, .VPNavBarSearch button')
  await page.fill('.search-input', 'closeDangling')
  await page.click('.result >> nth=0')
  await page.waitForFunction(() => !location.pathname.endsWith('/start'))
  const text = await page.textContent('main')
  if (!text?.includes('closeDangling'))
    throw new Error('The first result does not contain what was searched.')
  await page.close()
}

/** What many need is found before the formats of few, whose words are the same. */
async function expectFewLast(page: Page, url: string): Promise<void> {
  for (const query of ['tool', 'event', 'stream', 'approval']) {
    await page.goto(`${url}/start`)
    await page.click('.DocSearch-Button, .VPNavBarSearch button')
    await page.fill('.search-input', query)
    await page.locator('.result').first().waitFor()
    const links = await page
      .locator('.result')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    const few = links
      .slice(0, 8)
      .filter((link) => /\/(?:frames|agent-event|session|looopy|spec)\b/.test(link ?? ''))
    if (few.length > 0)
      throw new Error(`The first results for ${query} are of formats of few: ${few.join(', ')}`)
  }
  await page.close()
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

/** Serves the site as static hosts do: `/streams/view` is `streams/view.html`. */
async function serveSite(folder: string): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    const file = [path, `${path}.html`, join(path, 'index.html')]
      .map((candidate) => join(folder, candidate))
      .find((candidate) => existsSync(candidate) && statSync(candidate).isFile())
    if (file === undefined) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    return createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
