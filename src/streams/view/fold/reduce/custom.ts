/** Folding custom events. */

import type { Mutable } from '../../../../core/mutable.ts'
import type { CustomEvent } from '../../../../events/custom.ts'
import type { ContextEvent } from '../../../../events/event.ts'
import { commonAudience, labelOf, withoutLabel } from '../../audience-label.ts'
import type { CustomPart } from '../../parts.ts'
import type { Reducers } from '../view-builder.ts'

export const customReducers: Reducers<'custom'> = {
  custom(builder, event: ContextEvent<CustomEvent>) {
    const { name, data, customId, transient, timestamp } = event
    if (transient === true) return
    const { parts } = builder.task
    const position = customId === undefined ? -1 : parts.find('custom', customId)
    const known = parts.at('custom', position)
    const part = { type: 'custom', at: known?.at ?? timestamp, status: 'complete' } as Mutable<CustomPart>
    const audience = commonAudience(known?.audience, labelOf(event))
    if (audience !== undefined) part.audience = audience
    part.name = name
    if (customId !== undefined) part.customId = customId
    part.data = data
    const metadata = withoutLabel(event.metadata)
    if (metadata !== undefined) part.metadata = metadata
    parts.put(position, part)
  },
}
