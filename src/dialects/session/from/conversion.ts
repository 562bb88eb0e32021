/** How events of the session are converted: with a round, only within one, or always. */
import type { SessionEventName } from '../wire/names.ts'
import { ensureRound } from './round.ts'
import type { RoundWriter } from './round-writer.ts'

/** Emits the events that one event of the session maps to. */
export type Conversion = (writer: RoundWriter) => void

/** Conversions by event name. */
export type Conversions = { readonly [N in SessionEventName]?: Conversion }

/** A conversion that starts a round if none is open. */
export function inRound(convert: Conversion): Conversion {
  return (writer) => {
    ensureRound(writer)
    convert(writer)
  }
}

/** A conversion that applies only within an open round. */
export function ifOpen(convert: Conversion): Conversion {
  return (writer) => {
    if (writer.isOpen) convert(writer)
    else writer.droppedEvent('no-open-task', `Got ${writer.event.event} outside of a round.`)
  }
}
