/** Folding custom events. */

import type { CustomEvent } from '../../events/custom.ts'
import type { ContextEvent } from '../../events/event.ts'
import type { CustomPart } from './parts.ts'
import type { Reducers } from './view-builder.ts'

export const customReducers: Reducers<'custom'> = {
  custom(builder, event: ContextEvent<CustomEvent>) {
    const { name, data, customId, transient, timestamp, metadata } = event
    if (transient === true) return
    const known = customId === undefined ? undefined : builder.part('custom', customId)
    const part = {
      type: 'custom',
      at: known?.at ?? timestamp,
      name,
      data,
      ...(customId === undefined ? {} : { customId }),
      ...(metadata === undefined ? {} : { metadata }),
    } as CustomPart
    if (customId === undefined) builder.addPart(part)
    else builder.setPart(customId, part)
  },
}
