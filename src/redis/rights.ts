/** The commands of Redis that a stream needs: a user may lack the right to one. */

/** The commands of the script, and those around it. */
export const COMMANDS =
  '+eval +evalsha +info +time +subscribe +unsubscribe +publish +ssubscribe +sunsubscribe +spublish +hset +hget +hmget +hgetall +hlen +hdel +set +get +del +exists +rename +pexpire +pttl +xadd +xlen +xrange +xtrim +zadd +zscore +zrem +zrangebyscore'

/** The operation that tries each command of the script on a key of its own. Returns whether this is a cluster (1), and what is refused. */
export const TRY_COMMANDS: string = `
if operation == 'check' then
  local refused = {0}
  local function try(command, ...)
    local reply = redis.pcall(command, ...)
    if type(reply) == 'table' and reply.err then refused[#refused + 1] = command .. ' (' .. reply.err .. ')' end
  end
  try('DEL', CHECK)
  try('HSET', CHECK, 'a', '1'); try('HGET', CHECK, 'a'); try('HMGET', CHECK, 'a'); try('HGETALL', CHECK); try('HLEN', CHECK); try('HDEL', CHECK, 'a')
  try('SET', CHECK, '1'); try('GET', CHECK); try('PEXPIRE', CHECK, ttl); try('PTTL', CHECK)
  try('RENAME', CHECK, CHECK); try('EXISTS', CHECK)
  redis.pcall('DEL', CHECK)
  try('XADD', CHECK, '0-1', 'e', '1')
  try('XLEN', CHECK)
  try('XRANGE', CHECK, '0-1', '+', 'COUNT', 1)
  try('XTRIM', CHECK, 'MINID', '=', '0-1')
  redis.pcall('DEL', CHECK)
  try('ZADD', CHECK, '1', 'a'); try('ZSCORE', CHECK, 'a'); try('ZREM', CHECK, 'a')
  try('ZRANGEBYSCORE', CHECK, '0', '1', 'LIMIT', '0', '1')
  redis.pcall('DEL', CHECK)
  try('TIME')
  try('INFO', 'server', 'replication')
  try('PUBLISH', CHECK, '')
  local info = redis.pcall('INFO', 'server')
  if type(info) == 'string' and info:find('_mode:cluster', 1, true) then
    refused[1] = 1
    try('SPUBLISH', CHECK, '')
  end
  return refused
end
`
