import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { anchorOf } from '../../scripts/markdown.ts'
import { sidebar } from './sidebar.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const REPOSITORY = 'https://github.com/turnstream/turnstream'

/** Where a link of a page leads: files outside of docs/ are not on the site, but in the repository. */
function linkOnSite(link: string, page: string): string {
  const [path = '', ...heading] = link.split('#')
  if (path === '' || /^[a-z]+:|^\//.test(path)) return link
  const target = relative(root, join(dirname(join(root, 'docs', page)), path))
  if (target.startsWith('docs/') && (target.endsWith('.md') || !existsSync(join(root, target)))) return link
  return [`${REPOSITORY}/blob/main/${target}`, ...heading].join('#')
}

export default defineConfig({
  title: 'turnstream',
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
