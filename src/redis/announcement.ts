/** The messages about a stream: how the script sends them, and how readers understand them. */

/** A message about a stream: the events of one batch, or only that there are some. */
export interface Announcement {
  readonly epoch: string
  /** The `seq` of the first event. */
  readonly first: number
  readonly next: number
  readonly closed: boolean
  /** The events as JSON. Omitted if they are too large for a message. */
  readonly events?: readonly string[]
}

/**
 * Sends messages. A cluster carries those of `SPUBLISH` on the node of the stream alone, and those of `PUBLISH` on all nodes. A
 * message without content shows its sender that messages come; that of a stream which another process of Redis has now is for all.
 */
export const ANNOUNCE = `
local function send(message)
  -- A user of Redis may lack the right to the channel: the events are in the stream all the same.
  redis.pcall(isCluster and 'SPUBLISH' or 'PUBLISH', channel, message)
end

local function reportMove()
  if isCluster then redis.pcall('PUBLISH', channel:match('^[^{]*') .. 'moves', channel) end
end

local function announce(first, events)
  local size = 0
  for _, event in ipairs(events) do size = size + #event end
  local content = size <= 32768 and table.concat(events, '\\n') or ''
  send(table.concat({meta.epoch, text(first), text(next), meta.closed or '0', content}, '\\n'))
end
`

/** The channel on which a cluster names the channels of streams that another process of Redis has now. */
export function movesOf(channel: string): string {
  return `${channel.slice(0, channel.indexOf('{'))}moves`
}

export function parseAnnouncement(message: string): Announcement {
  const [epoch = '', first, next, closed, ...events] = message.split('\n')
  const [start, end] = [Number(first), Number(next)]
  return {
    epoch,
    first: start,
    next: end,
    closed: closed === '1',
    ...contentOf(end - start, events),
  }
}

function contentOf(count: number, events: readonly string[]): Pick<Announcement, 'events'> {
  if (count === 0) return { events: [] }
  return events.length === count && events[0] !== '' ? { events } : {}
}
