/**
 * The beginnings of all delimiters as trees of characters, one tree for each kind of place. A tree
 * is walked one character at a time; where the walk stands is one number.
 *
 *     in content       < ┬ thinking       start, goes on by the grammar of tags
 *                        └ /thinking      close without a start
 *                      [THINK]            start, complete
 *     in a <thinking>  </thinking
 */
import { BACKTICK, CR, LF, TILDE } from './characters.ts'
import type { Settings } from './options.ts'

/** A delimiter whose beginning has been read. */
export interface Head {
  /** Which one: tags first, then pairs, in the order of the options. */
  readonly by: number
  readonly opens: boolean
  /** How long a tag is up to the end of its name. 0 for a literal, which is complete. */
  readonly nameEnd: number
}

/** A kind of place, and the delimiters that matter there. */
export interface Place {
  /** The root of its tree. */
  readonly root: number
  /** What each ASCII character may mean: a sum of `STARTS` and `SHAPES`. */
  readonly marks: Uint8Array
  /** Whether a delimiter starts with a character beyond ASCII. */
  readonly wide: boolean
}

/** A delimiter may start with it. */
export const STARTS = 1
/** It shapes Markdown code. */
export const SHAPES = 2

export interface Delimiters {
  readonly content: Place
  /** Inside a thought, by its delimiter. */
  readonly inside: readonly Place[]
  /** Inside the thought that the prompt has opened: any close delimiter ends it. */
  readonly begun: Place
  /** The same while nothing but white space has come: a start delimiter may repeat the prompt's. */
  readonly blank: Place
  /** Where a character leads to. `undefined`: nowhere. */
  next(node: number, unit: number): number | undefined
  /** Which beginning is complete here. */
  headAt(node: number): Head | undefined
}

/** Builds the trees for the delimiters in the options. */
export function delimitersOf({ tags, pairs, orphanClose, codeAware }: Settings): Delimiters {
  const edges = new Map<number, number>()
  const heads: (Head | undefined)[] = []
  const addNode = (): number => heads.push(undefined) - 1

  const all = [
    ...tags.map((tag, by) => ({ by, open: `<${tag}`, close: `</${tag}`, literal: false })),
    ...pairs.map(({ open, close }, i) => ({ by: tags.length + i, open, close, literal: true })),
  ]
  // Literals come first, so that what tags add never makes a literal match in the other case.
  const inOrder = [...all.filter(({ literal }) => literal), ...all.filter(({ literal }) => !literal)]

  const addBeginning = (root: number, text: string, literal: boolean, head: Head): void => {
    let nodes = new Set([root])
    for (const char of text.split('')) {
      // Only ASCII folds: tag names hold nothing else.
      const forms = literal ? [char] : [char.toLowerCase(), char.toUpperCase()]
      const reached = new Set<number>()
      let fresh: number | undefined
      for (const node of nodes) {
        for (const form of forms) {
          const edge = edgeKey(node, form.charCodeAt(0))
          let to = edges.get(edge)
          if (to === undefined) {
            to = fresh ??= addNode()
            edges.set(edge, to)
          }
          reached.add(to)
        }
      }
      nodes = reached
    }
    for (const node of nodes) heads[node] ??= head
  }

  const placeFor = (opens: boolean, closes: (by: number) => boolean, shapes: boolean): Place => {
    const root = addNode()
    for (const { by, open, close, literal } of inOrder) {
      const nameEnd = (text: string): number => (literal ? 0 : text.length)
      if (opens) addBeginning(root, open, literal, { by, opens: true, nameEnd: nameEnd(open) })
      if (closes(by)) addBeginning(root, close, literal, { by, opens: false, nameEnd: nameEnd(close) })
    }
    const marks = new Uint8Array(128)
    let wide = false
    for (const edge of edges.keys()) {
      if (edge < edgeKey(root, 0) || edge >= edgeKey(root + 1, 0)) continue
      const unit = edge - edgeKey(root, 0)
      if (unit < 128) marks[unit] = STARTS
      else wide = true
    }
    if (shapes) for (const unit of [BACKTICK, TILDE, LF, CR]) marks[unit] = (marks[unit] ?? 0) + SHAPES
    return { root, marks, wide }
  }

  // Node 0 stays unused: a walk that stands there has not begun.
  addNode()
  // White space is a close delimiter only where it has something to close.
  const isOrphan = (by: number): boolean => orphanClose === 'drop' && all[by]?.close.trim() !== ''
  return {
    content: placeFor(true, isOrphan, codeAware),
    inside: all.map((one) => placeFor(false, (by) => by === one.by, false)),
    begun: placeFor(false, () => true, false),
    blank: placeFor(true, () => true, false),
    next: (node, unit) => edges.get(edgeKey(node, unit)),
    headAt: (node) => heads[node],
  }
}

function edgeKey(node: number, unit: number): number {
  return node * 0x10000 + unit
}
