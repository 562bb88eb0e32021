/** The commands of the binary. Each is loaded when it is called, so that the others do not delay it. */
import type { CommandEntry } from './command.ts'

export const commands: readonly CommandEntry[] = [
  {
    name: 'inspect',
    summary: 'Show what a recording holds, and what is wrong with it',
    load: async () => (await import('./inspect/index.ts')).inspect,
  },
  {
    name: 'validate',
    summary: 'Check a recording against the rules of its format',
    load: async () => (await import('./validate/index.ts')).validate,
  },
  {
    name: 'convert',
    summary: 'Convert a recording to another format',
    load: async () => (await import('./convert/index.ts')).convert,
  },
  {
    name: 'fold',
    summary: 'Print the view that a recording leads to',
    load: async () => (await import('./fold.ts')).fold,
  },
  {
    name: 'replay',
    summary: 'Serve a recording as a local SSE stream',
    load: async () => (await import('./replay/index.ts')).replay,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of an event, with an example',
    load: async () => (await import('./schema.ts')).schema,
  },
  {
    name: 'viewer',
    summary: 'Open a recording in the viewer',
    load: async () => (await import('./viewer.ts')).viewer,
  },
  {
    name: 'conformance',
    summary: 'Run the conformance suites against a program in any language',
    load: async () => (await import('./conformance/index.ts')).conformance,
  },
]
