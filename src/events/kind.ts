/** How the library handles the events of a kind: types of the data that each kind states. */

/**
 * The role of someone who reads a stream:
 *
 * - `user`: the person the task is done for
 * - `coordinator`: the agent that answers on behalf of the user where allowed
 * - `parent`: the agent that spawned the task
 * - `observer`: anyone who watches without taking part
 * - `operator`: whoever runs the agents
 */
export type Audience = 'user' | 'coordinator' | 'parent' | 'observer' | 'operator'

/** What is hidden from which audience, for one kind. Operators see everything. */
export interface Redaction {
  /** Audiences that do not get events of this kind. */
  readonly hidden?: readonly Exclude<Audience, 'operator'>[]
  /** Audiences from which a field is removed, by JSON pointer. */
  readonly removed?: Readonly<Record<string, readonly Exclude<Audience, 'operator'>[]>>
}

/** How events of one kind may be reduced for a reader that is behind. */
export interface BackpressureRule {
  /**
   * How adjacent events may be merged: `append` if each one extends the one before, `replace` if it
   * supersedes it. Omitted: never merged.
   */
  readonly merge?: 'append' | 'replace'
  /** Set if they may be dropped; the batch then counts them. Omitted: never dropped. */
  readonly drop?: true
}

/** A series of events that are numbered by `index`, each task on its own. */
export interface Series<Field extends string = string> {
  /** Kinds with the same name share their numbers. */
  readonly name: string
  /** The field with the id of the series. Omitted: the task has one series of this name at a time. */
  readonly key?: Field
}

/** A series whose events may end it. */
export interface NumberedSeries<Field extends string = string> extends Series<Field> {
  /** The field that is true in the last event. Omitted: an event of another kind ends the series, or none. */
  readonly until?: Field
}
