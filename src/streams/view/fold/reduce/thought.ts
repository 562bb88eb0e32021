/** Folding thoughts. */

import type { Mutable } from '../../../../core/mutable.ts'
import { describeValue } from '../../../../core/require.ts'
import type { ThoughtDeltaEvent } from '../../../../events/thought.ts'
import type { Audience } from '../../../access/audience.ts'
import { commonAudience, labelOf, withoutLabel } from '../../audience-label.ts'
import type { ThoughtPart } from '../../parts.ts'
import type { Reducers } from '../view-builder.ts'
import { additionOf, reportMismatch } from './deltas.ts'

export const thoughtReducers: Reducers<'thought-delta' | 'thought-stream'> = {
  'thought-delta'(builder, event) {
    const { parts } = builder.task
    const { thoughtId, timestamp } = event
    const position = parts.find('thought', thoughtId)
    const known = parts.at('thought', position)
    if (known !== undefined && known.status !== 'open') {
      const message = `thought-delta after the end of thoughtId ${describeValue(thoughtId)}.`
      builder.diagnostic('repeated', message, { id: thoughtId })
      return
    }
    const added = additionOf(builder, known?.nextIndex ?? 0, event, thoughtId)
    if (added === undefined) return
    const audience = commonAudience(known?.audience, labelOf(event))
    const { iteration } = known ?? event
    const text = known === undefined ? added.text : known.text + added.text
    const part = thoughtPart(known?.at ?? timestamp, 'open', audience, thoughtId, iteration, text)
    const { thoughtType, verbosity } = event
    if (thoughtType !== undefined && verbosity !== undefined && hasLabels(known, event)) {
      part.thoughtType = thoughtType
      part.verbosity = verbosity
    }
    part.nextIndex = added.nextIndex
    if (added.isGap || known?.hasGap) part.hasGap = true
    parts.put(position, part)
  },

  'thought-stream'(builder, event) {
    const { parts } = builder.task
    const { thoughtId, content, timestamp } = event
    const position = parts.find('thought', thoughtId)
    const known = parts.at('thought', position)
    if (known?.status === 'complete') {
      const message = `Duplicate thought-stream for thoughtId ${describeValue(thoughtId)}.`
      builder.diagnostic('repeated', message, { id: thoughtId })
      return
    }
    if (known !== undefined && !known.hasGap && known.text !== content) {
      reportMismatch(builder, known.text, content, thoughtId)
    }
    const audience = commonAudience(known?.audience, labelOf(event))
    const { iteration } = known ?? event
    const part = thoughtPart(known?.at ?? timestamp, 'complete', audience, thoughtId, iteration, content)
    part.thoughtType = event.thoughtType
    part.verbosity = event.verbosity
    part.index = event.index
    const metadata = withoutLabel(event.metadata)
    if (metadata !== undefined) part.metadata = metadata
    parts.put(position, part)
  },
}

/** Whether all deltas so far state the same type and verbosity as the next one. */
function hasLabels(known: ThoughtPart | undefined, { thoughtType, verbosity }: ThoughtDeltaEvent): boolean {
  return known === undefined || (known.thoughtType === thoughtType && known.verbosity === verbosity)
}

function thoughtPart(
  at: string,
  status: ThoughtPart['status'],
  audience: readonly Audience[] | undefined,
  thoughtId: string,
  iteration: number | undefined,
  text: string,
): Mutable<ThoughtPart> {
  const part = { type: 'thought', at, status } as Mutable<ThoughtPart>
  if (audience !== undefined) part.audience = audience
  part.thoughtId = thoughtId
  if (iteration !== undefined) part.iteration = iteration
  part.text = text
  return part
}
