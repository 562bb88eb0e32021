/** Wakes the waiting readers of a process: one connection for all streams of a client. */
import type { RedisCommands, RedisSubscriber, SubscriberListener } from './client.ts'

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

/** The subscription of one reader to one stream. */
export interface Subscription {
  /** Resolves when messages come. Resolves to `false` if they cannot: ask from time to time. */
  readonly ready: Promise<boolean>
  /** Recent messages, oldest first. Empty after the connection broke: read from Redis. */
  recent(): readonly Announcement[]
  /**
   * Resolves to `true` at the next message or when the connection was restored; to `false` after `ms`, or if the signal
   * is aborted.
   */
  change(ms: number, signal: AbortSignal | undefined): Promise<boolean>
  /** Ends the subscription. */
  end(): void
}

/** How long a channel stays subscribed without a reader: readers come back after each batch. */
const LINGER_MS = 1000
/** Pauses between attempts to open a connection. */
const RETRY_MS = 500
/** How many characters of messages are kept per stream. */
const MAX_RECENT = 65_536

interface Channel {
  readers: number
  ready: Promise<boolean>
  recent: Announcement[]
  size: number
  readonly waiting: Set<() => void>
  linger: unknown
}

const hubs = new WeakMap<object, Hub>()

/** Subscribes a reader to a channel, over the connection that all readers of the client share. */
export function subscribe(client: object, commands: RedisCommands, channel: string): Subscription {
  let hub = hubs.get(client)
  if (hub === undefined) {
    hub = new Hub(commands)
    hubs.set(client, hub)
  }
  return hub.subscribe(channel)
}

class Hub {
  private readonly commands: RedisCommands
  private readonly channels = new Map<string, Channel>()
  private subscriber: Promise<RedisSubscriber> | undefined

  constructor(commands: RedisCommands) {
    this.commands = commands
  }

  subscribe(name: string): Subscription {
    let channel = this.channels.get(name)
    if (channel === undefined) {
      channel = {
        readers: 0,
        ready: this.start(name),
        recent: [],
        size: 0,
        waiting: new Set(),
        linger: undefined,
      }
      this.channels.set(name, channel)
    }
    const own = channel
    own.readers++
    clearTimeout(own.linger as number | undefined)
    return {
      get ready() {
        return own.ready
      },
      recent: () => own.recent,
      change: (ms, signal) =>
        new Promise((resolve) => {
          const finish = (isChanged: boolean): void => {
            own.waiting.delete(wake)
            clearTimeout(timer)
            signal?.removeEventListener('abort', stop)
            resolve(isChanged)
          }
          const wake = (): void => finish(true)
          const stop = (): void => finish(false)
          const timer = setTimeout(stop, ms)
          own.waiting.add(wake)
          signal?.addEventListener('abort', stop)
          if (signal?.aborted === true) stop()
        }),
      end: () => {
        own.readers--
        if (own.readers === 0) own.linger = setTimeout(() => this.stop(name, own), LINGER_MS)
      },
    }
  }

  private async start(name: string): Promise<boolean> {
    if (this.commands.openSubscriber === undefined) return false
    try {
      await (await this.connection()).subscribe(name)
      return true
    } catch {
      return false
    }
  }

  private stop(name: string, channel: Channel): void {
    if (channel.readers > 0 || this.channels.get(name) !== channel) return
    this.channels.delete(name)
    const subscriber = this.subscriber
    if (this.channels.size === 0) this.subscriber = undefined
    subscriber
      ?.then((open) => (this.subscriber === undefined ? open.close() : open.unsubscribe(name)))
      .catch(() => undefined)
  }

  private connection(): Promise<RedisSubscriber> {
    if (this.subscriber === undefined) {
      let opened: Promise<RedisSubscriber> | undefined
      const listener: SubscriberListener = {
        message: (name, message) => this.receive(name, message),
        disconnected: () => this.forget(),
        connected: () => {
          this.forget()
          this.wakeAll()
        },
        ended: () => {
          if (opened !== undefined && this.subscriber === opened) this.restart()
        },
      }
      opened = this.commands.openSubscriber?.(listener)
      this.subscriber = opened
      opened?.catch(() => {
        if (this.subscriber === opened) this.restart()
      })
    }
    return this.subscriber as Promise<RedisSubscriber>
  }

  /** Opens another connection, as long as there are readers. */
  private restart(): void {
    this.subscriber = undefined
    this.forget()
    setTimeout(() => {
      if (this.subscriber !== undefined) return
      for (const [name, channel] of this.channels) {
        channel.ready = this.start(name)
        channel.ready.then(() => wakeAll(channel))
      }
    }, RETRY_MS)
  }

  private receive(name: string, message: string): void {
    const channel = this.channels.get(name)
    if (channel === undefined) return
    channel.recent.push(parseAnnouncement(message))
    channel.size += message.length
    if (channel.size > MAX_RECENT) {
      channel.recent = channel.recent.slice(-1)
      channel.size = message.length
    }
    wakeAll(channel)
  }

  /** Forgets the messages: some may be missing. */
  private forget(): void {
    for (const channel of this.channels.values()) {
      channel.recent = []
      channel.size = 0
    }
  }

  private wakeAll(): void {
    for (const channel of this.channels.values()) wakeAll(channel)
  }
}

function wakeAll({ waiting }: Channel): void {
  for (const wake of [...waiting]) wake()
}

function parseAnnouncement(message: string): Announcement {
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
