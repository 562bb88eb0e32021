import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    sse: 'src/sse/index.ts',
    thoughts: 'src/thoughts/index.ts',
    'agent-event': 'src/dialects/agent-event/index.ts',
  },
  format: ['esm', 'cjs'],
  target: 'es2022',
  dts: true,
  splitting: true,
  treeshake: true,
  sourcemap: true,
  clean: true,
})
