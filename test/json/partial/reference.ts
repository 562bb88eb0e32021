/** What is certain of a JSON text that was cut off, found slowly: by closing what is open and parsing all of it. */

/** The value of a prefix of JSON; `undefined` while nothing is certain. */
export function certainValue(prefix: string): { value: unknown } | undefined {
  let closed = withoutHalfToken(prefix).trimEnd()
  // A separator, and a name without a value.
  closed = closed.replace(/,$/, '')
  const { closers, isName } = scan(closed)
  if (isName) closed = closed.slice(0, lastString(closed))
  closed = closed.trimEnd().replace(/,$/, '')
  const text = closed + closers
  return text.trim() === '' ? undefined : { value: JSON.parse(text) }
}

/** Drops an unfinished number or literal, a colon, and what a string must not end with; closes the string. */
function withoutHalfToken(prefix: string): string {
  const { inString } = scan(prefix)
  if (!inString) {
    const token = /[-+.\w]+$/.exec(prefix)?.[0] ?? ''
    const isWhole = ['true', 'false', 'null'].includes(token)
    return prefix
      .slice(0, isWhole ? prefix.length : prefix.length - token.length)
      .trimEnd()
      .replace(/:$/, '')
  }
  // An escape is unfinished if the text before it, closed, is a string, and the text with it is none.
  let text = prefix
  const start = lastString(prefix)
  while (!isString(`${text.slice(start)}"`)) text = text.slice(0, -1)
  const content = JSON.parse(`${text.slice(start)}"`) as string
  const last = content.charCodeAt(content.length - 1)
  const whole = last >= 0xd800 && last <= 0xdbff ? content.slice(0, -1) : content
  return prefix.slice(0, start) + JSON.stringify(whole)
}

function isString(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'string'
  } catch {
    return false
  }
}

/** Where the last string starts. */
function lastString(text: string): number {
  let start = -1
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '"') continue
    start = at
    for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
  }
  return start
}

function scan(text: string): { closers: string; inString: boolean; isName: boolean } {
  const open: string[] = []
  let inString = false
  let lastToken = ''
  let before = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
      continue
    }
    if (/\s/.test(char)) continue
    if (char === '"') inString = true
    if (char === '{') open.push('}')
    if (char === '[') open.push(']')
    if (char === '}' || char === ']') open.pop()
    before = lastToken
    lastToken = char
  }
  const isName = lastToken === '"' && open.at(-1) === '}' && (before === '{' || before === ',')
  return { closers: open.reverse().join(''), inString, isName }
}
