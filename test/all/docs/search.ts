/** The search of the built site: what many need is found first. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { searchOptions } from '../../../docs/.vitepress/search.ts'
import type { Lab } from '../lab.ts'
import { siteOf } from './site.ts'

/** The page that a query has to find first. */
const first: Readonly<Record<string, string>> = {
  'approve tool call': '/approvals.html',
  approval: '/approvals.html',
  reconnect: '/streams/client.html',
  resume: '/streams/log.html',
  install: '/start.html',
  redis: '/redis.html',
  postgres: '/streams/sql.html',
  heartbeat: '/proxies.html',
  useChat: '/ai-sdk.html',
  express: '/hosts/express.html',
  'next.js': '/hosts/next.html',
  cancel: '/commands.html',
  closeDangling: '/streams/view.html',
  'durable streams': '/durable-streams.html',
}

/** What the formats of few also have, whose words are the same. */
const common = ['tool', 'event', 'stream', 'approval', 'thought', 'error']
const ofFew = /\/(?:frames|agent-event|session|looopy|spec)\b/
const generated = /\/(?:api|reference|languages)\//

export async function searchSite(lab: Lab): Promise<string> {
  const chunks = join(siteOf(lab), 'assets/chunks')
  const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndex')) ?? ''
  const { default: json } = (await import(pathToFileURL(join(chunks, file)).href)) as { default: string }
  const fields = ['title', 'titles', 'text']
  const index = MiniSearch.loadJSON(json, { fields, storeFields: ['title', 'titles'], searchOptions })
  const pages = (query: string): string[] =>
    index.search(query).map(({ id }: { id: string }) => id.replace(/#.*/, ''))
  const faults: string[] = []
  for (const [query, page] of Object.entries(first)) {
    const [found] = pages(query)
    if (found !== page) faults.push(`“${query}” finds ${found} first, expected ${page}.`)
  }
  for (const query of common) {
    const found = pages(query).slice(0, 8)
    const wrong = found.filter((page) => ofFew.test(page))
    if (wrong.length > 0) faults.push(`“${query}” finds formats of few: ${wrong.join(', ')}.`)
    if (generated.test(found[0] ?? '')) faults.push(`“${query}” finds no page of the guide first.`)
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return `${Object.keys(first).length + common.length} queries`
}
