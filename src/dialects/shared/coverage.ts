/** How much of an event a mapper keeps. */

import type { EventKind } from '../../events/event.ts'
import { eventKinds } from '../../events/kinds.ts'

/**
 * How much of an event survives mapping to another format:
 *
 * - `full`: all of its own fields
 * - `partial`: some of its fields, or only some events of its kind
 * - `omitted`: nothing; the event is dropped
 */
export type Coverage = 'full' | 'partial' | 'omitted'

/**
 * The fields of each kind that a mapper loses: `[]` if it keeps all. It drops every event of a kind that has no row.
 *
 * - `metadata`: all of it; `metadata.signature`: one key; `metadata.*`: the keys that the schema does not name
 * - `*`: some events of the kind are dropped, each with a diagnostic
 * - `?field`: the field is lost of some events, of which the mapper reports it; the others are lost whenever they occur
 * - `~field`: it numbers, dates or places its event, which no page of the format shows: lost without a report
 */
export type LossTable = Readonly<Partial<Record<EventKind, readonly string[]>>>

/** The names of a run of AG-UI, as its reader keeps them in the status that continues the task. */
export const ofRuns = ['~metadata.runId', '~metadata.protocolVersion'] as const

/** What a {@link LossTable} states. */
export interface Losses {
  /** How much of each kind is kept: `full` for `[]`, `omitted` without a row, `partial` for the others. */
  readonly coverage: Readonly<Record<EventKind, Coverage>>
  /** The lost fields of each kind, with those that every kind loses. Empty for a kind that is dropped. */
  readonly losses: Readonly<Record<EventKind, readonly string[]>>
}

/**
 * Coverage and losses from one table.
 *
 * @param common - Fields that every kind loses, such as `path`. They do not make a kind `partial`.
 */
export function defineCoverage(table: LossTable, common: readonly string[] = []): Losses {
  const entriesOf = <T>(of: (lost: readonly string[] | undefined) => T): Record<EventKind, T> =>
    Object.fromEntries(eventKinds.map((kind) => [kind, of(table[kind])])) as Record<EventKind, T>
  return {
    coverage: entriesOf((lost) => (lost === undefined ? 'omitted' : lost.length === 0 ? 'full' : 'partial')),
    losses: entriesOf((lost) =>
      lost ? [...lost.map((field) => field.replace(/^[?~]/, '')), ...common] : [],
    ),
  }
}
