/** Wakes the waiting readers of a process: one connection for all streams of a client. */
import { MAX_TIMEOUT_MS, startTimer, stopTimer } from '../core/timer.ts'
import { changeOf, comesBack, type Waiting, wakeAll } from '../core/waiting.ts'
import { type Announcement, movesOf, parseAnnouncement } from './announcement.ts'
import type { RedisCommands, RedisSubscriber, SubscriberListener } from './client.ts'
import type { Operations } from './operations.ts'

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
  readonly operations: Pick<Operations, 'run'>
  readers: number
  /** Whether messages come. `undefined` while that is being tried. */
  isReady: boolean | undefined
  /** The latest of the attempts to subscribe it. */
  attempt?: object
  failure?: unknown
  /** The connection that it is subscribed on, or is about to be. */
  connection?: Promise<RedisSubscriber>
  /** In a cluster, the process of Redis that has the stream. */
  node?: string
  /** Who waits for a message that shows that messages come. */
  readonly probing: Waiting
  recent: Announcement[]
  size: number
  readonly waiting: Waiting
  linger: unknown
}

const hubs = new WeakMap<object, Hub>()

function hubOf(client: object, commands: RedisCommands): Hub {
  let hub = hubs.get(client)
  if (hub === undefined) {
    hub = new Hub(commands)
    hubs.set(client, hub)
  }
  return hub
}

/** Subscribes a reader to the channel of a stream, over the connection that all readers of the client share. */
export function subscribe(
  client: object,
  commands: RedisCommands,
  operations: Pick<Operations, 'channel' | 'run'>,
): Subscription {
  return hubOf(client, commands).subscribe(operations)
}

/** States that a client is connected to a cluster: the messages of a stream go to its node alone. */
export function useShards(client: object, commands: RedisCommands): void {
  hubOf(client, commands).isSharded = true
}

class Hub {
  isSharded = false
  private readonly commands: RedisCommands
  private readonly channels = new Map<string, Channel>()
  private subscriber: Promise<RedisSubscriber> | undefined
  /** When the connection is checked next; unset without a connection. */
  private timer: unknown

  constructor(commands: RedisCommands) {
    this.commands = commands
  }

  subscribe(operations: Pick<Operations, 'channel' | 'run'>): Subscription {
    const name = operations.channel
    const own = this.channels.get(name) ?? this.add(name, operations)
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

  private add(name: string, operations: Pick<Operations, 'run'>): Channel {
    const channel: Channel = {
      ...{ operations, readers: 0, isReady: undefined, linger: undefined },
      ...{ recent: [], size: 0, waiting: new Set(), probing: new Set() },
    }
    this.channels.set(name, channel)
    this.open(name, channel)
    return channel
  }

  private async open(name: string, channel: Channel): Promise<void> {
    const attempt = {}
    channel.attempt = attempt
    channel.isReady = undefined
    const isReady = await this.start(name, channel)
    if (channel.attempt !== attempt) return
    channel.isReady = isReady
    wakeAll(channel.waiting)
  }

  private async start(name: string, channel: Channel): Promise<boolean> {
    channel.failure = undefined
    if (this.commands.openSubscriber === undefined) return false
    try {
      channel.connection = this.connection()
      const connection = await channel.connection
      this.timer ??= startTimer(() => void this.check(), CHECK_MS)
      if (!this.isSharded) {
        await connection.subscribe(name)
        return true
      }
      if (connection.ssubscribe === undefined) throw new Error('its subscriber has no ssubscribe')
      await connection.subscribe(movesOf(name))
      await connection.ssubscribe(name)
      // A client may take itself to be subscribed where it is not, or no longer is.
      return await this.isHeard(name, channel)
    } catch (error) {
      channel.failure = error
      return false
    }
  }

  private stop(name: string, channel: Channel): void {
    if (channel.readers > 0 || this.channels.get(name) !== channel) return
    this.channels.delete(name)
    const subscriber = this.subscriber
    if (this.channels.size === 0) this.leave()
    subscriber
      ?.then((open) => {
        if (this.subscriber === undefined) return open.close()
        return this.isSharded ? open.sunsubscribe?.(name) : open.unsubscribe(name)
      })
      .catch(() => undefined)
  }

  private leave(): void {
    this.subscriber = undefined
    stopTimer(this.timer)
    this.timer = undefined
  }

  private connection(): Promise<RedisSubscriber> {
    if (this.subscriber === undefined) {
      let opened: Promise<RedisSubscriber> | undefined
      const listener: SubscriberListener = {
        message: (name, message) => this.receive(name, message),
        disconnected: () => this.forget(),
        connected: () => this.suspect([...this.channels], true),
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

  /** Whether a message to itself comes: if it does not, others do not come either. */
  private isHeard(name: string, channel: Channel): Promise<boolean> {
    const publish = async (): Promise<void> => {
      if (this.isSharded) channel.node = String((await channel.operations.run('probe'))[0])
      else await this.commands.send(['PUBLISH', name, ''], name)
    }
    return comesBack(channel.probing, ANSWER_MS, publish)
  }

  /** Checks a channel of each node, and tries again what could not be subscribed. */
  private async check(): Promise<void> {
    const { timer } = this
    const ready = [...this.channels].filter(([, { isReady }]) => isReady === true)
    const nodes = new Map(ready.map((entry) => [entry[1].node, entry]))
    await Promise.all(
      [...nodes].map(async ([node, [name, channel]]) => {
        if (await this.isHeard(name, channel)) return
        // Nobody reads it any more.
        if (this.channels.get(name) !== channel) return
        this.suspect(
          [...this.channels].filter((entry) => entry[1].node === node),
          false,
        )
      }),
    )
    if (this.timer !== timer) return
    this.timer = startTimer(() => void this.check(), CHECK_MS)
    if (this.isSharded && [...this.channels.values()].some(({ isReady }) => isReady === false)) this.restart()
  }

  /**
   * Has readers ask Redis: messages may be missing.
   *
   * @param isChanged - Whether messages may come again.
   */
  private suspect(entries: readonly (readonly [string, Channel])[], isChanged: boolean): void {
    this.forget(entries)
    // A client may have lost its subscriptions, too.
    if (this.isSharded)
      for (const [name, channel] of entries) if (channel.isReady !== undefined) this.open(name, channel)
    for (const [, { waiting }] of entries) wakeAll(waiting, isChanged)
  }

  /** Opens another connection, as long as there are readers. */
  private restart(): void {
    this.subscriber?.then((open) => open.close()).catch(() => undefined)
    this.leave()
    for (const channel of this.channels.values()) channel.isReady = undefined
    this.suspect([...this.channels], false)
    startTimer(() => {
      for (const [name, channel] of this.channels) {
        // One that came meanwhile has opened another connection.
        if (channel.connection !== this.subscriber || this.subscriber === undefined) this.open(name, channel)
      }
    }, RETRY_MS)
  }

  private receive(name: string, message: string): void {
    const channel = this.channels.get(name)
    if (channel === undefined) {
      // On the channel of moves, the name of another one.
      const moved = this.channels.get(message)
      if (moved !== undefined) this.suspect([[message, moved]], true)
      return
    }
    if (message === '') {
      wakeAll(channel.probing)
      return
    }
    channel.recent.push(parseAnnouncement(message))
    channel.size += message.length
    if (channel.size > MAX_RECENT) {
      channel.recent = channel.recent.slice(-1)
      channel.size = message.length
    }
    wakeAll(channel.waiting)
  }

  /** Forgets the messages: some may be missing. */
  private forget(entries: Iterable<readonly [string, Channel]> = this.channels): void {
    for (const [, channel] of entries) {
      channel.recent = []
      channel.size = 0
    }
  }
}
