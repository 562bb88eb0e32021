import { iterate, pipe } from 'turnstream'
import { fromLooopy } from 'turnstream/looopy'
import { sseDecoder } from 'turnstream/sse'

// What a Looopy server sends; in an application, the body of a response.
const body = [
  `id: ctx-1-1
event: content-delta
data: {"taskId":"task-1","delta":"Hello","index":0,"timestamp":"2026-03-01T08:00:00.000Z"}

id: ctx-1-3
event: llm-usage
data: {"taskId":"task-1","model":"m","total_tokens":9,"timestamp":"2026-03-01T08:00:01.000Z"}

`,
]

for await (const event of iterate(pipe(sseDecoder(), fromLooopy({ now: Date.now })), body)) {
  console.log(event.contextId, event.kind) // ctx-1 content-delta, ctx-1 custom
}
