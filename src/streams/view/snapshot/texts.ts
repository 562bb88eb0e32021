/** The events of the texts of a task, for a snapshot. */

import type { Audience } from '../../access/audience.ts'
import { commonAudience, isSameAudience } from '../audience-label.ts'
import type { TextPart } from '../parts.ts'
import type { TaskView } from '../view.ts'
import { rangeOf } from './range.ts'
import { iterationOf, type TaskWriter } from './task-writer.ts'

/** A text: all of its stretches. */
interface Text {
  readonly first: number
  readonly stretches: TextPart[]
  /** The text before it with the same id. */
  readonly before: Text | undefined
  /** The position of its last stretch. */
  last: number
  /** The position of the next text with the same id; the number of parts if there is none. */
  next: number
  /** The position of the part after which it is completed. */
  end: number
}

/** Writes the texts of one task, stretch by stretch. */
export class TextSerializer {
  readonly #writer: TaskWriter
  readonly #texts: ReadonlyMap<number, Text>
  /** The texts to complete after a part. */
  readonly #ends = new Map<number, Text[]>()
  readonly #nextIndexes = new Map<Text, number>()
  readonly #isExact: boolean

  /** @param isExact - Whether stretches keep labels that are different. */
  constructor(writer: TaskWriter, isExact: boolean) {
    const { task } = writer
    this.#writer = writer
    this.#isExact = isExact
    this.#texts = textsOf(task)
    const texts = [...this.#texts.values()]
    const late = new Set(lateTexts(task, texts))
    for (const text of late) text.end = text.next - 1
    // The last text of all is a late one, if there is any.
    for (const text of [...texts.filter((text) => !late.has(text)), ...late]) {
      if (!isComplete(text)) continue
      const others = this.#ends.get(text.end)
      if (others === undefined) this.#ends.set(text.end, [text])
      // A text that begins there must begin before others end: they were open together.
      else if (text.first === text.end) others.unshift(text)
      else others.push(text)
    }
  }

  /** Writes the stretch at a position. */
  write(part: TextPart, position: number): void {
    const text = this.#texts.get(part.segment)
    if (text === undefined) return
    // The whole text follows at once, unless it would be taken for the one before.
    const { stretches, end, before } = text
    const isWhole = stretches.length === 1 && isComplete(text) && end === position
    if (isWhole && !(before && textOf(before) === part.text)) return
    const index = this.#nextIndexes.get(text) ?? 0
    const range = rangeOf(part, index)
    this.#nextIndexes.set(text, (range.indexEnd ?? range.index) + 1)
    this.#writer.part(part)({
      kind: 'content-delta',
      ...(part.contentId === undefined ? {} : { contentId: part.contentId }),
      delta: part.text,
      ...iterationOf(part),
      ...range,
    })
  }

  /** Completes the texts that end after the part at a position. */
  complete(position: number): void {
    for (const { stretches, first } of this.#ends.get(position) ?? []) {
      const last = stretches.at(-1)
      const { finishReason, metadata, contentId, iteration } = last ?? {}
      const isWhole = stretches.length === 1 && first === position
      this.#writer.write(
        {
          kind: 'content-complete',
          ...(contentId === undefined ? {} : { contentId }),
          content: stretches.map(({ text }) => text).join(''),
          ...iterationOf({ iteration }),
          ...(finishReason === undefined ? {} : { finishReason }),
          ...(metadata === undefined ? {} : { metadata }),
        },
        this.#labelOf(stretches),
        isWhole && last !== undefined ? last.at : this.#writer.after(last?.at),
      )
    }
  }

  /** The label of the event that completes a text. */
  #labelOf(stretches: readonly TextPart[]): readonly Audience[] | undefined {
    const labels = stretches.map(({ audience }) => audience)
    const areSame = labels.every((label) => isSameAudience(label, labels[0]))
    return this.#isExact && !areSame ? undefined : labels.reduce(commonAudience)
  }
}

function isComplete({ stretches }: Text): boolean {
  return stretches.at(-1)?.status === 'complete'
}

/** The texts of a task by segment, in the order in which they began. */
function textsOf({ parts }: TaskView): Map<number, Text> {
  const texts = new Map<number, Text>()
  const latest = new Map<string | undefined, Text>()
  for (const [position, part] of parts.entries()) {
    if (part.type !== 'text') continue
    const known = texts.get(part.segment)
    if (known !== undefined) {
      known.stretches.push(part)
      known.last = position
      known.end = position
      continue
    }
    const before = latest.get(part.contentId)
    const text: Text = {
      first: position,
      stretches: [part],
      before,
      last: position,
      next: parts.length,
      end: position,
    }
    if (before !== undefined) before.next = position
    latest.set(part.contentId, text)
    texts.set(part.segment, text)
  }
  return texts
}

/**
 * The texts that must be completed as late as possible. The result of a task repeats the text that was completed last,
 * or those that were open together with it, and a view does not hold when texts were completed.
 */
function lateTexts({ result }: TaskView, texts: readonly Text[]): readonly Text[] {
  const content = result?.content
  if (content === undefined || texts.length === 0) return []
  if (texts.every(isComplete)) {
    const lastCompleted = texts.reduce((a, b) => (a.last > b.last ? a : b))
    if (textOf(lastCompleted) === content) return []
    const repeated = texts.find((text) => text.next > lastCompleted.last && textOf(text) === content)
    if (repeated !== undefined) return [repeated]
  }
  const last = texts.at(-1)
  let rest = content
  /** Where those texts begin that no text before them may overlap. The first of them is the last of the list. */
  const alone: number[] = []
  for (let i = texts.length - 1; i >= 0; i--) {
    const text = texts[i] as Text
    const own = textOf(text)
    if (!rest.endsWith(own)) return []
    rest = rest.slice(0, rest.length - own.length)
    while ((alone.at(-1) ?? Number.POSITIVE_INFINITY) < text.next) alone.pop()
    if (rest === '' && alone.length === 0) {
      // One that may stay open until the last begins is enough.
      return text.next > (last ?? text).first ? [text] : texts.slice(i)
    }
    alone.push(text.first)
  }
  return []
}

function textOf({ stretches }: Text): string {
  return stretches.map(({ text }) => text).join('')
}
