/** `llms.txt` and `llms-full.txt`: the pages of the site for readers that take text, see https://llmstxt.org. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sidebar } from './sidebar.ts'
import { summaryOf } from './summary.ts'

interface Site {
  /** The folder of the pages. */
  readonly srcDir: string
  /** The folder of the built site. */
  readonly outDir: string
  /** The address of its home page. */
  readonly address: string
}

/** Writes both: the pages of the sidebar, as a list with what each is about, and as a whole. */
export function writeLlms({ srcDir, outDir, address }: Site): void {
  const home = readFileSync(join(srcDir, 'index.md'), 'utf8')
  const list = [`# turnstream\n\n> ${summaryOf(home)}\n`]
  const whole: string[] = []
  for (const { text: section, items = [] } of sidebar) {
    list.push(`\n## ${section}\n\n`)
    for (const { text, link = '' } of items) {
      const source = [`${link}.md`, `${link}README.md`, `${link}index.md`]
        .map((path) => join(srcDir, path))
        .find(existsSync)
      if (source === undefined) throw new Error(`The sidebar names ${link}, which is no page.`)
      const page = readFileSync(source, 'utf8').replace(/<!-- \S.* -->\n/g, '')
      list.push(`- [${text}](${new URL(pathOf(link).slice(1), address)}): ${summaryOf(page)}\n`)
      if (!link.startsWith('/api/')) whole.push(page.trim())
    }
  }
  writeFileSync(join(outDir, 'llms.txt'), list.join(''))
  writeFileSync(join(outDir, 'llms-full.txt'), `${whole.join('\n\n')}\n`)
}

function pathOf(link: string): string {
  return link.endsWith('/') ? link : `${link}.html`
}
