import type { DefaultTheme } from 'vitepress'

/** The pages of the site, in the order of the sidebar. A test holds it against the files. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Guide',
    items: [
      { text: 'Getting started', link: '/start' },
      { text: 'Providers', link: '/providers' },
      { text: 'Conversations', link: '/conversations' },
      { text: 'Custom events', link: '/custom-events' },
      { text: 'JSON', link: '/json' },
      { text: 'Stores', link: '/stores' },
      { text: 'Commands', link: '/commands' },
      { text: 'Approvals', link: '/approvals' },
      { text: 'Command line', link: '/cli' },
      { text: 'Viewer', link: '/viewer' },
      { text: 'Migration', link: '/migration' },
      { text: 'OpenTelemetry', link: '/otel' },
    ],
  },
  {
    text: 'Streams',
    items: [
      { text: 'Overview', link: '/streams' },
      { text: 'Server', link: '/streams/server' },
      { text: 'Client', link: '/streams/client' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'View', link: '/streams/view' },
      { text: 'Snapshots', link: '/streams/snapshots' },
      { text: 'Log and resume', link: '/streams/log' },
      { text: 'Redis', link: '/redis' },
      { text: 'Access', link: '/streams/access' },
      { text: 'Routing', link: '/streams/routing' },
      { text: 'Verification', link: '/streams/verify' },
      { text: 'Compaction', link: '/streams/compact' },
      { text: 'Proxies', link: '/proxies' },
      { text: 'Scale', link: '/scale' },
      { text: 'Benchmarks', link: '/benchmarks' },
    ],
  },
  {
    text: 'Protocols',
    items: [
      { text: 'A2A', link: '/a2a' },
      { text: 'AG-UI', link: '/ag-ui' },
      { text: 'AI SDK', link: '/ai-sdk' },
      { text: 'OpenAI Chat Completions', link: '/openai' },
      { text: 'MCP', link: '/mcp' },
      { text: 'Event frames', link: '/frames' },
      { text: 'Agent events', link: '/agent-event' },
      { text: 'Session', link: '/session' },
      { text: 'Looopy', link: '/looopy' },
      { text: 'Coverage', link: '/reference/coverage' },
    ],
  },
  {
    text: 'Other languages',
    items: [
      { text: 'JSON Schema', link: '/json-schema' },
      { text: 'Python', link: '/languages/python' },
      { text: 'Go', link: '/languages/go' },
      { text: 'Rust', link: '/languages/rust' },
      { text: 'Java', link: '/languages/java' },
      { text: 'Kotlin', link: '/languages/kotlin' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Events', link: '/reference/events' },
      { text: 'Entry points', link: '/reference/' },
      { text: 'API', link: '/api/' },
    ],
  },
  {
    text: 'Background',
    collapsed: true,
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'Decisions', link: '/decisions' },
      { text: 'Internal event protocol', link: '/spec/internal-event-protocol' },
      { text: 'Streaming architecture', link: '/spec/streaming-architecture' },
      { text: 'Event frames', link: '/spec/event-frames' },
      { text: 'Agent event stream', link: '/spec/agent-event-stream' },
      { text: 'Event payloads', link: '/spec/event-payloads' },
    ],
  },
]
