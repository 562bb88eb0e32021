/**
 * A Redis in this process: the commands that the script of `turnstream/redis` uses, and the script itself in a Lua
 * machine. `npm run test:all` tries the same with a real one.
 */
import { createHash, randomUUID } from 'node:crypto'
import * as fengari from 'fengari'
import type { RedisCommands, SubscriberListener } from '../../src/redis/client.ts'
import { redisStore } from '../../src/redis/index.ts'

const { lua, lauxlib, lualib, to_luastring: bytesOf, to_jsstring: textOf } = fengari

type Reply = string | number | null | readonly Reply[]
type Entry = readonly [id: string, fields: readonly string[]]

export interface RedisInMemory extends Required<RedisCommands> {
  /** Deletes all keys. */
  flush(): void
  /** Starts it again: cached scripts are lost, and connections break. */
  restart(): void
  /** A replica takes over, and gives back later. */
  failOver(): void
  /** What the next commands fail with, each before or after it has been carried out. */
  readonly faults: { when: 'before' | 'after'; message: string }[]
  /** What all commands fail with, until it is removed. */
  down: RedisInMemory['faults'][number] | undefined
  /** Commands that its user lacks the right to, as far as scripts call them. */
  readonly refused: Set<string>
  /** The commands that came, such as `EVALSHA append`. */
  readonly log: string[]
  /** The commands that scripts have called. */
  readonly called: string[]
  /**
   * Another node of the cluster has all streams from now on: it carries no messages to those who had subscribed before, and their
   * client notices nothing.
   */
  moveSlots(): void
  readonly keys: Map<string, unknown>
  /** Breaks the connections of subscribers; they are restored at once. */
  breakConnections(): void
  /** The channels of all subscribers. */
  channels(): string[]
}

/** @param mode - In a cluster, the messages of `SPUBLISH` come to those who have sent `SSUBSCRIBE` alone. */
export function createRedisInMemory(mode: 'standalone' | 'cluster' = 'standalone'): RedisInMemory {
  const keys = new Map<string, unknown>()
  const scripts = new Map<string, State>()
  const subscribers = new Set<{ listener: SubscriberListener; channels: Set<string>; shards: Set<string> }>()
  const faults: RedisInMemory['faults'] = []
  const log: string[] = []
  const called: string[] = []
  const refused = new Set<string>()
  let run = randomUUID().replaceAll('-', '')
  let replication = randomUUID().replaceAll('-', '')

  const hash = (key: string): Map<string, string> => of(key, () => new Map())
  const scores = (key: string): Map<string, number> => of(key, () => new Map())
  const entries = (key: string): Entry[] => of(key, () => [])
  function of<T>(key: string, make: () => T): T {
    if (!keys.has(key)) keys.set(key, make())
    return keys.get(key) as T
  }

  const commands: Readonly<Record<string, (...args: string[]) => Reply>> = {
    TIME: () => [String(Math.floor(Date.now() / 1000)), String((Date.now() % 1000) * 1000)],
    INFO: () =>
      `# Server\r\nredis_mode:${mode}\r\nrun_id:${run}\r\n\r\n# Replication\r\nmaster_replid:${replication}\r\n`,
    DEL: (...names) => names.filter((name) => keys.delete(name)).length,
    EXISTS: (key = '') => (keys.has(key) ? 1 : 0),
    GET: (key = '') => (keys.get(key) as string | undefined) ?? null,
    SET: (key = '', value = '') => {
      keys.set(key, value)
      return 'OK'
    },
    HGETALL: (key = '') => (keys.has(key) ? [...hash(key)].flat() : []),
    HSET: (key = '', ...fields) => {
      for (let i = 0; i < fields.length; i += 2) hash(key).set(fields[i] ?? '', fields[i + 1] ?? '')
      return fields.length / 2
    },
    HGET: (key = '', field = '') => (keys.has(key) ? (hash(key).get(field) ?? null) : null),
    HMGET: (key = '', ...fields) =>
      fields.map((field) => (keys.has(key) ? (hash(key).get(field) ?? null) : null)),
    HLEN: (key = '') => (keys.has(key) ? hash(key).size : 0),
    RENAME: (key = '', name = '') => {
      keys.set(name, keys.get(key))
      keys.delete(key)
      return 'OK'
    },
    HDEL: (key = '', ...fields) => fields.filter((field) => hash(key).delete(field)).length,
    PEXPIRE: (key = '') => (keys.has(key) ? 1 : 0),
    PTTL: (key = '') => (keys.has(key) ? 1000 : -2),
    XLEN: (key = '') => (keys.has(key) ? entries(key).length : 0),
    XADD: (key = '', id = '', ...fields) => {
      entries(key).push([id, fields])
      return id
    },
    XRANGE: (key = '', from = '', _to, _count, count) =>
      entries(key)
        .filter(([id]) => seqOf(id) >= seqOf(from))
        .slice(0, Number(count)),
    XTRIM: (key = '', _minid, _sign, id = '') => {
      const kept = entries(key).filter((entry) => seqOf(entry[0]) >= seqOf(id))
      return entries(key).splice(0, entries(key).length, ...kept).length
    },
    ZADD: (key = '', score = '', member = '') => {
      of(key, () => new Map<string, number>()).set(member, Number(score))
      return 1
    },
    ZSCORE: (key = '', member = '') => {
      const score = keys.has(key) ? scores(key).get(member) : undefined
      return score === undefined ? null : String(score)
    },
    ZREM: (key = '', member = '') => (scores(key).delete(member) ? 1 : 0),
    ZRANGEBYSCORE: (key = '', _from, to = '') =>
      keys.has(key)
        ? [...scores(key)].flatMap(([member, score]) => (score <= Number(to) ? [member] : []))
        : [],
    PUBLISH: (channel = '', message = '') => publish('channels', channel, message),
    SPUBLISH: (channel = '', message = '') => publish('shards', channel, message),
  }
  function publish(kind: 'channels' | 'shards', channel: string, message: string): number {
    for (const subscriber of subscribers) {
      if (subscriber[kind].has(channel)) queueMicrotask(() => subscriber.listener.message(channel, message))
    }
    return 0
  }

  const redis: RedisInMemory = {
    faults,
    down: undefined,
    refused,
    log,
    called,
    moveSlots() {
      run = randomUUID().replaceAll('-', '')
      for (const { shards } of subscribers) shards.clear()
    },
    keys,
    flush: () => keys.clear(),
    restart() {
      scripts.clear()
      run = randomUUID().replaceAll('-', '')
      redis.breakConnections()
    },
    failOver() {
      replication = randomUUID().replaceAll('-', '')
      redis.breakConnections()
    },
    breakConnections() {
      for (const { listener } of subscribers) {
        listener.disconnected()
        listener.connected()
      }
    },
    async send([name = '', script = '', count = '0', ...rest]) {
      await Promise.resolve()
      const fault = redis.down ?? faults.shift()
      if (fault?.when === 'before') throw new Error(fault.message)
      if (name === 'PUBLISH') {
        log.push(name)
        return commands.PUBLISH?.(script, count)
      }
      log.push(`${name} ${rest[Number(count)]}`)
      const sha = name === 'EVAL' ? createHash('sha1').update(script).digest('hex') : script
      if (name === 'EVAL' && !scripts.has(sha)) scripts.set(sha, compiledFrom(script))
      const loaded = scripts.get(sha)
      if (loaded === undefined) throw new Error('NOSCRIPT No matching script. Please use EVAL.')
      const reply = evaluate(
        loaded,
        { commands, refused, called },
        rest.slice(0, Number(count)),
        rest.slice(Number(count)),
      )
      if (fault !== undefined) throw new Error(fault.message)
      return reply
    },
    channels: () => [...subscribers].flatMap(({ channels, shards }) => [...channels, ...shards]),
    async openSubscriber(listener) {
      const [channels, shards] = [new Set<string>(), new Set<string>()]
      const own = { listener, channels, shards }
      subscribers.add(own)
      return {
        subscribe: async (channel) => channels.add(channel),
        unsubscribe: async (channel) => channels.delete(channel),
        ssubscribe: async (channel) => shards.add(channel),
        sunsubscribe: async (channel) => shards.delete(channel),
        close: () => void subscribers.delete(own),
      }
    },
  }
  return redis
}

function seqOf(id: string): number {
  return Number(id.replace('0-', ''))
}

type State = unknown
type Commands = Readonly<Record<string, (...args: string[]) => Reply>>

/** What the script that runs may call. */
interface Host {
  readonly commands: Commands
  readonly refused: ReadonlySet<string>
  readonly called: string[]
}

/** Scripts by their text, compiled once: that takes longer than to run them. They have no globals of their own. */
const compiled = new Map<string, State>()
let host: Host | undefined

function compiledFrom(source: string): State {
  const state = compiled.get(source) ?? compile(source)
  compiled.set(source, state)
  return state
}

function compile(source: string): State {
  const state: State = lauxlib.luaL_newstate()
  lualib.luaL_openlibs(state)
  const call = (inner: State): number => {
    const [name = '', ...rest] = Array.from({ length: lua.lua_gettop(inner) }, (_, i) =>
      argument(inner, i + 1),
    )
    if (host?.refused.has(name)) {
      lua.lua_newtable(inner)
      lua.lua_pushstring(inner, bytesOf("ERR can't run this command"))
      lua.lua_setfield(inner, -2, bytesOf('err'))
      return 1
    }
    const command = host?.commands[name]
    if (command === undefined) return lauxlib.luaL_error(inner, bytesOf(`no command ${name}`))
    host?.called.push(name)
    push(inner, command(...rest))
    return 1
  }
  lua.lua_newtable(state)
  for (const name of ['call', 'pcall']) {
    lua.lua_pushcfunction(state, call)
    lua.lua_setfield(state, -2, bytesOf(name))
  }
  lua.lua_setglobal(state, bytesOf('redis'))
  if (lauxlib.luaL_loadstring(state, bytesOf(source))) throw new Error(textOf(lua.lua_tostring(state, -1)))
  lua.lua_setglobal(state, bytesOf('script'))
  return state
}

/** Runs a compiled script. Throws what Redis answers if it fails. */
function evaluate(state: State, by: Host, keys: readonly string[], args: readonly string[]): Reply {
  host = by
  lua.lua_settop(state, 0)
  push(state, keys)
  lua.lua_setglobal(state, bytesOf('KEYS'))
  push(state, args)
  lua.lua_setglobal(state, bytesOf('ARGV'))
  lua.lua_getglobal(state, bytesOf('script'))
  const failed = lua.lua_pcall(state, 0, 1, 0)
  if (failed) throw new Error(`ERR ${textOf(lua.lua_tostring(state, -1))}`)
  return read(state, 1)
}

function argument(state: State, index: number): string {
  // As Redis writes numbers: without a fraction.
  return lua.lua_type(state, index) === lua.LUA_TNUMBER
    ? String(Math.trunc(lua.lua_tonumber(state, index)))
    : textOf(lua.lua_tostring(state, index))
}

function push(state: State, value: Reply): void {
  if (value === null) lua.lua_pushboolean(state, false)
  else if (typeof value === 'number') lua.lua_pushinteger(state, value)
  else if (typeof value === 'string') lua.lua_pushstring(state, bytesOf(value))
  else {
    lua.lua_newtable(state)
    for (const [i, item] of value.entries()) {
      push(state, item)
      lua.lua_rawseti(state, -2, i + 1)
    }
  }
}

function read(state: State, index: number): Reply {
  switch (lua.lua_type(state, index)) {
    case lua.LUA_TNUMBER:
      return Math.trunc(lua.lua_tonumber(state, index))
    case lua.LUA_TSTRING:
      return textOf(lua.lua_tostring(state, index))
    case lua.LUA_TTABLE: {
      const items: Reply[] = []
      for (let i = 1; ; i++) {
        lua.lua_rawgeti(state, index, i)
        if (lua.lua_type(state, -1) === lua.LUA_TNIL) break
        items.push(read(state, lua.lua_gettop(state)))
        lua.lua_settop(state, -2)
      }
      lua.lua_settop(state, -2)
      return items
    }
    default:
      return null
  }
}

// The scripts are digested once, on a thread of which fake time does not know: before any test.
const first = redisStore({ client: createRedisInMemory() })
const timestamp = '2026-01-01T00:00:00Z'
const working = { kind: 'task-status', contextId: 'c', taskId: 't', timestamp, status: 'working' } as const
await (await first.open('s')).append(working)
await first.close()
