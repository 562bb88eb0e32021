import { type EventLog, follow, readFilter } from 'turnstream/streams'

/** Copies what users may see of a log to a durable stream, and closes it with the log. Called again, it copies nothing twice. */
export async function copyLog(log: EventLog, url: string): Promise<void> {
  const send = async (method: string, headers: Record<string, string>, body?: string): Promise<void> => {
    const init = {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body }),
    }
    const response = await fetch(url, init)
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`)
  }
  await send('PUT', {})
  let seq = 0
  for await (const part of follow(log, null, { filter: readFilter({ audience: 'user' }) })) {
    if (part.type === 'reset') throw new Error('The log no longer has its first events.')
    for (const event of part.events) {
      // What the server has of this producer is not appended again.
      const producer = { 'producer-id': part.epoch, 'producer-epoch': '0', 'producer-seq': `${seq++}` }
      await send('POST', producer, JSON.stringify(event))
    }
  }
  await send('POST', { 'stream-closed': 'true' })
}
