/** Events of the core vocabulary: as turnstream writes them, and as older servers do. */

import type { Machine, Step } from '../../core/machine.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import { fromLooopy } from '../../dialects/looopy/from/from-looopy.ts'
import { decodeEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { type Fields, isFields } from '../../validation/predicates.ts'
import type { RecordedValue } from '../recording/recorded.ts'
import { type EventReader, machineReader } from './event-reader.ts'

/** Reads events. Those that state their kind in the SSE message are read as Looopy. */
export function coreReader(): EventReader {
  return machineReader(
    () => machine(),
    (recorded: RecordedValue) => recorded,
  )
}

type State = { readonly older: unknown }

function machine(): Machine<State, RecordedValue, ContextAnyEvent, never> {
  const looopy = fromLooopy({ showErrors: true })
  return {
    initial: { older: looopy.initial },
    step(state, { value, event = '', id = '' }) {
      if (isStreamMessage(value)) return readStreamMessage(state, value)
      const builder = new StepBuilder<State, ContextAnyEvent>(state)
      const decoded = decodeEvent(value)
      if (decoded.status === 'known') {
        builder.emit(decoded.event)
        return builder.done()
      }
      if (event !== '' && isFields(value) && value.kind === undefined) {
        const { state: older, ...step } = looopy.step(state.older as typeof looopy.initial, {
          event,
          data: JSON.stringify(value),
          id,
        })
        return { ...step, state: { older } }
      }
      if (decoded.status === 'invalid') builder.invalid(decoded.issues)
      else
        builder.dropped(
          decoded.kind,
          'unknown-kind',
          `Expected a known event kind, got ${JSON.stringify(decoded.kind)}.`,
        )
      return builder.done()
    },
    end: (state) => ({ state, out: [] }),
  }
}

/** Whether a value is a message of the stream about itself. */
function isStreamMessage(value: unknown): value is Fields {
  return (
    isFields(value) &&
    value.kind === undefined &&
    ['reset', 'forgotten', 'loss', 'closed'].includes(String(value.type))
  )
}

/** Of the messages of a stream about itself, only resets hold events. */
function readStreamMessage(
  state: State,
  { type, loss, tasks, events }: Fields,
): Step<State, ContextAnyEvent> {
  const builder = new StepBuilder<State, ContextAnyEvent>(state)
  if (type === 'loss') {
    builder.diagnostic('gap', 'The server left out events that the reader was too slow for.', {
      detail: loss,
    })
  }
  if (type === 'forgotten')
    builder.diagnostic('gap', 'The server no longer has some tasks.', { detail: tasks })
  for (const each of Array.isArray(events) ? events : []) {
    const decoded = decodeEvent(each)
    if (decoded.status === 'known') builder.emit(decoded.event)
    else if (decoded.status === 'invalid') builder.invalid(decoded.issues)
  }
  return builder.done()
}
