/** Folding content and thoughts. */

import { describeValue } from '../../core/require.ts'
import { vectorGet } from '../collections/vector.ts'
import type { TextPart, ThoughtPart } from './parts.ts'
import type { OpenText } from './view.ts'
import { appendDelta, type Reducers, type ViewBuilder } from './view-builder.ts'

export const textReducers: Reducers<
  'content-delta' | 'content-complete' | 'thought-delta' | 'thought-stream'
> = {
  'content-delta'(builder, event) {
    const { contentId, timestamp } = event
    const known = openText(builder, contentId)
    const open = textPart(builder, known) ?? emptyText(timestamp)
    const streamed = appendDelta(builder, open, event, contentId)
    if (streamed === undefined) return
    const { text, nextIndex, hasGap } = streamed
    const part: TextPart = { type: 'text', at: open.at, status: 'open', text, nextIndex, hasGap }
    const named = contentId === undefined ? part : { ...part, contentId }
    if (known !== undefined) {
      builder.replacePart(known.position, named)
      return
    }
    const position = builder.addPart(named)
    const opened: OpenText = contentId === undefined ? { position } : { contentId, position }
    const { open: items } = builder.task
    builder.changeOpen({ ...items, texts: [...items.texts, opened] })
  },

  'content-complete'(builder, { content, contentId, finishReason, metadata, timestamp }) {
    const known = openText(builder, contentId)
    const open = textPart(builder, known)
    if (open !== undefined && !open.hasGap && open.text !== content)
      reportMismatch(builder, open.text, content, contentId)
    const part: TextPart = {
      ...(open ?? emptyText(timestamp)),
      ...(contentId === undefined ? {} : { contentId }),
      text: content,
      status: 'complete',
      hasGap: false,
      ...(finishReason === undefined ? {} : { finishReason }),
      ...(metadata === undefined ? {} : { metadata }),
    }
    if (known === undefined) {
      builder.addPart(part)
      return
    }
    builder.replacePart(known.position, part)
    const { open: items } = builder.task
    builder.changeOpen({ ...items, texts: items.texts.filter((text) => text !== known) })
  },

  'thought-delta'(builder, event) {
    const { thoughtId, timestamp } = event
    const known = builder.part('thought', thoughtId)
    if (known !== undefined && known.status !== 'open') {
      const message = `thought-delta after the end of thoughtId ${describeValue(thoughtId)}.`
      builder.diagnostic('repeated', message, { id: thoughtId })
      return
    }
    const streamed = appendDelta(builder, known ?? emptyText(timestamp), event, thoughtId)
    if (streamed === undefined) return
    const { text, nextIndex, hasGap } = streamed
    const at = known?.at ?? timestamp
    const labels = known === undefined ? labelsOf(event) : commonLabels(known.labels, event)
    const part: ThoughtPart = { type: 'thought', at, thoughtId, status: 'open', text, nextIndex, hasGap }
    builder.setPart(thoughtId, labels === undefined ? part : { ...part, labels })
    if (known === undefined) builder.setOpen('thoughts', thoughtId, true)
  },

  'thought-stream'(builder, event) {
    const { thoughtId, thoughtType, verbosity, content, index, metadata, timestamp } = event
    const known = builder.part('thought', thoughtId)
    if (known?.status === 'complete') {
      const message = `Duplicate thought-stream for thoughtId ${describeValue(thoughtId)}.`
      builder.diagnostic('repeated', message, { id: thoughtId })
      return
    }
    if (known !== undefined && !known.hasGap && known.text !== content) {
      reportMismatch(builder, known.text, content, thoughtId)
    }
    const descriptor = { thoughtType, verbosity, index }
    const part: ThoughtPart = {
      type: 'thought',
      at: known?.at ?? timestamp,
      thoughtId,
      status: 'complete',
      text: content,
      nextIndex: known?.nextIndex ?? 0,
      hasGap: false,
      descriptor: metadata === undefined ? descriptor : { ...descriptor, metadata },
    }
    builder.setPart(thoughtId, part)
    builder.setOpen('thoughts', thoughtId, false)
    const { open } = builder.task
    builder.changeOpen({ ...open, nextThought: Math.max(open.nextThought, index + 1) })
  },
}

type Labels = NonNullable<ThoughtPart['labels']>

function labelsOf({ thoughtType, verbosity }: Partial<Labels>): Labels | undefined {
  return thoughtType === undefined || verbosity === undefined ? undefined : { thoughtType, verbosity }
}

/** The labels so far, if the next delta states them too. */
function commonLabels(
  known: Labels | undefined,
  { thoughtType, verbosity }: Partial<Labels>,
): Labels | undefined {
  return known?.thoughtType === thoughtType && known?.verbosity === verbosity ? known : undefined
}

function emptyText(at: string): TextPart {
  return { type: 'text', at, status: 'open', text: '', nextIndex: 0, hasGap: false }
}

/** The open text with an id, or the one without. */
function openText({ task }: ViewBuilder, contentId: string | undefined): OpenText | undefined {
  return task.open.texts.find((text) => text.contentId === contentId)
}

function textPart({ task }: ViewBuilder, open: OpenText | undefined): TextPart | undefined {
  return open === undefined ? undefined : (vectorGet(task.parts.items, open.position) as TextPart | undefined)
}

/** Reports content that differs from its joined deltas. */
function reportMismatch(builder: ViewBuilder, deltas: string, content: string, id?: string): void {
  const { length: expected } = deltas
  const { length: actual } = content
  const message = `The content (length ${actual}) differs from the joined deltas (length ${expected}).`
  builder.diagnostic('content-mismatch', message, { ...(id === undefined ? {} : { id }), expected, actual })
}
