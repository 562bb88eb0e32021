/** Lifecycles, as tables: in which phases of an item an event may come, and what the item is after it. */

/** The lifecycle of one or several types of items. */
export interface Lifecycle<Kind extends string, Phase extends string, Name extends string> {
  /** The phases of an item. The first is that of an item of which nothing was seen. */
  readonly phases: readonly Phase[]
  /** For each event, by phase: the phase after it, or the rule that it breaks. */
  readonly events: Readonly<Record<Kind, readonly (Phase | Name)[]>>
}

/**
 * The phase of an item after an event. `undefined` if the event breaks a rule, with which `report` is called.
 *
 * @param unseen - A later phase that the item may be in without its earlier events having been seen. Omitted: none.
 */
export function phaseAfter<Kind extends string, Phase extends string, Name extends string>(
  { phases, events }: Lifecycle<Kind, Phase, Name>,
  kind: Kind,
  phase: Phase,
  report: (rule: Name) => void,
  unseen: Phase = phase,
): Phase | undefined {
  const row = events[kind]
  const next = row[phases.indexOf(phase)] as Phase | Name
  if (phases.includes(next as Phase)) return next as Phase
  const later = phases.indexOf(unseen)
  const assumed = row[later] as Phase
  if (later > phases.indexOf(phase) && phases.includes(assumed)) return assumed
  report(next as Name)
  return undefined
}
