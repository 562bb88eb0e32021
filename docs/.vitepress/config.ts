import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { anchorOf } from '../../scripts/markdown.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const REPOSITORY = 'https://github.com/agentwire/agentwire'

const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Guide',
    items: [
      { text: 'Getting started', link: '/start' },
      { text: 'Providers', link: '/providers' },
      { text: 'Conversations', link: '/conversations' },
      { text: 'Custom events', link: '/custom-events' },
      { text: 'JSON', link: '/json' },
      { text: 'Migration', link: '/migration' },
      { text: 'OpenTelemetry', link: '/otel' },
    ],
  },
  {
    text: 'Streams',
    items: [
      { text: 'Overview', link: '/streams' },
      { text: 'Server', link: '/streams/server' },
      { text: 'Client', link: '/streams/client' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'View', link: '/streams/view' },
      { text: 'Snapshots', link: '/streams/snapshots' },
      { text: 'Log and resume', link: '/streams/log' },
      { text: 'Redis', link: '/redis' },
      { text: 'Access', link: '/streams/access' },
      { text: 'Routing', link: '/streams/routing' },
      { text: 'Verification', link: '/streams/verify' },
      { text: 'Compaction', link: '/streams/compact' },
      { text: 'Proxies', link: '/proxies' },
      { text: 'Scale', link: '/scale' },
      { text: 'Benchmarks', link: '/benchmarks' },
    ],
  },
  {
    text: 'Protocols',
    items: [
      { text: 'A2A', link: '/a2a' },
      { text: 'Event frames', link: '/frames' },
      { text: 'Agent events', link: '/agent-event' },
      { text: 'Session', link: '/session' },
      { text: 'Looopy', link: '/looopy' },
      { text: 'Coverage', link: '/reference/coverage' },
    ],
  },
  {
    text: 'Other languages',
    items: [
      { text: 'JSON Schema', link: '/json-schema' },
      { text: 'Python', link: '/languages/python' },
      { text: 'Go', link: '/languages/go' },
      { text: 'Rust', link: '/languages/rust' },
      { text: 'Java', link: '/languages/java' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Events', link: '/reference/events' },
      { text: 'Entry points', link: '/reference/' },
      { text: 'API', link: '/api/' },
    ],
  },
  {
    text: 'Background',
    collapsed: true,
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'Decisions', link: '/decisions' },
      { text: 'Internal event protocol', link: '/spec/internal-event-protocol' },
      { text: 'Streaming architecture', link: '/spec/streaming-architecture' },
      { text: 'Event frames', link: '/spec/event-frames' },
      { text: 'Agent event stream', link: '/spec/agent-event-stream' },
      { text: 'Event payloads', link: '/spec/event-payloads' },
    ],
  },
]

/** Where a link of a page leads: files outside of docs/ are not on the site, but in the repository. */
function linkOnSite(link: string, page: string): string {
  const [path = '', ...heading] = link.split('#')
  if (path === '' || /^[a-z]+:|^\//.test(path)) return link
  const target = relative(root, join(dirname(join(root, 'docs', page)), path))
  if (target.startsWith('docs/') && (target.endsWith('.md') || !existsSync(join(root, target)))) return link
  return [`${REPOSITORY}/blob/main/${target}`, ...heading].join('#')
}

export default defineConfig({
  title: 'agentwire',
  description: 'Typed, validated events for streaming AI agents to any client, resumable over SSE.',
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  outDir: '../site',
  cleanUrls: true,
  rewrites: { 'reference/README.md': 'reference/index.md' },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // The anchors of GitHub, so that links work in the repository and on the site.
    anchor: { slugify: anchorOf },
    config(md) {
      const { core } = md
      core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.attrGet('href')
          if (link !== null) token.attrSet('href', linkOnSite(link, String(env.relativePath)))
        }
      })
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/start' },
      { text: 'Reference', link: '/reference/events' },
      { text: 'API', link: '/api/' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
  },
})
