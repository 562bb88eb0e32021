/** The parts of a task while they are changed. */

import { isSameAudience } from '../audience-label.ts'
import type { PartView, TextPart } from '../parts.ts'
import { type ItemKeys, ListDraft } from './list-draft.ts'

type PartType = PartView['type']

/** The id of a part within its type. Of texts, only open ones are found; the one without an id has the id `''`. */
const keys: ItemKeys<PartView> = {
  groupOf: ({ type }) => type,
  idOf(part) {
    switch (part.type) {
      case 'text':
        return part.status === 'open' ? (part.contentId ?? '') : undefined
      case 'thought':
        return part.thoughtId
      case 'tool':
        return part.toolCallId
      case 'input':
        return part.inputId
      case 'auth':
        return part.authId
      case 'artifact':
        return part.artifactId
      case 'subtask':
        return part.subtaskId
      case 'custom':
        return part.customId
      case 'error':
        return undefined
      default:
        return part satisfies never
    }
  },
}

/** The parts of a task while they are changed. */
export class PartList extends ListDraft<PartView> {
  /** The positions of the second and later parts of texts, by segment. Filled with the index. */
  readonly #stretches = new Map<number, number[]>()
  /** The positions of the latest parts of texts, open or not, by id. Filled with the index. */
  readonly #latestTexts = new Map<string | undefined, number>()

  constructor(parts: readonly PartView[]) {
    super(parts, keys)
  }

  /** The part at the position that {@link find} returned; `undefined` for -1. */
  at<T extends PartType>(_type: T, position: number): Extract<PartView, { type: T }> | undefined {
    return this.items[position] as Extract<PartView, { type: T }> | undefined
  }

  /** Replaces the part at a position, or adds one for -1. */
  put(position: number, part: PartView): void {
    if (position === -1) this.push(part)
    else this.set(position, part)
  }

  /** The positions of all parts of a text, in order, by that of its latest part. */
  stretches(latest: number): number[] {
    const { segment } = this.items[latest] as TextPart
    if (segment === latest) return [latest]
    if (this.isIndexed) return [segment, ...(this.#stretches.get(segment) ?? [])]
    const positions: number[] = []
    for (let at = segment; at <= latest; at++) {
      const part = this.items[at]
      if (part?.type === 'text' && part.segment === segment) positions.push(at)
    }
    this.scanned(latest - segment)
    return positions
  }

  /** The position of the latest part of a text, open or not; -1 if there is none. */
  latestText(contentId: string | undefined): number {
    if (this.isIndexed) return this.#latestTexts.get(contentId) ?? -1
    const at = this.items.findLastIndex((part) => part.type === 'text' && part.contentId === contentId)
    this.scanned(this.items.length - at)
    return at
  }

  /** Removes parts. The others move up, and texts name the new positions of their first parts. */
  remove(isRemoved: (part: PartView, position: number) => boolean): void {
    /** The number of parts that remain before each position. */
    const before: number[] = []
    const rest: PartView[] = []
    for (const [at, part] of this.items.entries()) {
      before.push(rest.length)
      if (isRemoved(part, at)) continue
      const segment = part.type === 'text' ? (before[part.segment] ?? part.segment) : undefined
      const last = rest.at(-1)
      if (part.type === 'text' && last?.type === 'text' && last.segment === segment) {
        // What stood between two stretches is gone: they are one.
        if (isSameAudience(last.audience, part.audience)) {
          const gap = last.hasGap === true ? { hasGap: last.hasGap } : {}
          rest[rest.length - 1] = { ...part, ...gap, at: last.at, segment, text: last.text + part.text }
          continue
        }
      }
      const stays = part.type !== 'text' || segment === undefined || segment === part.segment
      rest.push(stays ? part : { ...part, segment })
    }
    if (rest.length === this.items.length) return
    this.#stretches.clear()
    this.#latestTexts.clear()
    this.replaceAll(rest)
  }

  protected override added(part: PartView, position: number): void {
    super.added(part, position)
    if (part.type !== 'text') return
    this.#latestTexts.set(part.contentId, position)
    if (part.segment === position) return
    const positions = this.#stretches.get(part.segment)
    if (positions === undefined) this.#stretches.set(part.segment, [position])
    else positions.push(position)
  }
}
