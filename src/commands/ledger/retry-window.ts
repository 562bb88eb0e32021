/**
 * Which commands of each sender are remembered: the latest ones of a day, by the timestamps of their sender. Whether an older one is a
 * retry is not known any more. The commands of one sender are not forgotten because another one sends many.
 */

import {
  emptyTrie,
  type HashTrie,
  hashOf,
  trieDelete,
  trieEntries,
  trieGet,
  trieSet,
} from '../../core/bounded-map/hash-trie.ts'

/** What is remembered of all senders. */
export interface RetryWindows {
  /** By `sender`. */
  readonly senders: HashTrie<RetryWindow>
  /** How many commands are remembered. */
  readonly size: number
  /** What is forgotten of senders that are not here. */
  readonly forgotten: Forgotten
}

/** What is remembered of a sender. */
interface RetryWindow {
  readonly sender: string
  /** Not empty, the latest timestamp last. */
  readonly commands: readonly RememberedCommand[]
  /** What became of them, by their ids. */
  readonly outcomes: HashTrie<string>
  readonly forgotten: Forgotten
}

/** Its id, when it arrived and when it was created, in milliseconds. */
type RememberedCommand = readonly [id: string, at: number, timestamp: number]

/** Everything that was created before `time`, in milliseconds, and some of what was created then. */
interface Forgotten {
  /** `null` if nothing is. */
  readonly time: number | null
  /** The ids of those that were created at `time`. `null`: any may be. */
  readonly ids: readonly string[] | null
}

/** A command of a sender. */
export interface SentCommand {
  readonly sender: string
  readonly id: string
}

const nothing: Forgotten = { time: null, ids: [] }

export const emptyWindows: RetryWindows = { senders: emptyTrie, size: 0, forgotten: nothing }

/** For how long commands are remembered, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000

/** How many times the commands of one sender are remembered of all senders together. */
const FULL_SENDERS = 16

/** How many commands of one millisecond may be forgotten before new ones of it count as forgotten. */
const MAX_AT_ONCE = 64

/** What became of a command; `undefined` if that is not remembered. */
export function outcomeOf(windows: RetryWindows, { sender, id }: SentCommand): string | undefined {
  const window = windowOf(windows, sender)
  return window && trieGet(window.outcomes, id, hashOf(id))
}

/** Whether a command that is not remembered may be one that is forgotten. */
export function isTooOld(windows: RetryWindows, { sender, id }: SentCommand, timestamp: number): boolean {
  const window = windowOf(windows, sender)
  const { time, ids } = (window ?? windows).forgotten
  if (time === null || timestamp > time) return false
  // Of its millisecond, some may be forgotten and some not.
  return timestamp < time || timestamp !== window?.commands[0]?.[2] || ids === null || ids.includes(id)
}

/**
 * The windows with a command.
 *
 * @param max - How many commands of a sender are remembered.
 */
export function withCommand(
  windows: RetryWindows,
  { sender, id }: SentCommand,
  { at, timestamp, outcome }: { at: number; timestamp: number; outcome: string },
  max: number,
): RetryWindows {
  const { forgotten } = windows
  const known = windowOf(windows, sender) ?? { sender, commands: [], outcomes: emptyTrie, forgotten }
  const kept = withoutId(known, id)
  // A clock that is ahead does not make what its sender creates later too old for longer than a day.
  const command = [id, at, Math.min(timestamp, at + DAY)] as const
  const place = kept.commands.findLastIndex((each) => each[2] <= command[2]) + 1
  const commands = kept.commands.toSpliced(place, 0, command)
  const isPast = (each: RememberedCommand | undefined): boolean => each !== undefined && at - each[1] >= DAY
  let old = Math.max(0, commands.length - max)
  while (isPast(commands[old])) old++
  const outcomes = trieSet(kept.outcomes, id, hashOf(id), outcome)
  const window = withoutOldest({ ...kept, commands, outcomes }, old)
  return withinTotal(replaced(windows, known, window, at), max * FULL_SENDERS, at)
}

/** The windows without a command: it may be sent again. */
export function withoutCommand(windows: RetryWindows, { sender, id }: SentCommand, at: number): RetryWindows {
  const known = windowOf(windows, sender)
  return known === undefined ? windows : replaced(windows, known, withoutId(known, id), at)
}

function windowOf({ senders }: RetryWindows, sender: string): RetryWindow | undefined {
  return trieGet(senders, sender, hashOf(sender))
}

function withoutId(window: RetryWindow, id: string): RetryWindow {
  const hash = hashOf(id)
  if (trieGet(window.outcomes, id, hash) === undefined) return window
  const at = window.commands.findIndex((each) => each[0] === id)
  const outcomes = trieDelete(window.outcomes, id, hash)
  return { ...window, commands: window.commands.toSpliced(at, 1), outcomes }
}

/** A window without its oldest commands. */
function withoutOldest(window: RetryWindow, count: number): RetryWindow {
  let { forgotten, outcomes } = window
  for (const [id, , time] of window.commands.slice(0, count)) {
    forgotten = latestOf(forgotten, { time, ids: [id] })
    outcomes = trieDelete(outcomes, id, hashOf(id))
  }
  return { ...window, commands: window.commands.slice(count), outcomes, forgotten }
}

/** What is forgotten, of two parts. */
function latestOf(a: Forgotten, b: Forgotten): Forgotten {
  if (b.time === null || (a.time !== null && a.time > b.time)) return a
  if (a.time === null || a.time < b.time) return b
  const ids = a.ids === null || b.ids === null ? null : [...a.ids, ...b.ids]
  return { time: a.time, ids: ids === null || ids.length > MAX_AT_ONCE ? null : ids }
}

/**
 * The windows without the oldest commands of those who have sent most, if there are too many. A sixteenth at once: looking for them takes
 * longer than all else.
 */
function withinTotal(windows: RetryWindows, max: number, at: number): RetryWindows {
  if (windows.size <= max) return windows
  const largest = Array.from(trieEntries(windows.senders), ([, window]) => window).sort(
    (a, b) => b.commands.length - a.commands.length || arrivalIn(a) - arrivalIn(b),
  )
  let left = windows
  for (const window of largest) {
    if (left.size <= max - max / 16) break
    left = replaced(left, window, withoutOldest(window, Math.ceil(window.commands.length / 16)), at)
  }
  return left
}

/** When the latest command of a window arrived. */
function arrivalIn({ commands }: RetryWindow): number {
  return commands.at(-1)?.[1] ?? 0
}

/** The windows with one in place of another; without it if nothing of its sender is remembered. */
function replaced(windows: RetryWindows, known: RetryWindow, window: RetryWindow, at: number): RetryWindows {
  const { sender, commands, forgotten } = window
  const size = windows.size + commands.length - known.commands.length
  const hash = hashOf(sender)
  if (commands.length > 0)
    return { ...windows, size, senders: trieSet(windows.senders, sender, hash, window) }
  // The clock of one sender makes no command of another too old.
  const isAhead = forgotten.time !== null && forgotten.time > at
  return {
    senders: trieDelete(windows.senders, sender, hash),
    size,
    forgotten: latestOf(windows.forgotten, isAhead ? { time: at, ids: null } : forgotten),
  }
}
