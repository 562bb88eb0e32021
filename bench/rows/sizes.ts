/** Sizes of the packed package: the tarball, and what a bundler keeps of an import. */
import { bundleSize, type Import, type PackedProject } from '../../scripts/package-sizes.ts'
import { atMost, type Row } from '../support/row.ts'

/** Budgets in KiB, minified and compressed. */
const budgets: readonly (Import & { readonly limit?: number })[] = [
  { names: 'encodeEvent', from: 'agentwire/sse', limit: 0.7 },
  { names: '*', from: 'agentwire/sse', limit: 2.3 },
  { names: 'readEvents', from: 'agentwire', limit: 6.5 },
  { names: '*', from: 'agentwire', limit: 11 },
  { names: 'thoughtExtractor', from: 'agentwire/thoughts', limit: 4.9 },
  { names: '*', from: 'agentwire/thoughts' },
  { names: 'foldEvent, emptyView', from: 'agentwire/streams', limit: 8 },
  { names: 'watchStream', from: 'agentwire/streams', limit: 14 },
  { names: 'createStream', from: 'agentwire/streams' },
  { names: 'parseEventId', from: 'agentwire/streams', limit: 1 },
  { names: '*', from: 'agentwire/streams' },
  { names: 'partialJson', from: 'agentwire/json' },
  { names: '*', from: 'agentwire/json' },
  { names: 'decodeCommand, createCommand', from: 'agentwire/commands' },
  { names: 'commandLedger', from: 'agentwire/commands' },
  { names: 'createLedger', from: 'agentwire/commands' },
  { names: 'fromMcp', from: 'agentwire/mcp' },
  { names: 'anthropicMessages', from: 'agentwire/providers' },
  { names: 'bedrockConverse', from: 'agentwire/providers' },
  { names: 'cohereChat', from: 'agentwire/providers' },
  { names: 'geminiContent', from: 'agentwire/providers' },
  { names: 'geminiInteractions', from: 'agentwire/providers' },
  { names: 'openaiChat', from: 'agentwire/providers' },
  { names: 'openaiResponses', from: 'agentwire/providers' },
  { names: '*', from: 'agentwire/zod' },
  { names: 'toA2a', from: 'agentwire/a2a', limit: 8 },
  { names: 'fromA2a', from: 'agentwire/a2a', limit: 8 },
  { names: 'toAgUi', from: 'agentwire/ag-ui', limit: 8 },
  { names: 'fromAgUi', from: 'agentwire/ag-ui', limit: 8 },
  { names: 'toFrames', from: 'agentwire/frames', limit: 8 },
  { names: 'fromFrames', from: 'agentwire/frames', limit: 8 },
  { names: 'toUiMessageStream', from: 'agentwire/ai-sdk', limit: 8 },
  { names: 'fromUiMessageStream', from: 'agentwire/ai-sdk', limit: 8 },
  { names: 'uiMessages', from: 'agentwire/ai-sdk' },
  { names: 'toAgentEvents', from: 'agentwire/agent-event', limit: 8 },
  { names: 'fromAgentEvents', from: 'agentwire/agent-event', limit: 8 },
  { names: 'toSessionEvents', from: 'agentwire/session', limit: 8 },
  { names: 'fromSessionEvents', from: 'agentwire/session', limit: 8 },
  { names: 'fromLooopy', from: 'agentwire/looopy', limit: 8 },
  { names: 'redisLog', from: 'agentwire/redis' },
  { names: 'redisLedger', from: 'agentwire/redis' },
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
