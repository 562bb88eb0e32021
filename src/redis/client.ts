/** Clients of Redis: the same few calls on node-redis, ioredis and any other. */
import { mismatch } from '../core/require.ts'

/**
 * A connected client: of the package `redis` (`createClient`, `createCluster`), of `ioredis` (`new Redis`, `new
 * Cluster`), or a {@link RedisCommands} around another one. With `createClientPool` and `createSentinel`, each stream with
 * waiting readers asks for new events four times a second.
 */
export type RedisClient = NodeRedisClient | IoRedisClient | RedisCommands

/** What is used of a client of the package `redis`. */
export interface NodeRedisClient {
  sendCommand(...args: never[]): Promise<unknown>
  /** Omitted by pools. */
  duplicate?(): unknown
}

/** What is used of a client of the package `ioredis`. */
export interface IoRedisClient {
  call(...args: never[]): Promise<unknown>
  duplicate(): unknown
}

/** An adapter for any other client. */
export interface RedisCommands {
  /**
   * Sends a command and resolves to its reply: strings, numbers and arrays of them. `key` is one of the keys of the
   * command; a cluster finds the node by it.
   */
  send(args: readonly string[], key: string): Promise<unknown>
  /**
   * Opens a connection for `SUBSCRIBE` and, in a cluster, `SSUBSCRIBE`. Omitted: each stream with a waiting reader asks for new events four times a second.
   */
  openSubscriber?(listener: SubscriberListener): Promise<RedisSubscriber>
}

/** What a {@link RedisSubscriber} reports. */
export interface SubscriberListener {
  /** A message of a channel. */
  message(channel: string, message: string): void
  /** The connection broke: messages may be lost from now on. */
  disconnected(): void
  /** The connection is restored, and with it all subscriptions. */
  connected(): void
  /** The connection has ended and does not reconnect. */
  ended(): void
}

/** A connection that receives the messages of channels. */
export interface RedisSubscriber {
  subscribe(channel: string): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  /** `SSUBSCRIBE`, which clusters need. Omitted: in a cluster, each stream with a waiting reader asks four times a second. */
  ssubscribe?(channel: string): Promise<unknown>
  /** `SUNSUBSCRIBE`. */
  sunsubscribe?(channel: string): Promise<unknown>
  close(): void
}

/** Returns how to send commands with a client. */
export function commandsOf(client: RedisClient): RedisCommands {
  // Functions have a `call` of their own.
  const { send, call, sendCommand } = (
    typeof client === 'object' && client !== null ? client : {}
  ) as Partial<RedisCommands & IoRedisClient & NodeRedisClient>
  if (typeof send === 'function') return client as RedisCommands
  if (typeof call === 'function') return ioRedis(client as never)
  if (typeof sendCommand === 'function') return nodeRedis(client as never)
  throw mismatch('client', 'a client of redis or ioredis, or an object with send', client)
}

/** Whether a client reports that it is closed, or was never connected: it answers nothing until somebody connects it. */
export function isClosed(client: RedisClient): boolean {
  const { isOpen, status } = client as { readonly isOpen?: unknown; readonly status?: unknown }
  return isOpen === false || status === 'end'
}

type Listener = (...args: string[]) => void

interface NodeRedis {
  sendCommand(...args: unknown[]): Promise<unknown>
  duplicate(): NodeRedis
  connect(): Promise<unknown>
  on(event: string, listener: Listener): unknown
  subscribe(channel: string, listener: Listener): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  sSubscribe(channel: string, listener: Listener): Promise<unknown>
  sUnsubscribe(channel: string): Promise<unknown>
  destroy(): unknown
  /** Only clusters have it. */
  readonly nodeClient?: unknown
  /** Only sentinels have it. */
  readonly getSentinelNode?: unknown
}

function nodeRedis(client: NodeRedis): RedisCommands {
  const isSentinel = typeof client.getSentinelNode === 'function'
  const send: RedisCommands['send'] = (args, key) => {
    if (typeof client.nodeClient === 'function') return client.sendCommand(key, false, args)
    return isSentinel ? client.sendCommand(false, args) : client.sendCommand(args)
  }
  // A pool has no connection to subscribe with. That of a sentinel does not report that it broke.
  if (isSentinel || client.duplicate === undefined) return { send }
  return {
    send,
    async openSubscriber(listener) {
      const subscriber = client.duplicate()
      observe(
        subscriber,
        listener,
        ['reconnecting', 'node-reconnecting', 'node-disconnect'],
        ['ready', 'node-ready', 'sharded-channel-moved-error'],
      )
      await subscriber.connect()
      const heard: Listener = (message = '', from = '') => listener.message(from, message)
      return {
        subscribe: (channel) => subscriber.subscribe(channel, heard),
        unsubscribe: (channel) => subscriber.unsubscribe(channel),
        ssubscribe: (channel) => subscriber.sSubscribe(channel, heard),
        sunsubscribe: (channel) => subscriber.sUnsubscribe(channel),
        close: () => void subscriber.destroy(),
      }
    },
  }
}

interface IoRedis {
  call(command: string, args: readonly string[]): Promise<unknown>
  duplicate(...options: readonly object[]): IoRedis
  /** Only clusters have it. */
  readonly nodes?: unknown
  on(event: string, listener: Listener): unknown
  subscribe(...channels: string[]): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  ssubscribe(channel: string): Promise<unknown>
  sunsubscribe(channel: string): Promise<unknown>
  disconnect(): unknown
}

function ioRedis(client: IoRedis): RedisCommands {
  return {
    send: ([command = '', ...args]) => client.call(command, args),
    async openSubscriber(listener) {
      // What it subscribes again by itself rejects where nobody can catch it. A cluster catches it.
      const subscriber =
        client.nodes === undefined
          ? client.duplicate({ autoResubscribe: false })
          : client.duplicate([], { shardedSubscribers: true })
      const channels = new Set<string>()
      // ioredis is ready before it has subscribed again. Answers come in order.
      const connected = async (): Promise<void> => {
        if (channels.size > 0) await subscriber.subscribe(...channels).catch(() => undefined)
        listener.connected()
      }
      observe(
        subscriber,
        { ...listener, connected },
        ['close', '-node', 'node error', '-subscriber'],
        ['ready', '+node', 'subscribersReady'],
      )
      for (const event of ['message', 'smessage'])
        subscriber.on(event, (channel = '', message = '') => listener.message(channel, message))
      return {
        ssubscribe: (channel) => subscriber.ssubscribe(channel),
        sunsubscribe: (channel) => subscriber.sunsubscribe(channel),
        subscribe: (channel) => {
          channels.add(channel)
          return subscriber.subscribe(channel)
        },
        unsubscribe: (channel) => {
          channels.delete(channel)
          return subscriber.unsubscribe(channel)
        },
        close: () => void subscriber.disconnect(),
      }
    },
  }
}

function observe(
  subscriber: Pick<IoRedis, 'on'>,
  listener: Pick<SubscriberListener, 'disconnected' | 'connected' | 'ended'>,
  broken: readonly string[],
  restored: readonly string[],
): void {
  // Without a listener, an error would end the process. What matters is reported by the other events.
  subscriber.on('error', () => {})
  for (const event of broken) subscriber.on(event, () => listener.disconnected())
  for (const event of restored) subscriber.on(event, () => listener.connected())
  subscriber.on('end', () => listener.ended())
}
