/** Folding content. */

import type { Mutable } from '../../../../core/mutable.ts'
import { describeValue } from '../../../../core/require.ts'
import type { ContentCompleteEvent } from '../../../../events/content.ts'
import type { ContextEvent } from '../../../../events/event.ts'
import type { Audience } from '../../../access/audience.ts'
import { commonAudience, isSameAudience, labelOf, withoutLabel } from '../../audience-label.ts'
import type { PartView, TextPart } from '../../parts.ts'
import type { Reducers, ViewBuilder } from '../view-builder.ts'
import { additionOf, reportMismatch } from './deltas.ts'
import { hasStarted } from './tool.ts'
import { askedAbout } from './tool-approval.ts'

export const textReducers: Reducers<
  'content-delta' | 'content-replace' | 'content-complete' | 'iteration-reset'
> = {
  'content-delta'(builder, event) {
    const { parts } = builder.task
    const { contentId, timestamp } = event
    const position = latestOf(builder, contentId)
    const latest = parts.at('text', position)
    const added = additionOf(builder, latest?.nextIndex ?? 0, event, contentId)
    if (added === undefined) return
    const label = labelOf(event)
    const isLast = position === parts.items.length - 1
    const known =
      isLast && latest !== undefined && isSameAudience(latest.audience, label) ? latest : undefined
    const part = textPart(
      known?.at ?? timestamp,
      'open',
      label,
      latest?.segment ?? parts.items.length,
      contentId,
      (latest ?? event).iteration,
      known === undefined ? added.text : known.text + added.text,
    )
    part.nextIndex = added.nextIndex
    if (added.isGap || known?.hasGap) part.hasGap = true
    parts.put(known === undefined ? -1 : position, part)
  },

  'content-replace'(builder, event) {
    const { parts } = builder.task
    const { content, contentId, timestamp } = event
    const open = latestOf(builder, contentId)
    const latest = open === -1 ? parts.latestText(contentId) : open
    const positions = latest === -1 ? [] : parts.stretches(latest)
    const stretches = positions.map((at) => parts.items[at] as TextPart)
    const [position = parts.items.length] = positions
    const [first] = stretches
    const audience = stretches.map((part) => part.audience).reduce(commonAudience, labelOf(event))
    const { iteration } = first ?? event
    const at = first?.at ?? timestamp
    const part = textPart(at, 'open', audience, position, contentId, iteration, content)
    part.nextIndex = 1
    const rest = new Set(positions.slice(1))
    // To look at all parts for nothing would take longer with each text.
    if (rest.size > 0) parts.remove((_, at) => rest.has(at))
    parts.put(first === undefined ? -1 : position, part)
  },

  'content-complete'(builder, event) {
    const { parts } = builder.task
    const { content, contentId, timestamp } = event
    const label = labelOf(event)
    const latest = latestOf(builder, contentId)
    if (latest === -1) {
      if (isRepeated(builder, event)) {
        builder.diagnostic('repeated', 'The text was complete before.', withId(contentId))
        return
      }
      const whole = textPart(
        timestamp,
        'complete',
        label,
        parts.items.length,
        contentId,
        event.iteration,
        content,
      )
      parts.push(withEnd(whole, event))
      return
    }
    const positions = parts.stretches(latest)
    const stretches = positions.map((at) => parts.items[at] as TextPart)
    const texts = stretches.map(({ text }) => text)
    const joined = texts.join('')
    if (joined !== content && !stretches.some(({ hasGap }) => hasGap)) {
      reportMismatch(builder, joined, content, contentId)
    }
    const complete = joined === content ? texts : divide(content, texts)
    for (const [i, { at, audience, segment, iteration }] of stretches.entries()) {
      const common = commonAudience(audience, label)
      const part = textPart(at, 'complete', common, segment, contentId, iteration, complete[i] ?? '')
      parts.set(positions[i] ?? -1, i === stretches.length - 1 ? withEnd(part, event) : part)
    }
  },

  'iteration-reset'(builder, { iteration }) {
    const { parts } = builder.task
    const dropped = new Set(
      parts.items.filter((part) => isReset(part, iteration) && !stays(parts.items, part)),
    )
    for (const part of parts.items) {
      if (part.type !== 'tool' || !isReset(part, iteration) || dropped.has(part)) continue
      const id = part.toolCallId
      const message = `Iteration ${iteration} is reset, though its call ${describeValue(id)} has started or waits for an approval.`
      builder.diagnostic('started-call', message, { id })
    }
    const calls = new Set([...dropped].flatMap((part) => (part.type === 'tool' ? [part.toolCallId] : [])))
    parts.remove((part) => dropped.has(part) || (part.type === 'input' && calls.has(askedAbout(part) ?? '')))
  },
}

/** Whether a part is of an iteration that is reset. */
function isReset(part: PartView, iteration: number): boolean {
  return 'iteration' in part && part.iteration === iteration
}

/** Whether a part stays in a reset: a call that has started, or of which somebody is asked whether it may. */
function stays(parts: readonly PartView[], part: PartView): boolean {
  if (part.type !== 'tool') return false
  const id = part.toolCallId
  const isAsked = part.approval !== undefined
  return (
    hasStarted(part) ||
    (isAsked &&
      parts.some((each) => each.type === 'input' && each.status === 'open' && askedAbout(each) === id))
  )
}

/** The position of the latest part of the open text with an id, or of the one without; -1 if there is none. */
function latestOf({ task: { parts } }: ViewBuilder, contentId: string | undefined): number {
  const position = parts.items.length - 1
  const last = parts.items[position]
  if (last?.type === 'text' && last.status === 'open' && last.contentId === contentId) return position
  return parts.find('text', contentId ?? '')
}

/**
 * Whether a whole text came before: one with the same content, at the time of the last event or earlier. Two texts may
 * have the same content, as an agent may write the same twice.
 */
function isRepeated({ task }: ViewBuilder, event: ContextEvent<ContentCompleteEvent>): boolean {
  const { parts } = task
  const latest = parts.latestText(event.contentId)
  const known = parts.at('text', latest)
  if (known?.status !== 'complete' || known.iteration !== event.iteration) return false
  const [time, end] = [Date.parse(event.timestamp), Date.parse(task.task.updatedAt ?? known.at)]
  if (time > end || (time === end && latest < parts.items.length - 1)) return false
  const texts = parts.stretches(latest).map((at) => parts.items[at] as TextPart)
  return texts.map(({ text }) => text).join('') === event.content
}

function withId(contentId: string | undefined): { id?: string } {
  return contentId === undefined ? {} : { id: contentId }
}

function textPart(
  at: string,
  status: TextPart['status'],
  audience: readonly Audience[] | undefined,
  segment: number,
  contentId: string | undefined,
  iteration: number | undefined,
  text: string,
): Mutable<TextPart> {
  const part = { type: 'text', at, status } as Mutable<TextPart>
  if (audience !== undefined) part.audience = audience
  part.segment = segment
  if (contentId !== undefined) part.contentId = contentId
  if (iteration !== undefined) part.iteration = iteration
  part.text = text
  return part
}

function withEnd(part: Mutable<TextPart>, { finishReason, metadata }: ContentCompleteEvent): TextPart {
  if (finishReason !== undefined) part.finishReason = finishReason
  const rest = withoutLabel(metadata)
  if (rest !== undefined) part.metadata = rest
  return part
}

/**
 * Divides a text among its stretches, as their deltas do not join to it. Stretches that the text begins or ends with
 * stay; the first other one gets the rest, the others nothing.
 */
function divide(content: string, stretches: readonly string[]): string[] {
  let [first, last] = [0, stretches.length - 1]
  let [start, end] = [0, content.length]
  while (first < last && content.startsWith(stretches[first] ?? '', start)) {
    start += stretches[first]?.length ?? 0
    first++
  }
  while (last > first && content.slice(start, end).endsWith(stretches[last] ?? '')) {
    end -= stretches[last]?.length ?? 0
    last--
  }
  return stretches.map((text, i) =>
    i < first || i > last ? text : i === first ? content.slice(start, end) : '',
  )
}
