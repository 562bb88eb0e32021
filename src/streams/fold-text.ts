/** Folding what the model says and thinks. */
import { type Draft, extended, type Folds } from './fold-draft.ts'
import { listAt } from './view-list.ts'
import type { TextPart, ThoughtPart } from './view-parts.ts'

export const textFolds: Folds<'content-delta' | 'content-complete' | 'thought-delta' | 'thought-stream'> = {
  'content-delta'(draft, event) {
    const position = draft.task.open.text
    const open = openText(draft)
    const before: TextPart = open ?? { type: 'text', at: event.timestamp, status: 'open', text: '', next: 0 }
    const part = extended(draft, before, event)
    if (part === undefined) return
    if (position === undefined) {
      const text = draft.addPart(part)
      draft.changeOpen({ ...draft.task.open, text })
    } else draft.replacePart(position, part)
  },

  'content-complete'(draft, { content, finishReason, timestamp }) {
    const open = openText(draft)
    if (open !== undefined && open.hasGap === undefined && open.text !== content) {
      draft.problem('content-mismatch', 'The content is not the deltas joined.', {
        expected: open.text.length,
        actual: content.length,
      })
    }
    const before = open ?? { type: 'text', at: timestamp, next: 0 }
    const { hasGap: _, ...rest } = before as TextPart
    const part: TextPart = { ...rest, text: content, status: 'complete' }
    const whole = finishReason === undefined ? part : { ...part, finishReason }
    const { text: position, ...open_ } = draft.task.open
    if (position === undefined) draft.addPart(whole)
    else {
      draft.replacePart(position, whole)
      draft.changeOpen(open_)
    }
  },

  'thought-delta'(draft, event) {
    const { thoughtId, timestamp: at } = event
    const known = draft.part('thought', thoughtId)
    if (known !== undefined && known.status !== 'open') {
      draft.problem('repeated', 'A delta of a thought that is complete.', { id: thoughtId })
      return
    }
    const fresh: ThoughtPart = { type: 'thought', at, thoughtId, status: 'open', text: '', next: 0 }
    const part = extended(draft, known ?? fresh, event, thoughtId)
    if (part === undefined) return
    draft.setPart(thoughtId, part)
    if (known === undefined) draft.setOpen('thoughts', thoughtId, true)
  },

  'thought-stream'(draft, event) {
    const { thoughtId, thoughtType, verbosity, content, index, metadata, timestamp } = event
    const known = draft.part('thought', thoughtId)
    if (known?.status === 'complete') {
      draft.problem('repeated', 'A thought that was there before.', { id: thoughtId })
      return
    }
    if (known !== undefined && known.hasGap === undefined && known.text !== content) {
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
      about: metadata === undefined ? about : { ...about, metadata },
    }
    draft.setPart(thoughtId, part)
    draft.setOpen('thoughts', thoughtId, false)
    const { open } = draft.task
    draft.changeOpen({ ...open, nextThought: Math.max(open.nextThought, index + 1) })
  },
}

function openText({ task }: Draft): TextPart | undefined {
  const { text } = task.open
  return text === undefined ? undefined : (listAt(task.parts.rows, text) as TextPart | undefined)
}
