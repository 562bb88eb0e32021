/** Wakes the waiting readers of a process: one connection for all streams of a client. */
import { randomId } from '../core/random-id.ts'
import { MAX_TIMEOUT_MS } from '../core/timeout.ts'
import { startTimer, stopTimer } from '../core/timer.ts'
import { changeOf, comesBack, type Waiting, wakeAll } from '../core/waiting.ts'
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
  /** Resolves to `true` when messages come, to `false` if they do not within `ms`: ask from time to time. */
  ready(ms: number, signal: AbortSignal | undefined): Promise<boolean>
  /** Why no messages come. Omitted: they do, or it is being tried. */
  failure(): unknown
  /** Recent messages, oldest first. Empty after the connection broke: read from Redis. */
  recent(): readonly Announcement[]
  /**
   * Resolves to `true` at the next message or when the connection was restored; to `false` after a while if no messages come, if the
   * signal is aborted, or if the connection carries no messages: read from Redis.
   */
  change(signal: AbortSignal | undefined): Promise<boolean>
  /** Ends the subscription. */
  end(): void
}

/** How often to ask Redis while no messages come. */
const POLL_MS = 250
/** How long a channel stays subscribed without a reader: readers come back after each batch. */
const LINGER_MS = 1000
/** Pauses between attempts to open a connection. */
const RETRY_MS = 500
/** How often a connection is checked: a server that has stopped sends nothing, and nobody reports that. */
const CHECK_MS = 10_000
/** How long the answer to a check may take. */
const ANSWER_MS = 2000
/** How many characters of messages are kept per stream. */
const MAX_RECENT = 65_536

interface Channel {
  readers: number
  /** Whether messages come. `undefined` while that is being tried. */
  isReady: boolean | undefined
  failure?: unknown
  /** The connection that it is subscribed on, or is about to be. */
  connection?: Promise<RedisSubscriber>
  recent: Announcement[]
  size: number
  readonly waiting: Waiting
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
  /** The channel on which the connection is checked, and the timer for that; unset without a connection. */
  private probe: { readonly channel: string; readonly waiting: Waiting; timer: unknown } | undefined

  constructor(commands: RedisCommands) {
    this.commands = commands
  }

  subscribe(name: string): Subscription {
    let channel = this.channels.get(name)
    if (channel === undefined) {
      channel = { readers: 0, isReady: undefined, recent: [], size: 0, waiting: new Set(), linger: undefined }
      this.channels.set(name, channel)
      this.open(name, channel)
    }
    const own = channel
    own.readers++
    stopTimer(own.linger)
    return {
      async ready(ms, signal) {
        // A connection that is restored wakes as well.
        while (own.isReady === undefined && (await changeOf(own.waiting, ms, signal, true)));
        return own.isReady === true
      },
      failure: () => own.failure,
      recent: () => own.recent,
      // With messages, too, a timer: it keeps the process alive while somebody waits.
      change: (signal) =>
        changeOf(own.waiting, own.isReady === true ? MAX_TIMEOUT_MS : POLL_MS, signal, true),
      end: () => {
        own.readers--
        if (own.readers === 0) own.linger = startTimer(() => this.stop(name, own), LINGER_MS)
      },
    }
  }

  private async open(name: string, channel: Channel): Promise<void> {
    channel.isReady = undefined
    channel.isReady = await this.start(name, channel)
    wakeAll(channel.waiting)
  }

  private async start(name: string, channel: Channel): Promise<boolean> {
    channel.failure = undefined
    if (this.commands.openSubscriber === undefined) return false
    try {
      channel.connection = this.connection()
      const connection = await channel.connection
      await connection.subscribe(name)
      await this.watch(connection, name)
      return true
    } catch (error) {
      channel.failure = error
      return false
    }
  }

  private stop(name: string, channel: Channel): void {
    if (channel.readers > 0 || this.channels.get(name) !== channel) return
    this.channels.delete(name)
    const subscriber = this.subscriber
    if (this.channels.size === 0) {
      this.subscriber = undefined
      this.unwatch()
    }
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

  /** Sends messages to itself from now on: what does not come shows that others do not come either. */
  private async watch(connection: RedisSubscriber, name: string): Promise<void> {
    if (this.probe !== undefined) return
    const channel = `${name}:${randomId()}`
    const check = async (): Promise<void> => {
      const publish = (): Promise<unknown> => this.commands.send(['PUBLISH', channel, ''], channel)
      const isAlive = await comesBack(probe.waiting, ANSWER_MS, publish)
      if (this.probe !== probe) return
      if (!isAlive) {
        this.forget()
        this.wakeAll(false)
      }
      probe.timer = startTimer(() => void check(), CHECK_MS)
    }
    const waiting: Waiting = new Set()
    const probe = { channel, waiting, timer: startTimer(() => void check(), CHECK_MS) }
    this.probe = probe
    await connection.subscribe(channel)
  }

  private unwatch(): void {
    stopTimer(this.probe?.timer)
    this.probe = undefined
  }

  /** Opens another connection, as long as there are readers. */
  private restart(): void {
    this.subscriber = undefined
    this.unwatch()
    this.forget()
    for (const channel of this.channels.values()) channel.isReady = undefined
    this.wakeAll(false)
    startTimer(() => {
      for (const [name, channel] of this.channels) {
        // One that came meanwhile has opened another connection.
        if (channel.connection !== this.subscriber || this.subscriber === undefined) this.open(name, channel)
      }
    }, RETRY_MS)
  }

  private receive(name: string, message: string): void {
    if (this.probe?.channel === name) wakeAll(this.probe.waiting)
    const channel = this.channels.get(name)
    if (channel === undefined) return
    channel.recent.push(parseAnnouncement(message))
    channel.size += message.length
    if (channel.size > MAX_RECENT) {
      channel.recent = channel.recent.slice(-1)
      channel.size = message.length
    }
    wakeAll(channel.waiting)
  }

  /** Forgets the messages: some may be missing. */
  private forget(): void {
    for (const channel of this.channels.values()) {
      channel.recent = []
      channel.size = 0
    }
  }

  private wakeAll(isChanged?: boolean): void {
    for (const { waiting } of this.channels.values()) wakeAll(waiting, isChanged)
  }
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
