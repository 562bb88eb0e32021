// A server in a process of its own, whose log of 8 MB clients ask for and never read. Reports its memory when asked.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEmitter } from 'turnstream'
import { createStream } from 'turnstream/streams'

const LENGTH = 8e6
const emitter = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
const stream = createStream({ stream: 'task/1', epoch: 'epoch-1' })
for (let size = 0; size < LENGTH; ) {
  const event = emitter.emit({ kind: 'content-delta', delta: 'words '.repeat(115) })
  await stream.append(event)
  size += JSON.stringify(event).length
}

let responses = 0
/** Bytes of all bodies that were read. */
let sent = 0
const server = createServer((_, response) => {
  const { status, headers, body } = stream.respond(null, { viewer: { audience: 'user' } })
  response.writeHead(status, headers)
  responses++
  Readable.fromWeb(body)
    .on('data', (bytes) => {
      sent += bytes.length
    })
    .pipe(response)
})

process.on('message', async () => {
  for (let i = 0; i < 5; i++) {
    await sleep(20)
    gc()
  }
  process.send({ rss: process.memoryUsage.rss(), responses, sent })
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
