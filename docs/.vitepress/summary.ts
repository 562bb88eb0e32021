/** What a page states in a sentence: its `description`, and its line in `llms.txt`. */

const MAX_CHARS = 200

/** The `description` of its front matter, or the first sentences of its prose. */
export function summaryOf(markdown: string): string {
  const [matter = ''] = /^---\n[\s\S]*?\n---\n/.exec(markdown) ?? []
  const [, stated] = /^description: (.*)$/m.exec(matter) ?? []
  if (stated !== undefined) return stated
  const text = markdown
    .slice(matter.length)
    .replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/^ *(?:```|~~~)[\s\S]*?^ *(?:```|~~~)/gm, '')
  const paragraph = text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .find((block) => /^[\w“"`[*]/.test(block) && block.length > 20)
  const plain = (paragraph ?? '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .replace(/:$/, '.')
  if (plain.length <= MAX_CHARS) return plain
  const sentences = plain.slice(0, MAX_CHARS + 1).match(/^.*[.!?](?= )/)?.[0]
  return sentences ?? `${plain.slice(0, MAX_CHARS).replace(/\W*\s\S*$/, '')} …`
}
