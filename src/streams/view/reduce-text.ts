/** Folding what the model says and thinks. */

import { listAt } from '../collections/list.ts'
import type { TextPart, ThoughtPart } from './parts.ts'
import { type Draft, extended, type Folds } from './view-builder.ts'

export const textFolds: Folds<'content-delta' | 'content-complete' | 'thought-delta' | 'thought-stream'> = {
  'content-delta'(draft, event) {
    const position = draft.task.open.text
    const open = openText(draft) ?? newText(event.timestamp)
    const streamed = extended(draft, open, event)
    if (streamed === undefined) return
    const { text, next, hasGap } = streamed
    const part: TextPart = { type: 'text', at: open.at, status: 'open', text, next, hasGap }
    if (position !== undefined) draft.replacePart(position, part)
    else draft.changeOpen({ ...draft.task.open, text: draft.addPart(part) })
  },

  'content-complete'(draft, { content, finishReason, timestamp }) {
    const open = openText(draft)
    if (open !== undefined && !open.hasGap && open.text !== content) {
      draft.problem('content-mismatch', 'The content is not the deltas joined.', {
        expected: open.text.length,
        actual: content.length,
      })
    }
    const before = open ?? newText(timestamp)
    const part: TextPart = { ...before, text: content, status: 'complete', hasGap: false }
    const whole = finishReason === undefined ? part : { ...part, finishReason }
    const { text: position, ...others } = draft.task.open
    if (position === undefined) draft.addPart(whole)
    else {
      draft.replacePart(position, whole)
      draft.changeOpen(others)
    }
  },

  'thought-delta'(draft, event) {
    const { thoughtId, timestamp } = event
    const known = draft.part('thought', thoughtId)
    if (known !== undefined && known.status !== 'open') {
      draft.problem('repeated', 'A delta of a thought that is complete.', { id: thoughtId })
      return
    }
    const streamed = extended(draft, known ?? newText(timestamp), event, thoughtId)
    if (streamed === undefined) return
    const { text, next, hasGap } = streamed
    const at = known?.at ?? timestamp
    draft.setPart(thoughtId, { type: 'thought', at, thoughtId, status: 'open', text, next, hasGap })
    if (known === undefined) draft.setOpen('thoughts', thoughtId, true)
  },

  'thought-stream'(draft, event) {
    const { thoughtId, thoughtType, verbosity, content, index, metadata, timestamp } = event
    const known = draft.part('thought', thoughtId)
    if (known?.status === 'complete') {
      draft.problem('repeated', 'A thought that was there before.', { id: thoughtId })
      return
    }
    if (known !== undefined && !known.hasGap && known.text !== content) {
      draft.problem('content-mismatch', 'The thought is not its deltas joined.', {
        id: thoughtId,
        expected: known.text.length,
        actual: content.length,
      })
    }
    const about = { thoughtType, verbosity, index }
    const part: ThoughtPart = {
      type: 'thought',
      at: known?.at ?? timestamp,
      thoughtId,
      status: 'complete',
      text: content,
      next: known?.next ?? 0,
      hasGap: false,
      about: metadata === undefined ? about : { ...about, metadata },
    }
    draft.setPart(thoughtId, part)
    draft.setOpen('thoughts', thoughtId, false)
    const { open } = draft.task
    draft.changeOpen({ ...open, nextThought: Math.max(open.nextThought, index + 1) })
  },
}

function newText(at: string): TextPart {
  return { type: 'text', at, status: 'open', text: '', next: 0, hasGap: false }
}

function openText({ task }: Draft): TextPart | undefined {
  const { text } = task.open
  return text === undefined ? undefined : (listAt(task.parts.rows, text) as TextPart | undefined)
}
