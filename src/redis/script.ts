import { ANNOUNCE } from './announcement.ts'
import { STAMP } from './parent-lines.ts'
import { TRY_COMMANDS } from './rights.ts'

/** The beginning of a script: `now`, of the caller's `clock` if it has one, and `text` of whole numbers. */
export const CLOCK: string = `
local now = tonumber(clock)
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function text(number) return string.format('%.0f', number) end
`

/** The fields of a stream that all operations need. */
const FIELDS = "'epoch', 'run', 'next', 'earliest', 'bytes', 'snapshot', 'closed', 'expiry', 'links'"

/**
 * The Lua script of all operations. Redis runs it as one step, so that no operation sees a half-written stream.
 *
 * Six keys hold a stream, and one more is used for a moment; they share a hash tag, so that a cluster keeps them on one node:
 *
 *     <prefix>{<stream>}:meta        hash: epoch, run, next, earliest, bytes, snapshot, closed, expiry, links (how
 *                                    many are in `parents` and `parents0`); and per writer
 *                                    `w:<id>` → "<state> <lease expires at> <last number> <ranges>",
 *                                    `o:<id>` → its open tasks as JSON, `h:<id>` → who has taken them over
 *     <prefix>{<stream>}:events      stream: the entry 0-1 is the event with the `seq` 0
 *     <prefix>{<stream>}:snapshot    string: the events of the snapshot as JSON
 *     <prefix>{<stream>}:parents     hash: subtask → the id of its parent, both as JSON. When it is full, it replaces
 *     <prefix>{<stream>}:parents0
 *     <prefix>{<stream>}:ledger      hash, if there is one: version, state of the ledger as JSON, epoch and through (up to
 *                                    which event it includes the log), commits (the ids of the latest)
 *
 * Each operation begins with `prepare`: a stream that does not exist, or has lost entries, starts a new epoch, and so
 * does one whose server was started since the last operation, because it may have lost the latest writes. So does one
 * that has lost parents.
 *
 * A writer numbers its events. What it has stored is known by ranges, "<number>:<seq>:<count>,", the latest first, as far back
 * as the writer does not know what became of its events. So an event that is sent again is stored once, and one that comes
 * after a later one of its writer is refused.
 */
export const SCRIPT: string = `
local META, EVENTS, SNAPSHOT, PARENTS, OLDER, LEDGER, CHECK = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local operation, clock, newEpoch, ttl, channel = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]

local IDLE = 300000 -- How long a writer without tasks is known: an event that it sends again later is appended again.

${TRY_COMMANDS}
${CLOCK}
local function entryId(seq) return '0-' .. text(seq + 1) end

local isCluster, next, earliest, bytes, saved = false, 0, 0, 0, -1

-- The fields of the stream. What an operation does not need is not read.
local meta = setmetatable({}, {__index = function(known, field)
  local value = redis.call('HGET', META, field)
  rawset(known, field, value)
  return value
end})
local FIELDS = {${FIELDS}}

local function readAll()
  local fields = redis.call('HGETALL', META)
  for i = 1, #fields, 2 do meta[fields[i]] = fields[i + 1] end
end
${ANNOUNCE}
local function set(...)
  redis.call('HSET', META, ...)
  local fields = {...}
  for i = 1, #fields, 2 do meta[fields[i]] = tostring(fields[i + 1]) end
end

local function keep()
  local last = tonumber(meta.expiry or '')
  if last and now >= last and now - last < ttl / 10 and redis.call('PTTL', EVENTS) ~= -1
      and redis.call('PTTL', SNAPSHOT) ~= -1 and redis.call('PTTL', PARENTS) ~= -1 then return end
  set('expiry', text(now))
  redis.call('PEXPIRE', META, ttl)
  redis.call('PEXPIRE', EVENTS, ttl)
  redis.call('PEXPIRE', SNAPSHOT, ttl)
  redis.call('PEXPIRE', PARENTS, ttl)
  redis.call('PEXPIRE', OLDER, ttl)
  redis.call('PEXPIRE', LEDGER, ttl)
end

-- Begins a new epoch, in which the snapshot is all that is left.
local function loseEvents()
  redis.call('DEL', EVENTS)
  redis.call('SET', SNAPSHOT, redis.call('GET', SNAPSHOT) or '{"events":[]}')
  redis.call('PEXPIRE', SNAPSHOT, ttl)
  earliest, bytes, saved = next, 0, next - 1
  set('epoch', newEpoch, 'earliest', text(next), 'bytes', '0', 'snapshot', text(saved))
end

-- The entries from an event on, at most \`count\`; none if there are other entries in their place.
local function entriesFrom(seq, count)
  local entries = redis.call('XRANGE', EVENTS, entryId(seq), '+', 'COUNT', count)
  for i, entry in ipairs(entries) do
    if entry[1] ~= entryId(seq + i - 1) then return {} end
  end
  return entries
end

local function linkCount() return redis.call('HLEN', PARENTS) .. ' ' .. redis.call('HLEN', OLDER) end

local function prepare()
  for i, value in ipairs(redis.call('HMGET', META, ${FIELDS})) do meta[FIELDS[i]] = value end
  -- No other command that a script may call shows that Redis was started again, or that a replica has taken over.
  local info = redis.call('INFO', 'server', 'replication')
  isCluster = info:find('_mode:cluster', 1, true) ~= nil
  local process, replication = info:match('run_id:(%w+)'), info:match('master_replid:(%w+)')
  if not process then error('INFO states no run_id') end
  local run = process .. ' ' .. (replication or '')
  if not meta.epoch then
    redis.call('DEL', EVENTS, SNAPSHOT, PARENTS, OLDER, LEDGER)
    set('epoch', newEpoch, 'run', run, 'next', '0', 'earliest', '0', 'bytes', '0', 'snapshot', '-1')
    keep()
  else
    if meta.run ~= run then
      set('epoch', newEpoch, 'run', run)
      reportMove()
    end
    local links = linkCount()
    if (meta.links or '0 0') ~= links then set('epoch', newEpoch, 'links', links) end
  end
  next, earliest, bytes, saved =
    tonumber(meta.next), tonumber(meta.earliest), tonumber(meta.bytes), tonumber(meta.snapshot)
  if redis.call('XLEN', EVENTS) ~= next - earliest then loseEvents() end
  if saved >= 0 and redis.call('EXISTS', SNAPSHOT) == 0 then
    set('snapshot', '-1')
    saved = -1
  end
end

local function leaseOf(id)
  local state, expires, last, ranges = (meta['w:' .. id] or ''):match('^(%a+) (%d+) (%-?%d+) (%S*)$')
  return state, tonumber(expires), tonumber(last or -1), ranges or ''
end

local function setLease(id, state, expires, last, ranges)
  set('w:' .. id, state .. ' ' .. text(expires) .. ' ' .. text(last) .. ' ' .. ranges)
end

-- Stores the tasks that a writer holds. In an epoch that it does not know, an older state may have returned: tasks whose
-- ends are lost are set aside, as those of a writer of its own, for others to end. A lease does not include what a live one holds.
local function holdTasks(id, tasks, known)
  local state, expires = leaseOf(id)
  local aside = id .. '/' .. meta.epoch
  if known ~= meta.epoch and state == 'open' and meta['o:' .. id] ~= tasks and not meta['w:' .. aside] then
    setLease(aside, 'open', expires, -1, '')
    set('o:' .. aside, meta['o:' .. id] or '[]')
  end
  set('o:' .. id, tasks)
end

-- Whether a writer's event is stored, by its number.
local function isStored(ranges, number)
  for from, count in ranges:gmatch('(%d+):%d+:(%d+),') do
    if number >= tonumber(from) and number < from + count then return true end
  end
  return false
end

-- Adds what was stored. Of what is before \`floor\`, the writer knows the fate.
local function addRange(ranges, floor, number, seq, count)
  local kept = ''
  for from, first, size in ranges:gmatch('(%d+):(%d+):(%d+),') do
    if kept == '' and from + size == number and first + size == seq then
      number, seq, count = tonumber(from), tonumber(first), size + count
    elseif from + size > floor then
      kept = kept .. from .. ':' .. first .. ':' .. size .. ','
    end
  end
  return text(number) .. ':' .. text(seq) .. ':' .. text(count) .. ',' .. kept
end

local function forget(id)
  redis.call('HDEL', META, 'w:' .. id, 'o:' .. id, 'h:' .. id)
  meta['w:' .. id], meta['o:' .. id], meta['h:' .. id] = nil, nil, nil
end

-- Forgets writers that no longer matter.
local function forgetWriters()
  readAll()
  for name in pairs(meta) do
    local id = name:match('^w:(.+)$')
    local state, expires = leaseOf(id or '')
    if (state == 'idle' and expires <= now) or (state == 'fenced' and expires + ttl <= now) then forget(id) end
  end
end

-- What a writer learns whose tasks another one has taken over: which, and which of its events are stored.
local function fenced(id)
  local _, _, last, ranges = leaseOf(id)
  return {'fenced', meta.epoch, text(last), ranges, 0, meta['o:' .. id] or '[]'}
end

-- Evicts what exceeds the limits, but nothing that the snapshot does not include. Returns 1 if that stopped it.
local function trim(maxEvents, maxBytes, maxAge)
  local first, needed, done = earliest, 0, false
  while not done and earliest < next do
    local entries = entriesFrom(earliest, next - earliest > maxEvents and 64 or 1)
    if #entries == 0 then
      loseEvents()
      return 0
    end
    for _, entry in ipairs(entries) do
      local fields = entry[2]
      done = next - earliest <= maxEvents and bytes <= maxBytes and now - tonumber(fields[4]) <= maxAge
      if not done and earliest > saved then needed, done = 1, true end
      if done then break end
      earliest, bytes = earliest + 1, bytes - #fields[2]
    end
  end
  if earliest > first then
    redis.call('XTRIM', EVENTS, 'MINID', '=', entryId(earliest))
    set('earliest', text(earliest), 'bytes', text(bytes))
  end
  return needed
end

${STAMP}
local function append(firstArgument, step)
  local first, events = next, {}
  for i = firstArgument, #ARGV, step do
    local event = step == 2 and stamp(ARGV[i], ARGV[i + 1]) or ARGV[i]
    redis.call('XADD', EVENTS, entryId(next), 'e', event, 't', text(now))
    next, bytes = next + 1, bytes + #event
    events[#events + 1] = event
  end
  set('next', text(next), 'bytes', text(bytes))
  keep()
  announce(first, events)
  return first
end

if operation == 'exists' then return {redis.call('EXISTS', META)} end
if operation == 'probe' then
  isCluster = true
  send('')
  return {redis.call('INFO', 'server'):match('run_id:(%w+)')}
end
prepare()

if operation == 'append' then
  local id, number, state, leaseMs = ARGV[6], tonumber(ARGV[7]), ARGV[8], tonumber(ARGV[9])
  local tasks, epoch, floor = ARGV[10], ARGV[11], tonumber(ARGV[12])
  local had, _, last, ranges = leaseOf(id)
  local count, known, outcome = (#ARGV - 15) / 2, 0, nil
  while known < count and number + known <= last and isStored(ranges, number + known) do known = known + 1 end
  local isNew = known < count
  if isNew and had == 'fenced' then return fenced(id)
  elseif had == 'fenced' or not isNew and meta.closed then outcome = 'appended'
  elseif meta.closed then outcome = 'closed'
  elseif isNew and number + known <= last then outcome = 'late'
  elseif tasks == '' and epoch ~= meta.epoch then outcome = 'tasks-needed' end
  if outcome then return {outcome, meta.epoch, text(last), ranges, 0} end
  if isNew then
    local first = append(16 + 2 * known, 2)
    last, ranges = number + count - 1, addRange(ranges, floor, number + known, first, count - known)
  end
  if tasks ~= '' then holdTasks(id, tasks, epoch) end
  setLease(id, state, now + (state == 'open' and leaseMs or IDLE), last, ranges)
  local needed = trim(tonumber(ARGV[13]), tonumber(ARGV[14]), tonumber(ARGV[15]))
  if not had then forgetWriters() end
  return {'appended', meta.epoch, text(last), ranges, needed}
end

if operation == 'read' then
  local epoch, after, maxBytes = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
  trim(tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11]))
  local reply = {meta.epoch, text(earliest), text(next), meta.closed or '0'}
  if after and (epoch == meta.epoch or epoch == '') and after + 1 >= earliest then
    local size, count = 0, 4
    while after + 1 < next do
      count = math.min(count * 2, 64)
      local entries = entriesFrom(after + 1, count)
      if #entries == 0 then
        loseEvents()
        return {meta.epoch, text(earliest), text(next), meta.closed or '0'}
      end
      for _, entry in ipairs(entries) do
        local event = entry[2][2]
        size = size + #event
        if size > maxBytes and #reply > 4 then return reply end
        reply[#reply + 1] = event
        after = after + 1
      end
    end
  end
  return reply
end

if operation == 'renew' then
  local id, leaseMs, tasks, state, epoch = ARGV[6], tonumber(ARGV[7]), ARGV[8], ARGV[9], ARGV[10]
  local had, _, last, ranges = leaseOf(id)
  if had == 'fenced' then return fenced(id) end
  if meta.closed then return {'closed'} end
  holdTasks(id, tasks, epoch)
  setLease(id, state, now + (state == 'open' and leaseMs or IDLE), last, ranges)
  keep()
  return {'renewed', meta.epoch}
end

if operation == 'leases' then
  local reply = {}
  if meta.closed then return reply end
  readAll()
  for name, value in pairs(meta) do
    local id = name:match('^w:(.+)$')
    local state, expires = leaseOf(id or '')
    if state == 'open' then
      reply[#reply + 1] = {id, value, text(expires), expires <= now and 1 or 0, meta['o:' .. id] or '[]'}
    end
  end
  return reply
end

-- Transfers an expired lease to another writer, which holds its own tasks and those of the lease then.
if operation == 'takeOver' then
  local id, lease, heir, leaseMs, tasks, epoch = ARGV[6], ARGV[7], ARGV[8], tonumber(ARGV[9]), ARGV[10], ARGV[11]
  local had, _, heirLast, heirRanges = leaseOf(heir)
  if had == 'fenced' then return fenced(heir) end
  local state, expires, last, ranges = leaseOf(id)
  -- It may be sent again after a lost answer.
  local isAgain = state == 'fenced' and meta['h:' .. id] == heir
  if meta.closed or not isAgain and (meta['w:' .. id] ~= lease or expires > now) then return {'gone'} end
  setLease(id, 'fenced', now, last, ranges)
  set('h:' .. id, heir)
  holdTasks(heir, tasks, epoch)
  setLease(heir, 'open', now + leaseMs, heirLast, heirRanges)
  keep()
  return {'taken', meta.epoch}
end

if operation == 'close' then
  if not meta.closed then
    set('closed', '1')
    keep()
    announce(next, {})
  end
  return {'closed'}
end

if operation == 'saveSnapshot' then
  local epoch, through, events = ARGV[6], tonumber(ARGV[7]), ARGV[8]
  if epoch ~= meta.epoch or through >= next or through <= saved then return {'outdated'} end
  redis.call('SET', SNAPSHOT, events)
  set('snapshot', text(through))
  saved = through
  redis.call('PEXPIRE', SNAPSHOT, ttl)
  return {'saved', trim(tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11]))}
end

if operation == 'loadLedger' then
  local version = redis.call('HGET', LEDGER, 'version') or '0'
  if version == '0' or version == ARGV[6] then return {version, '', '', ''} end
  return {version, redis.call('HGET', LEDGER, 'epoch'), redis.call('HGET', LEDGER, 'through'),
    redis.call('HGET', LEDGER, 'state')}
end

if operation == 'commit' then
  local id, epoch, expected, version, state, writer = ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11]
  local own, number = ARGV[12], tonumber(ARGV[13])
  local commits = redis.call('HGET', LEDGER, 'commits') or ''
  -- A commit that is sent again after a lost connection.
  local known = commits:match(id:gsub('%-', '%%-') .. '=(%d+)')
  if known then return {'committed', known} end
  if meta.closed then return {'closed'} end
  if writer ~= '' and leaseOf(writer) == 'fenced' then return fenced(writer) end
  if meta.epoch ~= epoch or text(next) ~= expected or (redis.call('HGET', LEDGER, 'version') or '0') ~= version then
    return {'moved'}
  end
  if #ARGV > 13 then append(14, 2) else
    keep()
    announce(next, {})
  end
  local had, expires, last, ranges = leaseOf(own)
  if number and last < number then setLease(own, had or 'idle', expires or now + IDLE, number, ranges) end
  redis.call('HSET', LEDGER, 'version', text(tonumber(version) + 1), 'state', state, 'epoch', meta.epoch,
    'through', text(next - 1), 'commits', (id .. '=' .. text(next) .. ' ' .. commits):sub(1, 2048))
  redis.call('PEXPIRE', LEDGER, ttl)
  return {'committed', text(next)}
end

if operation == 'loadSnapshot' then
  return {meta.epoch, text(saved), redis.call('GET', SNAPSHOT) or '', text(earliest), text(next)}
end

return redis.error_reply('ERR unknown operation ' .. operation)
`
