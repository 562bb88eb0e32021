/** Mastra over AG-UI, with a model that plays a script. Prints its port. */
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { ReadableStream } from 'node:stream/web'
import { MastraAgent } from '@ag-ui/mastra'
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { MockMemory } from '@mastra/core/memory'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'

const code = 'import json, script; print(json.dumps(script.MODES))'
const modes = JSON.parse(
  execFileSync(process.env.PYTHON ?? 'python3', ['-c', code], { cwd: import.meta.dirname }),
)
const usage = { inputTokens: { total: 3, noCache: 3 }, outputTokens: { total: 4, text: 4 } }

/** The turn that follows the messages, as the chunks of a model. */
function* chunksOf(pieces, thread) {
  yield { type: 'stream-start', warnings: [] }
  let open
  const end = function* () {
    if (open !== undefined) yield { type: `${open.type}-end`, id: open.id }
    open = undefined
  }
  let hasCalls = false
  for (const [i, [kind, ...rest]] of pieces.entries()) {
    const type = { text: 'text', think: 'reasoning' }[kind]
    if (type !== open?.type) yield* end()
    if (kind === 'raise') yield { type: 'error', error: new Error(rest[0]) }
    else if (type !== undefined) {
      if (open === undefined) {
        open = { type, id: `${type}${i}` }
        yield { type: `${type}-start`, id: open.id }
      }
      yield { type: `${type}-delta`, id: open.id, delta: rest[0] }
    } else {
      const [toolName, name, input] = rest
      const id = `${name}_${thread}`
      hasCalls = true
      yield { type: 'tool-input-start', id, toolName }
      yield { type: 'tool-input-delta', id, delta: input }
      yield { type: 'tool-input-end', id }
      yield { type: 'tool-call', toolCallId: id, toolName, input }
    }
  }
  yield* end()
  const reason = hasCalls ? 'tool-calls' : 'stop'
  yield { type: 'finish', finishReason: { unified: reason, raw: reason }, usage }
}

const modelOf = (mode) => ({
  ...{ specificationVersion: 'v3', provider: 'scripted', modelId: 'scripted', supportedUrls: {} },
  async doStream({ prompt }) {
    const last = prompt.findLastIndex(({ role }) => role === 'user')
    const turn = prompt.slice(last).filter(({ role }) => role === 'assistant').length
    const thread = prompt.filter(({ role }) => role === 'user').length
    return { stream: ReadableStream.from(chunksOf(modes[mode][turn] ?? [['text', 'Nothing.']], thread)) }
  },
})

const place = z.object({ place: z.string() })
const toolsOf = (isSuspended) => ({
  weather: createTool({
    ...{ id: 'weather', description: 'The weather.', inputSchema: place },
    execute: async (input) => ({ sunny: input.place }),
  }),
  broken: createTool({
    ...{ id: 'broken', description: 'Fails.', inputSchema: place },
    execute: async () => {
      throw new Error('No such place.')
    },
  }),
  note: createTool({
    ...{ id: 'note', description: 'Notes.', inputSchema: z.object({ text: z.string() }) },
    execute: async (input) => ({ noted: input.text }),
  }),
  clock: createTool({
    ...{ id: 'clock', description: 'The time.', inputSchema: z.object({}) },
    execute: async () => '12:00',
  }),
  pay: createTool({
    ...{ id: 'pay', description: 'Pays.', inputSchema: z.object({ amount: z.number() }) },
    ...(isSuspended
      ? { suspendSchema: z.object({ question: z.string() }), resumeSchema: z.object({ ok: z.boolean() }) }
      : { requireApproval: true }),
    execute: async (input, context) => {
      const { suspend, resumeData } = context?.agent ?? context ?? {}
      if (isSuspended && resumeData === undefined) return suspend({ question: 'Sure?' })
      return { paid: input.amount, ...(resumeData && { resumeData }) }
    },
  }),
})

const agents = Object.fromEntries(
  [...Object.keys(modes), 'suspend'].map((name) => {
    const mode = name === 'suspend' ? 'approve' : name
    const tools = toolsOf(name === 'suspend')
    const memory = new MockMemory()
    return [name, new Agent({ id: name, name, instructions: '', model: modelOf(mode), tools, memory })]
  }),
)

new Mastra({ agents, storage: new InMemoryStore(), logger: false })

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const agent = new MastraAgent({ agent: agents[request.url.split('/').at(-1)], resourceId: 'u' })
  const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`)
  agent.run(JSON.parse(body)).subscribe({
    next: send,
    error: ({ message }) => {
      send({ type: 'RUN_ERROR', message })
      response.end()
    },
    complete: () => response.end(),
  })
}).listen(0, '127.0.0.1', () => console.log(server.address().port))
