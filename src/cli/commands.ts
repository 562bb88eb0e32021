/** The commands of the binary. What only one of them needs of a format, it loads when it is called. */

import type { CommandEntry } from './command.ts'
import { conformance } from './conformance/index.ts'
import { convert } from './convert/index.ts'
import { dev } from './dev/index.ts'
import { diff } from './diff/index.ts'
import { fold } from './fold.ts'
import { init } from './init.ts'
import { inspect } from './inspect/index.ts'
import { record } from './record/index.ts'
import { replay } from './replay/index.ts'
import { schema } from './schema/index.ts'
import { validate } from './validate/index.ts'
import { viewer } from './viewer/index.ts'

export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Write an agent and its page to start from',
    command: init,
  },
  {
    name: 'record',
    summary: 'Write what a server sends, with times',
    command: record,
  },
  {
    name: 'dev',
    summary: 'Show the stream of a running server live, in the viewer',
    command: dev,
  },
  {
    name: 'inspect',
    summary: 'Show what a recording holds, and what is wrong with it',
    command: inspect,
  },
  {
    name: 'validate',
    summary: 'Check a recording against the rules of its format',
    command: validate,
  },
  {
    name: 'convert',
    summary: 'Convert a recording to another format',
    command: convert,
  },
  {
    name: 'diff',
    summary: 'Show which events of two recordings differ',
    command: diff,
  },
  {
    name: 'fold',
    summary: 'Print the view that a recording leads to',
    command: fold,
  },
  {
    name: 'replay',
    summary: 'Serve a recording as a local SSE stream',
    command: replay,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of an event, with an example',
    command: schema,
  },
  {
    name: 'viewer',
    summary: 'Open a recording in the viewer',
    command: viewer,
  },
  {
    name: 'conformance',
    summary: 'Run the conformance suites against a program in any language',
    command: conformance,
  },
]
