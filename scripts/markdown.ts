/** Markdown that the page generator writes. */

/** Text in backticks. */
export function code(text: string): string {
  return `\`${text}\``
}

/** A table. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The first sentence of a text, without its full stop. */
export function firstSentence(text: string): string {
  const plain = text.replace(/\{@link (\w+) ?\}/g, '`$1`')
  const paragraph = plain.split('\n\n')[0]?.replace(/\s+/g, ' ') ?? ''
  return (/^.*?[.:](?= [A-Z`]|$)/.exec(paragraph)?.[0] ?? paragraph).replace(/[.:]$/, '')
}

/** The anchor of a heading, as GitHub forms it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** The anchors of the headings of a page, as GitHub forms them. */
export function anchorsOf(page: string): string[] {
  const counts = new Map<string, number>()
  const prose = page.replace(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = anchorOf(heading)
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}
