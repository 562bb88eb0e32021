// Proves what shape the sources have: files of a readable length, and entry points that export exactly
// these names, each documented.

import { describe, expect, it } from 'vitest'
import { nameCounts } from '../scripts/count-names.ts'
import { documentationOf, entryPoints, entryProgram, programOf, symbolsOf } from '../scripts/entry-points.ts'
import { absolute, sourceFiles } from './support/sources.ts'

const MOST_LINES = 400

/** All names of all entry points. Lower it with each name that goes; a new one takes the place of another. */
const MOST_NAMES = 399

/**
 * The names of the public surface. A change here is a change for users: it belongs
 * in the changelog.
 */
const pinned: Readonly<Record<string, readonly string[]>> = {
  'index.ts': [
    'AnyEvent',
    'ContextEventOf',
    'CitedSource',
    'ContextAnyEvent',
    'ContextEvent',
    'CustomEvents',
    'DecodeResult',
    'DecodedMessage',
    'Diagnostic',
    'Emitter',
    'ErrorInfo',
    'EventContext',
    'EventDraft',
    'EventKind',
    'EventOf',
    'Issue',
    'JsonSchema',
    'JsonValue',
    'Machine',
    'MachineState',
    'Metadata',
    'PROTOCOL_VERSION',
    'ResponseError',
    'Runner',
    'Source',
    'Step',
    'TaskStatus',
    'ThoughtType',
    'ThoughtVerbosity',
    'ToolCall',
    'UnknownEvent',
    'Usage',
    'createEmitter',
    'decodeAnyEvent',
    'decodeEvent',
    'eventDecoder',
    'eventKinds',
    'isSafeAuthUrl',
    'isTaskEnd',
    'isTerminalStatus',
    'iterate',
    'iterateBatches',
    'pipe',
    'readEvents',
    'run',
    'stamp',
    'taskEvents',
    'transform',
    'unstamp',
  ],
  'otel/index.ts': ['traceEvents'],
  'zod/index.ts': ['Schema', 'schemas'],
  'sse/index.ts': [
    'JsonMessage',
    'ReconnectFields',
    'SseMessage',
    'encodeComment',
    'encodeEvent',
    'encodeJson',
    'encodeMessage',
    'eventStream',
    'eventStreamHeaders',
    'jsonDecoder',
    'sseDecoder',
  ],
  'thoughts/index.ts': [
    'ExtractedThoughts',
    'SnapshotRewrite',
    'Thought',
    'ThoughtEnd',
    'ThoughtEventDraft',
    'ThoughtEventsEnd',
    'ThoughtOutput',
    'extractThoughts',
    'snapshotsToDeltas',
    'thoughtEvents',
    'thoughtExtractor',
  ],
}

const files = sourceFiles()
const entries = entryPoints.map(({ source }) => source.replace(/^src\//, ''))

/** The exports of a module that are not documented where they are declared. */
function undocumented(path: string, program = entryProgram()): string[] {
  const checker = program.getTypeChecker()
  return symbolsOf(path, program)
    .filter((symbol) => documentationOf(symbol, checker) === '')
    .map(({ name }) => name)
}

describe('files', () => {
  it.each(
    files
      .filter(({ path }) => !path.endsWith('.generated.ts'))
      .map(({ path, text }) => [path, text] as const),
  )(`%s has at most ${MOST_LINES} lines`, (_, text) =>
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES),
  )
})

describe('entry points', () => {
  it.each(entries)('%s documents all it exports', (entry) => {
    expect(symbolsOf(absolute(entry), entryProgram())).not.toEqual([])
    expect(undocumented(absolute(entry))).toEqual([])
  })

  it(`export at most ${MOST_NAMES} names`, () => {
    const counts = nameCounts()
    const all = counts.reduce((sum, { values, types }) => sum + values + types, 0)
    expect(all, `Count them with \`npx tsx scripts/count-names.ts\`.`).toBeLessThanOrEqual(MOST_NAMES)
  })

  it.each(Object.entries(pinned))('%s exports just these names', (entry, names) => {
    const found = symbolsOf(absolute(entry), entryProgram()).map(({ name }) => name)
    expect(found.sort(), 'Name each export in "pinned", test/package-shape.test.ts.').toEqual(
      [...names].sort(),
    )
  })
})

it('an export without documentation is found, wherever it is declared', () => {
  const texts: Readonly<Record<string, string>> = {
    '/entry.ts':
      "// The part\nexport { a, type B, type C } from './part.ts'\n/** Said here. */\nexport const d = 1",
    '/part.ts':
      '// Not a doc comment\nexport const a = 1\nexport type B = 1\n/** Said. */\nexport type C = 1',
  }
  const sample = programOf(['/entry.ts'], (path) => texts[path] ?? '')
  expect(undocumented('/entry.ts', sample)).toEqual(['a', 'B'])
})
