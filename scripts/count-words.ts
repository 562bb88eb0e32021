/** `npx tsx scripts/count-words.ts`: how many words the README and the pages for users have, code and reference left out. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pages } from './readme.ts'

/** Generated pages, the documents that formats were made from, and pages for maintainers. */
const OTHERS = /^docs\/(?:reference|spec)\/|^docs\/(?:architecture|decisions)\.md$/

/** The words of each page that users read. */
export function wordCounts(): readonly { readonly page: string; readonly words: number }[] {
  return pages
    .filter((page) => page === 'README.md' || (page.startsWith('docs/') && !OTHERS.test(page)))
    .map((page) => ({
      page,
      words: wordsOf(readFileSync(fileURLToPath(new URL(`../${page}`, import.meta.url)), 'utf8')),
    }))
}

/** How many words a page has: neither code in blocks nor the targets of links. */
export function wordsOf(text: string): number {
  const prose = text
    .replace(/^ *```[\s\S]*?^ *```/gm, ' ')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/\]\([^)]*\)/g, ']')
  return prose.split(/\s+/).filter((word) => /[a-z0-9]/i.test(word)).length
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const counts = wordCounts()
  console.table(counts)
  console.log(`${counts.reduce((sum, { words }) => sum + words, 0)} words`)
}
