import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { anchorOf } from '../../scripts/markdown.ts'
import { sidebar } from './sidebar.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const REPOSITORY = 'https://github.com/turnstream/turnstream'

/** Pages for maintainers, and the documents that the formats of few were made from. */
const OFF_SITE = /^docs\/(?:spec\/|architecture\.md|decisions\.md)/

/** Where a link of a page leads: files outside of docs/ are not on the site, but in the repository. */
function linkOnSite(link: string, page: string): string {
  const [path = '', ...heading] = link.split('#')
  if (path === '' || /^[a-z]+:|^\//.test(path)) return link
  const target = relative(root, join(dirname(join(root, 'docs', page)), path))
  const isOnSite = target.startsWith('docs/') && !OFF_SITE.test(target)
  if (isOnSite && (target.endsWith('.md') || !existsSync(join(root, target)))) return link
  return [`${REPOSITORY}/blob/main/${target}`, ...heading].join('#')
}

export default defineConfig({
  title: 'turnstream',
  description: 'Typed, validated events for streaming AI agents to any client, resumable over SSE.',
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  outDir: '../site',
  cleanUrls: true,
  srcExclude: ['spec/**', 'architecture.md', 'decisions.md'],
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
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            boostDocument: (id: string) => (/\/(?:frames|agent-event|session|looopy)\b/.test(id) ? 0.01 : 1),
          },
        },
      },
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
  },
})
