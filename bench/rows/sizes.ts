/** Sizes of the packed package: the tarball, and what a bundler keeps of an import. */
import { bundleSize, type Import, type PackedProject } from '../../scripts/package-sizes.ts'
import { atMost, type Row } from '../support/row.ts'

/** Budgets in KiB, minified and compressed. */
const budgets: readonly (Import & { readonly limit?: number })[] = [
  { names: 'encodeMessage', from: 'turnstream/sse', limit: 0.7 },
  { names: 'encodeEvent', from: 'turnstream/sse', limit: 4 },
  { names: '*', from: 'turnstream/sse' },
  { names: 'readEvents', from: 'turnstream', limit: 6.5 },
  { names: '*', from: 'turnstream', limit: 11 },
  { names: 'thoughtExtractor', from: 'turnstream/thoughts', limit: 4.9 },
  { names: '*', from: 'turnstream/thoughts' },
  { names: 'foldEvent, emptyView', from: 'turnstream/streams', limit: 8 },
  { names: 'watchStream', from: 'turnstream/streams', limit: 14 },
  { names: 'watchStreamWith', from: 'turnstream/streams' },
  { names: 'createStream', from: 'turnstream/streams' },
  { names: 'parseEventId', from: 'turnstream/streams', limit: 1 },
  { names: '*', from: 'turnstream/streams' },
  { names: 'partialJson', from: 'turnstream/json' },
  { names: '*', from: 'turnstream/json' },
  { names: 'decodeCommand, createCommand', from: 'turnstream/commands' },
  { names: 'commandLedger', from: 'turnstream/commands' },
  { names: 'memoryStore', from: 'turnstream/server' },
  { names: 'acpAgent', from: 'turnstream/acp' },
  { names: 'serveAcp', from: 'turnstream/acp' },
  { names: 'toAcp', from: 'turnstream/acp', limit: 8 },
  { names: 'agentClient', from: 'turnstream/client' },
  { names: 'useAgent', from: 'turnstream/react' },
  { names: 'agentLoop, chatFormat', from: 'turnstream/agents' },
  { names: 'fromMcp', from: 'turnstream/mcp' },
  { names: 'anthropicMessages', from: 'turnstream/providers' },
  { names: 'bedrockConverse', from: 'turnstream/providers' },
  { names: 'cohereChat', from: 'turnstream/providers' },
  { names: 'geminiContent', from: 'turnstream/providers' },
  { names: 'geminiInteractions', from: 'turnstream/providers' },
  { names: 'openaiChat', from: 'turnstream/providers' },
  { names: 'openaiResponses', from: 'turnstream/providers' },
  { names: '*', from: 'turnstream/zod' },
  { names: 'toA2a', from: 'turnstream/a2a', limit: 8 },
  { names: 'fromA2a', from: 'turnstream/a2a', limit: 8 },
  { names: 'toAgUi', from: 'turnstream/ag-ui', limit: 8 },
  { names: 'fromAgUi', from: 'turnstream/ag-ui', limit: 8 },
  { names: 'toFrames', from: 'turnstream/frames', limit: 8 },
  { names: 'fromFrames', from: 'turnstream/frames', limit: 8 },
  { names: 'toUiMessageStream', from: 'turnstream/ai-sdk', limit: 8 },
  { names: 'fromUiMessageStream', from: 'turnstream/ai-sdk', limit: 8 },
  { names: 'uiMessages', from: 'turnstream/ai-sdk' },
  { names: 'toChatCompletions', from: 'turnstream/openai', limit: 8 },
  { names: 'toAgentEvents', from: 'turnstream/agent-event', limit: 8 },
  { names: 'fromAgentEvents', from: 'turnstream/agent-event', limit: 8 },
  { names: 'toSessionEvents', from: 'turnstream/session', limit: 8 },
  { names: 'fromSessionEvents', from: 'turnstream/session', limit: 8 },
  { names: 'fromLooopy', from: 'turnstream/looopy', limit: 8 },
  { names: 'traceEvents', from: 'turnstream/otel', limit: 8 },
  { names: 'eventLogLaw', from: 'turnstream/testing' },
  { names: 'redisLog', from: 'turnstream/redis' },
  { names: 'redisStore', from: 'turnstream/redis' },
  { names: 'sqlStore', from: 'turnstream/sql' },
]

export async function bench(project: PackedProject): Promise<Row[]> {
  const rows: Row[] = []
  for (const { limit, ...imported } of budgets) {
    const { min, gzip, zod } = await bundleSize(project, imported)
    rows.push({
      what:
        imported.names === '*'
          ? `everything of \`${imported.from}\``
          : `\`${imported.names}\` of \`${imported.from}\``,
      figure: gzip / 1024,
      unit: 'KiB',
      ...(limit !== undefined && { budget: atMost(limit) }),
      detail: `${(min / 1024).toFixed(1)} KiB minified${zod > 0 ? `, of which zod ${(zod / 1024).toFixed(1)}` : ''}`,
    })
  }
  return [
    ...rows,
    { what: 'the tarball', figure: project.tarball / 1024, unit: 'KiB', budget: atMost(500_000 / 1024) },
    {
      what: 'the tarball, unpacked',
      figure: project.unpacked / 1024,
      unit: 'KiB',
      budget: atMost(3_000_000 / 1024),
    },
  ]
}
