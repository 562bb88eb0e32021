import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { anchorOf } from '../../scripts/markdown.ts'
import { writeLlms } from './llms.ts'
import { searchOptions } from './search.ts'
import { sidebar } from './sidebar.ts'
import { summaryOf } from './summary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const REPOSITORY = 'https://github.com/turnstream/turnstream'
/** The path of the site on its host, with slashes at both ends. */
const BASE = process.env.DOCS_BASE ?? '/'
/** Where the site is, for what has to name whole addresses. */
const ADDRESS = new URL(BASE, process.env.DOCS_ORIGIN ?? 'https://turnstream.github.io').href

/** Pages for maintainers, and the documents that the formats of few were made from. */
const OFF_SITE = /^docs\/(?:spec\/|architecture\.md|decisions\.md)/

/** Where a link of a page leads: files outside of docs/ are not on the site, but in the repository. */
function linkOnSite(link: string, page: string): string {
  const [path = '', ...heading] = link.split('#')
  if (path === '' || /^[a-z]+:|^\//.test(path)) return link
  const target = relative(root, join(dirname(join(root, 'docs', page)), path))
  const isOnSite = target.startsWith('docs/') && !OFF_SITE.test(target)
  // The page of a folder is its README in the repository.
  if (isOnSite && (target.endsWith('.md') || !existsSync(join(root, target))))
    return link.replace(/(^|\/)README\.md/, '$1index.md')
  return [`${REPOSITORY}/blob/main/${target}`, ...heading].join('#')
}

export default defineConfig({
  title: 'turnstream',
  description: 'Typed, validated events for streaming AI agents to any client, resumable over SSE.',
  lang: 'en',
  base: BASE,
  outDir: '../site',
  // Links name files, so that any server of files can serve the site.
  cleanUrls: false,
  srcExclude: ['spec/**', 'architecture.md', 'decisions.md'],
  rewrites: { 'reference/README.md': 'reference/index.md', 'streams/README.md': 'streams/index.md' },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}logo.svg` }]],
  sitemap: { hostname: ADDRESS },
  transformPageData(page, { siteConfig }) {
    return { description: summaryOf(readFileSync(join(siteConfig.srcDir, page.filePath), 'utf8')) }
  },
  buildEnd: ({ srcDir, outDir }) => writeLlms({ srcDir, outDir, address: ADDRESS }),
  markdown: {
    // All of their colors can be read on the background of code.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
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
      // An empty cell at the head of a table is no header.
      core.ruler.push('empty-headers', ({ tokens }) => {
        for (const [i, token] of tokens.entries()) {
          const [text, end] = tokens.slice(i + 1)
          if (token.type !== 'th_open' || text?.content !== '' || end === undefined) continue
          token.tag = end.tag = 'td'
        }
      })
    },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Guide', link: '/start' },
      { text: 'Reference', link: '/reference/events' },
      { text: 'API', link: '/api/' },
      // No page of VitePress: the whole page is loaded.
      { text: 'Playground', link: '/playground.html', target: '_self' },
    ],
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: { searchOptions },
        // No label: the button is named by what it shows.
        translations: { button: { buttonAriaLabel: '' } },
      },
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
  },
})
