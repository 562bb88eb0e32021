import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    sse: 'src/sse/index.ts',
    thoughts: 'src/thoughts/index.ts',
    streams: 'src/streams/index.ts',
    a2a: 'src/dialects/a2a/index.ts',
    frames: 'src/dialects/frames/index.ts',
    'agent-event': 'src/dialects/agent-event/index.ts',
    session: 'src/dialects/session/index.ts',
  },
  format: ['esm', 'cjs'],
  target: 'es2022',
  dts: true,
  splitting: true,
  treeshake: true,
  sourcemap: true,
  clean: true,
})
