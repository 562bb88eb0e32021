/** The events that the extension carries: held back for the next update, and logged for snapshots. */

import { setMember } from '../../../core/mutable.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { cleanJson } from '../../../json/sanitize.ts'
import { toTaskExtension } from '../wire/extension.ts'
import type { ExtensionState } from './state.ts'

/** The log is cut to its last characters, at a line, when it is twice as long. */
const LOG_LENGTH = 1024 * 1024

/** A log of at most so many characters is part of every task. */
const SHORT_LOG = 32 * 1024

/** A longer one is part of a task if at least this share of it is new, so that all tasks together have linear size. */
const NEW_SHARE = 1 / 16

/** A copy of an event that JSON can represent. Reports the fields that differ. */
export function cleanEvent(event: ContextAnyEvent, onChange: (field: string) => void): ContextAnyEvent {
  const copy: Record<string, unknown> = {}
  let changed = ''
  let field = ''
  const mark = (): void => {
    if (changed !== field) onChange(field)
    changed = field
  }
  for (field of Object.keys(event)) {
    const value = (event as unknown as Readonly<Record<string, unknown>>)[field]
    const clean = cleanJson(value, mark)
    if (clean !== undefined) setMember(copy, field, clean)
  }
  return copy as unknown as ContextAnyEvent
}

/** Gives an event its number. The next update carries it. */
export function holdEvent(
  { next, held, log, unrepeated }: ExtensionState,
  event: ContextAnyEvent,
): ExtensionState {
  const line = JSON.stringify(event)
  const all = log === '' ? line : `${log}\n${line}`
  return {
    next: next + 1,
    held: [...held, event],
    log: all.length > 2 * LOG_LENGTH ? lastLines(all, held.length + 1) : all,
    unrepeated: unrepeated + line.length,
  }
}

/** The state after an update has carried the events held back. */
export function takeHeld(extension: ExtensionState): ExtensionState {
  return extension.held.length === 0 ? extension : { ...extension, held: [] }
}

/** Whether a task that begins a stream repeats the log. Otherwise it has only the events held back. */
export function repeatsLog({ log, unrepeated }: ExtensionState): boolean {
  return log.length <= SHORT_LOG || unrepeated >= log.length * NEW_SHARE
}

/** Metadata of a task: the last events written for it, or those held back. */
export function taskExtension({ next, held, log }: ExtensionState, isWhole: boolean): Metadata {
  if (!isWhole) return toTaskExtension(next, structuredClone(held))
  const lines = log === '' ? [] : log.split('\n')
  return toTaskExtension(
    next,
    lines.map((line) => JSON.parse(line) as ContextAnyEvent),
  )
}

/** The last lines that fit, and at least `count` of them. */
function lastLines(text: string, count: number): string {
  const lines = text.split('\n')
  let from = lines.length
  let length = 0
  while (from > 0 && (lines.length - from < count || length <= LOG_LENGTH)) {
    from--
    length += (lines[from]?.length ?? 0) + 1
  }
  return lines.slice(from).join('\n')
}
