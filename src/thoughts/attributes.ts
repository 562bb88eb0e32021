import { type ThoughtMeta, thoughtTypes, thoughtVerbosities } from './thought.ts'

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
 * value that makes no sense is left out and noted; the thought is kept.
 */
export function readAttributes(
  source: string,
  note: (code: string, message: string, detail: unknown) => void,
): TagWords {
  const meta: ThoughtMeta = {}
  let text: string | undefined
  for (const [, name = '', double, single, bare = ''] of source.matchAll(attribute)) {
    const quoted = double ?? single
    const value = decodeEntities(quoted === undefined ? bare : quoted, quoted !== undefined).trim()
    const ignored = (code: string, why: string): void =>
      note(code, `The attribute ${name} ${why}.`, { name, value })

    const field = fields.get(name.toLowerCase().replace(/[_-]/g, ''))
    if (field === undefined) ignored('ignored-attribute', 'is not known')
    else if (field === 'text' ? text !== undefined : meta[field] !== undefined) {
      ignored('ignored-attribute', 'stands there already')
    } else if (field === 'text') text = value
    else {
      const read = readers[field](value)
      if (read === undefined) ignored('bad-attribute', 'has a value that cannot be used')
      else Object.assign(meta, { [field]: read })
    }
  }
  return { meta, text: text ?? '' }
}

const fields = new Map<string, keyof ThoughtMeta | 'text'>([
  ['thought', 'text'],
  ['thoughttype', 'type'],
  ['type', 'type'],
  ['confidence', 'confidence'],
  ['verbosity', 'verbosity'],
  ['alternatives', 'alternatives'],
  ['relatedto', 'relatedTo'],
])

/** What each field makes of a trimmed value; `undefined` when nothing. */
const readers: { [Field in keyof ThoughtMeta]-?: (value: string) => ThoughtMeta[Field] | undefined } = {
  type: (value) => thoughtTypes.find((type) => type === value.toLowerCase()),
  verbosity: (value) => thoughtVerbosities.find((verbosity) => verbosity === value.toLowerCase()),
  confidence: (value) =>
    /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) && Number(value) <= 1 ? Number(value) : undefined,
  alternatives: (value) => {
    const all = value.split('|').map((one) => one.trim())
    const some = all.filter((one) => one !== '')
    return some.length === 0 ? undefined : some
  },
  relatedTo: (value) => (value === '' ? undefined : value),
}

const named = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
])

/** Decodes once, left to right; what is no entity stays as it is. */
function decodeEntities(value: string, escapes: boolean): string {
  if (!/[&\\]/.test(value)) return value
  return value.replace(
    /\\(["'\\])|&(?:#(\d{1,8})|#x([\da-f]{1,8})|(\w+));/gi,
    (all: string, escaped?: string, decimal?: string, hex?: string, name = ''): string => {
      if (escaped !== undefined) return escapes ? escaped : all
      if (decimal !== undefined) return character(Number(decimal)) ?? all
      if (hex !== undefined) return character(Number.parseInt(hex, 16)) ?? all
      return named.get(name) ?? all
    },
  )
}

function character(point: number): string | undefined {
  const surrogate = point >= 0xd800 && point <= 0xdfff
  return point === 0 || surrogate || point > 0x10ffff ? undefined : String.fromCodePoint(point)
}
