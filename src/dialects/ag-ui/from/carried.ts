/** Reads the extension: runs whose events are carried whole. */

import { decodeEvent } from '../../../events/decode.ts'
import { isFields } from '../../../validation/predicates.ts'
import { CARRIED } from '../wire/extension.ts'
import type { AgUiEvent } from '../wire/types/index.ts'
import type { RunWriter } from './state.ts'

/** Reads an event of an extended run. Those of AG-UI itself repeat what the carried ones state. */
export function readExtended(writer: RunWriter, event: AgUiEvent): void {
  const { run } = writer.state
  if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') {
    if (run !== null) writer.state.run = { ...run, phase: 'ended' }
    return
  }
  if (event.type !== 'CUSTOM' || !event.name.startsWith(CARRIED)) return
  const { contextId } = writer.options
  const { value } = event
  const carried = contextId !== undefined && isFields(value) ? { ...value, contextId } : value
  const decoded = decodeEvent(carried)
  if (decoded.status === 'known') writer.emit(decoded.event)
  else
    writer.dropped(
      event.type,
      'invalid-content',
      'Expected a valid event of a known kind, got another value.',
    )
}
