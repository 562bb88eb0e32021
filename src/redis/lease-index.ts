/** Which streams may have a lease, and when to look at them: for processes that have not opened them. */
import { type OperationOptions, scriptRunner } from './operations.ts'
import { CLOCK } from './script.ts'

/** The index of a prefix. Whoever takes a lease notes it before. */
export interface LeaseIndex {
  /** Notes that a lease of a stream begins or continues. */
  note(stream: string, leaseMs: number): Promise<void>
  /** The streams of which a lease may have expired. */
  due(): Promise<readonly string[]>
  /** How an entry stands, for {@link LeaseIndex.checked}. `''`: there is none. */
  entry(stream: string): Promise<string>
  /**
   * Notes what was found after an entry was read: when the next lease of the stream expires, in milliseconds since 1970;
   * `undefined` if it has none. Does nothing if a lease was noted meanwhile.
   *
   * @param leaseMs - When to look again if it has none: one that was noted before may be about to begin. Found without a lease
   * then too, the stream is forgotten.
   */
  checked(stream: string, entry: string, next: number | undefined, leaseMs: number): Promise<void>
}

/**
 * A sorted set: streams by when to look. Each note changes the score, by a millisecond at least, so that a look which began
 * before does not remove it. Half a millisecond marks a stream in which a look has found no lease. A cluster keeps it on another node than the
 * streams: it has a script of its own.
 */
const SCRIPT = `
local LEASES = KEYS[1]
local operation, clock, ttl, stream = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
${CLOCK}
if operation == 'note' then
  local due, known = now + tonumber(ARGV[5]), tonumber(redis.call('ZSCORE', LEASES, stream) or '')
  if known and known <= due then due = math.floor(known) - 1 end
  redis.call('ZADD', LEASES, text(due), stream)
  redis.call('PEXPIRE', LEASES, ttl)
  return {}
end

if operation == 'due' then return redis.call('ZRANGEBYSCORE', LEASES, '-inf', text(now), 'LIMIT', '0', '1000') end

local entry = redis.call('ZSCORE', LEASES, stream) or ''
if operation == 'entry' then return {entry} end
if operation == 'checked' and entry ~= '' and entry == ARGV[5] then
  if ARGV[6] ~= '' then redis.call('ZADD', LEASES, ARGV[6], stream)
  elseif tonumber(entry) % 1 ~= 0 then
    if tonumber(entry) <= now then redis.call('ZREM', LEASES, stream) end
  else redis.call('ZADD', LEASES, text(now + tonumber(ARGV[7])) .. '.5', stream) end
end
return {}
`

export function leaseIndex(options: Omit<OperationOptions, 'stream'>): LeaseIndex {
  const { prefix, expireMs } = options
  const { run } = scriptRunner(options, SCRIPT, [`${prefix}leases`], 'the leases')
  // UTF-8 has no half surrogates: names are members as JSON.
  const send = (operation: string, stream: string, ...args: (string | number)[]): Promise<unknown> =>
    run(operation, expireMs, JSON.stringify(stream), ...args)
  return {
    async note(stream, leaseMs) {
      await send('note', stream, leaseMs)
    },
    async due() {
      const streams = (await send('due', '')) as readonly unknown[]
      return streams.map((stream) => JSON.parse(String(stream)) as string)
    },
    async entry(stream) {
      const [entry] = (await send('entry', stream)) as readonly unknown[]
      return String(entry ?? '')
    },
    async checked(stream, entry, next, leaseMs) {
      await send('checked', stream, entry, next ?? '', leaseMs)
    },
  }
}
