/**
 * Which commands of each sender are remembered: the latest ones of a day. Whether an older one, by the timestamps of its sender, is a
 * retry is not known any more. The commands of one sender are not forgotten because another one sends many.
 */

/** What is remembered of all senders. */
export interface RetryWindows {
  /** The one that sent last comes last. */
  readonly senders: readonly RetryWindow[]
  /** The latest timestamp of what is forgotten of senders that are not here, in milliseconds. `null` if nothing is. */
  readonly forgotten: number | null
}

/** What is remembered of a sender. */
interface RetryWindow {
  readonly sender: string
  /** Not empty, the latest last. */
  readonly commands: readonly RememberedCommand[]
  /** The latest timestamp of what is forgotten, in milliseconds. `null` if nothing is. */
  readonly forgotten: number | null
}

/** Its id, when it arrived and when it was created in milliseconds, and what became of it. */
type RememberedCommand = readonly [id: string, at: number, timestamp: number, outcome: string]

/** A command of a sender. */
export interface SentCommand {
  readonly sender: string
  readonly id: string
}

export const emptyWindows: RetryWindows = { senders: [], forgotten: null }

/** For how long commands are remembered, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000

/** How many times the commands of one sender are remembered of all senders together. */
const FULL_SENDERS = 16

/** What became of a command; `undefined` if that is not remembered. */
export function outcomeOf(windows: RetryWindows, { sender, id }: SentCommand): string | undefined {
  return windowOf(windows, sender)?.commands.find((each) => each[0] === id)?.[3]
}

/** Whether a command that is not remembered may be one that is forgotten. */
export function isTooOld(windows: RetryWindows, sender: string, timestamp: number): boolean {
  const forgotten = (windowOf(windows, sender) ?? windows).forgotten
  return forgotten !== null && timestamp <= forgotten
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
  const known = windowOf(windows, sender) ?? { sender, commands: [], forgotten: windows.forgotten }
  const others = windows.senders.filter((each) => each !== known)
  const kept = withoutId(known.commands, id)
  // A clock that is ahead does not make what its sender creates later too old for longer than a day.
  const command = [id, at, Math.min(timestamp, at + DAY), outcome] as const
  const isPast = (each: RememberedCommand | undefined): boolean => each !== undefined && at - each[1] >= DAY
  let old = Math.max(0, kept.length + 1 - max)
  while (isPast(kept[old])) old++
  const window = without({ ...known, commands: kept }, old, command)
  return withinTotal({ ...windows, senders: [...others, window] }, max * FULL_SENDERS, at)
}

/** The windows without a command: it may be sent again. */
export function withoutCommand(windows: RetryWindows, { sender, id }: SentCommand, at: number): RetryWindows {
  const known = windowOf(windows, sender)
  if (known === undefined) return windows
  return replaced(windows, known, { ...known, commands: withoutId(known.commands, id) }, at)
}

function windowOf({ senders }: RetryWindows, sender: string): RetryWindow | undefined {
  return senders.find((each) => each.sender === sender)
}

function withoutId(commands: RetryWindow['commands'], id: string): RetryWindow['commands'] {
  const at = commands.findIndex((each) => each[0] === id)
  return at === -1 ? commands : commands.toSpliced(at, 1)
}

/** A window without its oldest commands, and with more. */
function without(window: RetryWindow, count: number, ...more: RememberedCommand[]): RetryWindow {
  let { forgotten } = window
  for (const [, , timestamp] of window.commands.slice(0, count)) {
    forgotten = Math.max(forgotten ?? timestamp, timestamp)
  }
  return { ...window, commands: [...window.commands.slice(count), ...more], forgotten }
}

/** The windows without the oldest command of who has sent most, if there are too many. */
function withinTotal(windows: RetryWindows, max: number, at: number): RetryWindows {
  const { senders } = windows
  const total = senders.reduce((sum, { commands }) => sum + commands.length, 0)
  if (total <= max) return windows
  const largest = senders.reduce((a, b) => (b.commands.length > a.commands.length ? b : a))
  return replaced(windows, largest, without(largest, 1), at)
}

/** The windows with one in place of another; without it if nothing of its sender is remembered. */
function replaced(
  windows: RetryWindows,
  { sender }: RetryWindow,
  { commands, forgotten, ...rest }: RetryWindow,
  at: number,
): RetryWindows {
  if (commands.length > 0) {
    const window = { ...rest, commands, forgotten }
    return { ...windows, senders: windows.senders.map((each) => (each.sender === sender ? window : each)) }
  }
  // The clock of one sender makes no command of another too old.
  const latest = forgotten === null ? null : Math.min(forgotten, at)
  return {
    senders: windows.senders.filter((each) => each.sender !== sender),
    forgotten: latest === null ? windows.forgotten : Math.max(windows.forgotten ?? latest, latest),
  }
}
