import { mismatch } from '../core/require.ts'
import { type ThoughtMeta, thoughtTypes, thoughtVerbosities } from './output.ts'

/** The attributes of an opening tag. */
export interface TagAttributes {
  readonly meta: ThoughtMeta
  /** The value of the `thought` attribute, trimmed. Empty if there is no such attribute. */
  readonly text: string
}

// Only applied to tags that the grammar has accepted, so it does not have to validate. Sticky, so that it takes linear time
// in any text.
const attribute =
  /[ \t\r\n]*([\w:.-]+)[ \t\r\n]*=[ \t\r\n]*(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|([^ \t\r\n]+))/gy

/**
 * Parses the attributes of an opening tag, given the text between its name and its end.
 *
 * Names match in either case, with `_`, `-` or nothing between their words. The first of several attributes of
 * one name is used. An invalid value is left out and reported.
 */
export function parseAttributes(
  source: string,
  report: (code: string, message: string, detail: unknown) => void,
): TagAttributes {
  const values: AttributeValues = {}
  for (const [, name = '', double, single, bare = ''] of source.matchAll(attribute)) {
    const quoted = double ?? single
    const value = decodeEntities(quoted ?? bare, quoted !== undefined).trim()
    const field = fields.get(name.toLowerCase().replace(/[_-]/g, ''))
    const detail = { name, value }
    if (field === undefined || values[field] !== undefined) {
      const problem = field === undefined ? 'Unknown' : 'Repeated'
      report('ignored-attribute', `${problem} attribute "${name}".`, detail)
      continue
    }
    const parsed = parsers[field](value)
    if (parsed !== undefined) values[field] = parsed as never
    else {
      const expected = field === 'confidence' ? 'a number from 0 to 1' : 'valid'
      report('bad-attribute', `Attribute ${mismatch(name, expected, value).message}`, detail)
    }
  }
  const { text = '', ...meta } = values
  return { meta, text }
}

type AttributeValues = Partial<ThoughtMeta & { text: string }>

const fields = new Map<string, keyof AttributeValues>([
  ['thought', 'text'],
  ['thoughttype', 'type'],
  ['type', 'type'],
  ['confidence', 'confidence'],
  ['verbosity', 'verbosity'],
  ['alternatives', 'alternatives'],
  ['relatedto', 'relatedTo'],
])

/** Parses the trimmed value of each field. `undefined` if it is invalid. */
const parsers: { [Field in keyof AttributeValues]-?: (value: string) => AttributeValues[Field] | undefined } =
  {
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

const namedEntities = new Map(
  Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' }),
)

/** Decodes character entities once, left to right, and backslash escapes. Anything else is kept. */
function decodeEntities(value: string, hasEscapes: boolean): string {
  return value.replace(
    /\\(["'\\])|&(?:#(\d{1,8}|x[\da-f]{1,8})|(\w+));/gi,
    (all: string, escaped?: string, number?: string, name = ''): string => {
      if (escaped !== undefined) return hasEscapes ? escaped : all
      // `Number` parses 0x41 as hexadecimal and 065 as decimal.
      return (number === undefined ? namedEntities.get(name) : character(Number(`0${number}`))) ?? all
    },
  )
}

function character(codePoint: number): string | undefined {
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff
  return codePoint === 0 || isSurrogate || codePoint > 0x10ffff ? undefined : String.fromCodePoint(codePoint)
}
