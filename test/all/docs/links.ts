/** The site on plain servers of files: each link of each page leads to what it names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'
import { pagesOf, siteOf, startServer, staticServers } from './site.ts'

export const linkSteps: readonly Step[] = Object.keys(staticServers).map((name) => ({
  name: `docs: every link, served by ${name}`,
  run: (lab: Lab) => followAll(lab, name),
}))

/** The page for addresses that do not exist, which no link leads to. */
const NOT_FOUND = '404.html'

async function followAll(lab: Lab, name: string): Promise<string> {
  const folder = siteOf(lab)
  const site = await startServer(name, folder, lab)
  try {
    const seen = new Set([`${site.url}/`, ...listed(folder).map((path) => site.url + path)])
    const dead: string[] = []
    const reached = new Set<string>()
    const follow = async (url: string): Promise<void> => {
      const response = await fetch(url)
      const isPage = response.headers.get('content-type')?.includes('text/html') === true
      const text = await response.text()
      if (!response.ok) dead.push(`${url}: ${response.status}`)
      if (!isPage || !response.ok) return
      reached.add(contentOf(text))
      for (const [, link = ''] of text.matchAll(/ (?:href|src)="([^"#]+)/g)) {
        const target = new URL(link.replaceAll('&amp;', '&'), response.url)
        target.hash = ''
        if (target.origin === site.url && !seen.has(target.href)) {
          seen.add(target.href)
          pending.push(target.href)
        }
      }
    }
    const pending = [...seen]
    while (pending.length > 0) await Promise.all(pending.splice(0, 16).map(follow))
    if (dead.length > 0) throw new Error(dead.join('\n'))
    const missing = pagesOf(folder).filter(
      (page) => page !== NOT_FOUND && !reached.has(contentOf(readFileSync(join(folder, page), 'utf8'))),
    )
    if (missing.length > 0) throw new Error(`No link leads to ${missing.join(', ')}.`)
    return `${reached.size} pages, ${seen.size} addresses`
  } finally {
    site.close()
  }
}

/** The paths that `llms.txt` and the sitemap name. */
function listed(folder: string): string[] {
  const [llms, sitemap] = ['llms.txt', 'sitemap.xml'].map((file) => readFileSync(join(folder, file), 'utf8'))
  const addresses = [
    ...(llms?.matchAll(/\]\((\S+)\)/g) ?? []),
    ...(sitemap?.matchAll(/<loc>(\S+?)<\/loc>/g) ?? []),
  ].map(([, address = '']) => new URL(address).pathname)
  if (addresses.length < 100) throw new Error(`Only ${addresses.length} addresses are listed.`)
  return ['/llms.txt', '/llms-full.txt', '/sitemap.xml', ...addresses]
}

/** What makes a page another one: the script of its content, or its title. */
function contentOf(page: string): string {
  return (/\/assets\/[^"]+\.lean\.js/.exec(page) ?? /<title>.*?<\/title>/.exec(page) ?? [''])[0]
}
