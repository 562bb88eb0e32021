/** An interaction that is not streamed. */

import { type Fields, objectsOf } from '../shared/fields.ts'

/** The chunks that a stream would have; `undefined` of anything but an interaction. */
export function chunksOfWhole(value: Fields): Fields[] | undefined {
  const { steps, outputs = steps } = value
  if (value.object !== 'interaction' && !Array.isArray(outputs)) return undefined
  const content = objectsOf(outputs).flatMap((item, index): Fields[] => {
    // Earlier versions list the content of steps.
    const isStep = /_(output|call|result)$|^thought$/.test(String(item.type))
    const step = isStep ? item : { type: 'model_output', content: [item] }
    return [
      { event_type: 'step.start', index, step },
      { event_type: 'step.stop', index },
    ]
  })
  return [
    { event_type: 'interaction.created', interaction: value },
    ...content,
    { event_type: 'interaction.completed', interaction: value },
  ]
}
