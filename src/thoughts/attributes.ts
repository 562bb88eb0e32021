import { type ThoughtMeta, thoughtTypes, thoughtVerbosities } from './output.ts'

/** What a start tag says. */
export interface TagWords {
  readonly meta: ThoughtMeta
  /** The text of the `thought` attribute, trimmed. Empty when there is none. */
  readonly text: string
}

// Only ever run on a tag that the grammar has let through, so it need not tell good from bad.
const attribute =
  /([\w:.-]+)[ \t\r\n]*=[ \t\r\n]*(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|([^ \t\r\n]+))/g

/**
 * Reads the attributes of a start tag, given the text between its name and its end.
 *
 * Names match in either case, with `_`, `-` or nothing between words. The first of a name wins. A
 * value that makes no sense is left out and reported; the thought is kept.
 */
export function readAttributes(
  source: string,
  diagnostic: (code: string, message: string, detail: unknown) => void,
): TagWords {
  const words: Words = {}
  for (const [, name = '', double, single, bare = ''] of source.matchAll(attribute)) {
    const quoted = double ?? single
    const value = decodeEntities(quoted ?? bare, quoted !== undefined).trim()
    const field = fields.get(name.toLowerCase().replace(/[_-]/g, ''))
    if (field === undefined || words[field] !== undefined) {
      diagnostic('ignored-attribute', `The attribute ${name} is not known, or stands there twice.`, {
        name,
        value,
      })
      continue
    }
    const read = readers[field](value)
    if (read !== undefined) Object.assign(words, { [field]: read })
    else
      diagnostic('bad-attribute', `The attribute ${name} has a value that cannot be used.`, { name, value })
  }
  const { text = '', ...meta } = words
  return { meta, text }
}

type Words = Partial<TagWords['meta'] & { text: string }>

const fields = new Map<string, keyof Words>([
  ['thought', 'text'],
  ['thoughttype', 'type'],
  ['type', 'type'],
  ['confidence', 'confidence'],
  ['verbosity', 'verbosity'],
  ['alternatives', 'alternatives'],
  ['relatedto', 'relatedTo'],
])

/** What each field makes of a trimmed value; `undefined` when nothing. */
const readers: { [Field in keyof Words]-?: (value: string) => Words[Field] | undefined } = {
  text: (value) => value,
  type: (value) => thoughtTypes.find((type) => type === value.toLowerCase()),
  verbosity: (value) => thoughtVerbosities.find((verbosity) => verbosity === value.toLowerCase()),
  // A number may have an exponent, but neither a sign nor another base.
  confidence: (value) => (/^[\d.]+(e|$)/i.test(value) && Number(value) <= 1 ? Number(value) : undefined),
  alternatives: (value) => {
    const some = value.split('|').flatMap((one) => one.trim() || [])
    return some.length === 0 ? undefined : some
  },
  relatedTo: (value) => value || undefined,
}

const named = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' }))

/** Decodes once, left to right; what is no entity stays as it is. */
function decodeEntities(value: string, escapes: boolean): string {
  return value.replace(
    /\\(["'\\])|&(?:#(\d{1,8}|x[\da-f]{1,8})|(\w+));/gi,
    (all: string, escaped?: string, number?: string, name = ''): string => {
      if (escaped !== undefined) return escapes ? escaped : all
      // Read by `Number`, 0x41 is hexadecimal and 065 is decimal.
      return (number === undefined ? named.get(name) : character(Number(`0${number}`))) ?? all
    },
  )
}

function character(point: number): string | undefined {
  const isSurrogate = point >= 0xd800 && point <= 0xdfff
  return point === 0 || isSurrogate || point > 0x10ffff ? undefined : String.fromCodePoint(point)
}
