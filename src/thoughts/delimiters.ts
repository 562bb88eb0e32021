/** The delimiters of thoughts that the options define, and which of them apply where. */
import type { Settings } from './options.ts'

/** One side of a thought: a literal, or the start of a tag up to the end of its name. */
export interface Delimiter {
  /** Identifies it in stored state, such as `tags[0].open` or `pairs[1].close`. */
  readonly id: string
  /** The option that defines it, such as `tags[0]` or `pairs[1]`. */
  readonly option: string
  readonly side: 'open' | 'close'
  readonly isTag: boolean
  /** Its UTF-16 code units; those of a tag in lower case. */
  readonly units: readonly number[]
}

/** The delimiters that apply at a position, in the order in which to try them. */
export interface DelimiterSet {
  readonly delimiters: readonly Delimiter[]
  /** `true` at each code unit that one of them starts with. */
  readonly firstUnits: readonly true[]
}

/** The delimiters that apply at each kind of position. */
export interface Delimiters {
  readonly content: DelimiterSet
  /** Inside a thought, by the option that defines its opening delimiter. */
  readonly thought: ReadonlyMap<string, DelimiterSet>
  /** Inside the thought that the prompt opened: any closing delimiter ends it. */
  readonly promptThought: DelimiterSet
  /** The same as long as only whitespace has come: an opening delimiter may repeat the prompt's. */
  readonly promptThoughtStart: DelimiterSet
}

/** Collects the delimiters of the options by the positions where they apply. */
export function delimitersOf({ tags, pairs, orphanClose }: Settings): Delimiters {
  const ofTags = tags.map((tag, i) => {
    const name = tag.toLowerCase()
    return sidesOf(`tags[${i}]`, `<${name}`, `</${name}`, true)
  })
  const ofPairs = pairs.map(({ open, close }, i) => sidesOf(`pairs[${i}]`, open, close, false))
  // A literal takes precedence over tags, and over longer literals that it is a prefix of.
  const byLength = ofPairs.flat().sort((a, b) => a.units.length - b.units.length)
  const all = [...byLength, ...ofTags.flat()]
  const isOrphan = (one: Delimiter): boolean => orphanClose === 'drop' && !isWhitespace(one)
  return {
    content: setOf(all.filter((one) => one.side === 'open' || isOrphan(one))),
    thought: new Map([...ofTags, ...ofPairs].map(([open, close]) => [open.option, setOf([close])])),
    promptThought: setOf(all.filter(({ side }) => side === 'close')),
    promptThoughtStart: setOf(all),
  }
}

/** The two delimiters that an option defines. */
function sidesOf(option: string, open: string, close: string, isTag: boolean): [Delimiter, Delimiter] {
  const side = (name: 'open' | 'close', text: string): Delimiter => {
    const units = text.split('').map((unit) => unit.charCodeAt(0))
    return { id: `${option}.${name}`, option, side: name, isTag, units }
  }
  return [side('open', open), side('close', close)]
}

/** Whether a delimiter is whitespace, which closes a thought but is no orphan in content. */
function isWhitespace({ units }: Delimiter): boolean {
  return String.fromCharCode(...units).trim() === ''
}

function setOf(delimiters: readonly Delimiter[]): DelimiterSet {
  const firstUnits: true[] = []
  for (const { units } of delimiters) firstUnits[units[0] ?? 0] = true
  return { delimiters, firstUnits }
}
