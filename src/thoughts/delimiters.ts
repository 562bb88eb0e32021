/** The delimiters of thoughts that the options define, and which of them apply where. */

/** One side of a thought: a literal, or the start of a tag up to the end of its name. */
export interface Delimiter {
  /** Identifies it in stored state, such as `tags[0].open` or `pairs[1].close`. */
  readonly id: string
  /** The option that defines it, such as `tags[0]` or `pairs[1]`. */
  readonly option: string
  readonly isOpening: boolean
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
  readonly thoughts: ReadonlyMap<string, DelimiterSet>
  /** Inside the thought that the prompt opened: any closing delimiter ends it. */
  readonly prompt: DelimiterSet
  /** The same as long as only whitespace has come: an opening delimiter may repeat the prompt's. */
  readonly promptStart: DelimiterSet
}

/** All delimiters that the options define, in the order in which to try them. */
export function allDelimiters(
  tags: readonly string[],
  pairs: readonly { open: string; close: string }[],
): Delimiter[] {
  return [
    // A literal takes precedence over tags, and over longer literals that it is a prefix of.
    ...pairs
      .flatMap(({ open, close }, i) => sidesOf(`pairs[${i}]`, open, close, false))
      .sort((a, b) => a.units.length - b.units.length),
    ...tags.flatMap((tag, i) =>
      sidesOf(`tags[${i}]`, `<${tag.toLowerCase()}`, `</${tag.toLowerCase()}`, true),
    ),
  ]
}

/** Sorts delimiters by the positions where they apply. */
export function delimiterSets(all: readonly Delimiter[], dropsOrphans: boolean): Delimiters {
  const closing = all.filter((one) => !one.isOpening)
  // A delimiter that is whitespace closes a thought but is no orphan in content.
  const inContent = all.filter(
    (one) => one.isOpening || (dropsOrphans && String.fromCharCode(...one.units).trim() !== ''),
  )
  return {
    content: setOf(inContent),
    thoughts: new Map(closing.map((one) => [one.option, setOf([one])])),
    prompt: setOf(closing),
    promptStart: setOf(all),
  }
}

/** The two delimiters that an option defines. */
function sidesOf(option: string, open: string, close: string, isTag: boolean): Delimiter[] {
  return [
    { id: `${option}.open`, option, isOpening: true, isTag, units: unitsOf(open) },
    { id: `${option}.close`, option, isOpening: false, isTag, units: unitsOf(close) },
  ]
}

function unitsOf(text: string): number[] {
  return text.split('').map((unit) => unit.charCodeAt(0))
}

function setOf(delimiters: readonly Delimiter[]): DelimiterSet {
  const firstUnits: true[] = []
  for (const { units } of delimiters) firstUnits[units[0] ?? 0] = true
  return { delimiters, firstUnits }
}
