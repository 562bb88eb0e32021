/** Rows of the timeline: tasks as a tree, and what happened in them. */
import type { Family } from './family.ts'

/** How far what a row shows has come. */
export type RowStatus = 'open' | 'waiting' | 'done' | 'failed' | 'canceled' | 'ended'

/** A time without events, of at least {@link GAP_MS}. */
export interface Gap {
  /** Index of the event after the gap. The gap begins at the event before it. */
  readonly index: number
  /** Milliseconds of the recording. */
  readonly fromMs: number
  readonly toMs: number
}

/** One row. It grows while events are added. */
export interface Row {
  readonly family: Family
  /** What it is, such as `get_weather`. Not trusted: text of the recording. */
  label: string
  /** Its id in the recording. */
  readonly id: string
  parent: Row | undefined
  readonly children: Row[]
  /** Index of its first event. */
  readonly first: number
  /** Index of its last event. */
  last: number
  /** Number of its own events. */
  count: number
  status: RowStatus
  /** Index of the event at which a tool call began to run; before it, the model wrote the arguments. */
  runsFrom?: number
  /** How long a tool call ran, in milliseconds. Omitted before its end, and if unknown. */
  ranMs?: number
  /** Index of the first event that holds output of the model. Of tasks only. */
  firstToken?: number
  /** The tokens that the last of its events with any states. Omitted if none does. */
  tokens?: { readonly input: number; readonly output: number }
  /** Times without events in the task and its subtasks. Of tasks only. */
  readonly gaps: Gap[]
  /** The most severe of its problems. Omitted if it has none. */
  severity?: 'error' | 'warn'
  /** Indexes of its events with problems, in order. */
  readonly problems: number[]
}

/** The shortest time without events that is a gap, in milliseconds. */
export const GAP_MS = 1000

export function createRow(family: Family, id: string, label: string, index: number): Row {
  return {
    family,
    id,
    label,
    parent: undefined,
    children: [],
    first: index,
    last: index,
    count: 0,
    status: 'open',
    gaps: [],
    problems: [],
  }
}

/** A row that is shown, and where. */
export interface VisibleRow {
  readonly row: Row
  /** From 1. */
  readonly level: number
  /** Position among its siblings, from 1. */
  readonly position: number
  /** Number of siblings, itself included. */
  readonly siblings: number
}

/** The rows to show, parents before their children, without what is below a collapsed row. */
export function visibleRows(roots: readonly Row[], collapsed: ReadonlySet<Row>): VisibleRow[] {
  const visible: VisibleRow[] = []
  const open: VisibleRow[] = siblings(roots, 1)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visible.push(next)
    if (!collapsed.has(next.row))
      for (const child of siblings(next.row.children, next.level + 1)) open.push(child)
  }
  return visible
}

/** Siblings, the last one first. */
function siblings(rows: readonly Row[], level: number): VisibleRow[] {
  return rows.map((row, i) => ({ row, level, position: i + 1, siblings: rows.length })).reverse()
}
