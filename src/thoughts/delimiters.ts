/** What thoughts begin after and end before, and where to look for which of it. */
import type { Settings } from './options.ts'

/** What marks one side of a thought: a literal, or the beginning of a tag up to the end of its name. */
export interface Delimiter {
  /** Which one: tags first, then pairs, in the order of the options. */
  readonly by: number
  readonly opens: boolean
  readonly isTag: boolean
  /** Its units, those of a tag in lower case. */
  readonly units: readonly number[]
}

/** The delimiters that matter in a kind of place, in the order in which to try them. */
export interface Place {
  readonly delimiters: readonly Delimiter[]
  /** `true` at each unit that one of them starts with. */
  readonly starts: readonly true[]
}

export interface Places {
  readonly content: Place
  /** Inside a thought, by its delimiter. */
  readonly inside: readonly Place[]
  /** Inside the thought that the prompt has opened: any close delimiter ends it. */
  readonly begun: Place
  /** The same while nothing but white space has come: a start delimiter may repeat the prompt's. */
  readonly blank: Place
}

/** Collects the delimiters in the options by the places where they matter. */
export function placesOf({ tags, pairs, orphanClose }: Settings): Places {
  const sides = (by: number, open: string, close: string, isTag: boolean): Delimiter[] =>
    [open, close].map((text, i) => ({ by, opens: i === 0, isTag, units: unitsOf(text) }))
  // One that another begins with comes first. No tag is found where a literal is.
  const delimiters = [
    ...pairs
      .flatMap(({ open, close }, i) => sides(tags.length + i, open, close, false))
      .sort((a, b) => a.units.length - b.units.length),
    ...tags.map((tag) => tag.toLowerCase()).flatMap((tag, by) => sides(by, `<${tag}`, `</${tag}`, true)),
  ]
  const placeOf = (matters: (delimiter: Delimiter) => boolean): Place => {
    const here = delimiters.filter(matters)
    const starts: true[] = []
    for (const { units } of here) starts[units[0] ?? 0] = true
    return { delimiters: here, starts }
  }
  const begun = placeOf(({ opens }) => !opens)
  // White space is a close delimiter only where it has something to close.
  const isOrphan = ({ units }: Delimiter): boolean =>
    orphanClose === 'drop' && String.fromCharCode(...units).trim() !== ''
  return {
    content: placeOf((one) => one.opens || isOrphan(one)),
    inside: [...tags, ...pairs].map((_, by) => placeOf((one) => !one.opens && one.by === by)),
    begun,
    blank: placeOf(() => true),
  }
}

function unitsOf(text: string): number[] {
  return text.split('').map((unit) => unit.charCodeAt(0))
}
