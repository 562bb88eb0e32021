// Proves that an event is marked if and only if a finding names it: by its index, or by its line.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/inspect/check/finding.ts'
import { recordingInspector } from '../../src/inspect/index.ts'
import { matchesAll, matchesOf } from '../../src/viewer/model/filter.ts'
import type { Recording } from '../../src/viewer/model/recording.ts'
import { readRecording, recordings } from '../support/recordings.ts'
import { readWhole } from './read-whole.ts'

/** Errors and warnings of a recording, and the line of each event. */
async function inspected(text: string): Promise<{ findings: Finding[]; lines: number[] }> {
  const findings: Finding[] = []
  const lines: number[] = []
  const inspector = recordingInspector({
    onEvent: (_, { line }) => lines.push(line),
    onFinding: (finding) => finding.severity !== 'info' && findings.push(finding),
  })
  await inspector.push(text)
  await inspector.end()
  return { findings, lines }
}

/** The events that a finding names: one by its index, or those of its line, unless a value of the line has none. */
function namedBy({ eventIndex, valueIndex, entry, line }: Finding, lines: readonly number[]): number[] {
  if (eventIndex !== undefined) return [eventIndex]
  if (valueIndex !== undefined || entry !== undefined) return []
  return lines.flatMap((at, index) => (at === line ? [index] : []))
}

const marked = ({ problems }: Recording): number[] => [...problems.severityOf.keys()].sort((a, b) => a - b)

const linesOf = (file: string): string[] => new TextDecoder().decode(readRecording(file)).trim().split('\n')
const files = Object.keys(recordings).filter((file) => file.endsWith('.jsonl'))

const garbage = fc.constantFrom(
  'garbage <img src=x>',
  '{"kind":',
  '{"type":"TEXT_MESSAGE_CONTENT","messageId"',
)
const empty = fc.constantFrom('{"type":"?"}', '{"kind":"llm-usage"}', '{}', '[]', '7')
const damage = fc.array(fc.tuple(fc.nat(), fc.oneof(garbage, empty)), { maxLength: 6 })

/** Lines with others in between, and some of their own left out. */
function damaged(
  lines: readonly string[],
  added: readonly (readonly [number, string])[],
  left: readonly number[] = [],
): string[] {
  const all = lines.filter((_, i) => !left.some((at) => at % lines.length === i))
  for (const [at, line] of added) all.splice(at % (all.length + 1), 0, line)
  return all
}

/** A recording in each form that has its values on lines, on one line, or in the body of a response. */
const forms: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  'JSON Lines': (lines) => lines.join('\n'),
  'a JSON array on one line': (lines) => `[${lines.filter((line) => isJson(line)).join(',')}]`,
  'a HAR file': (lines) => {
    const content = { mimeType: 'application/x-ndjson', text: lines.join('\n') }
    const request = { method: 'GET', url: 'http://localhost/' }
    return JSON.stringify({ log: { entries: [{ request, response: { status: 200, content } }] } })
  },
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

describe.each(Object.entries(forms))('in %s', (_, textOf) => {
  it('an event is marked if and only if a finding names it', async () => {
    const left = fc.array(fc.nat(), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), damage, left, async (file, added, lost) => {
        const text = textOf(damaged(linesOf(file), added, lost))
        const { findings, lines } = await inspected(text)
        const recording = await readWhole(text)
        expect(recording.lines).toEqual(lines)
        const named = findings.map((finding) => namedBy(finding, lines))
        const marks = marked(recording)
        expect(marks.filter((index) => !named.flat().includes(index))).toEqual([])
        for (const events of named)
          if (events.length > 0) expect(marks).toEqual(expect.arrayContaining([expect.toBeOneOf(events)]))
        const { length } = recording.events
        expect(matchesOf(recording, { ...matchesAll, onlyProblems: true }, 0, length)).toEqual(marks)
        const shown = recording.problems.all.filter(({ severity }) => severity !== 'info')
        expect(new Set(shown.flatMap(({ index = [] }) => index))).toEqual(new Set(marks))
        expect(shown.map(({ line }) => line)).toEqual(findings.map(({ line }) => line))
      }),
    )
  })
})

it('lines that hold no value mark no event', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(fc.tuple(fc.nat(), garbage), { minLength: 1, maxLength: 6 }),
      async (file, added) => {
        const lines = linesOf(file)
        const clean = await readWhole(lines.join('\n'))
        const recording = await readWhole(damaged(lines, added).join('\n'))
        expect(recording.events).toEqual(clean.events)
        expect(marked(recording)).toEqual(marked(clean))
        expect(recording.problems.counts.error).toBeGreaterThan(clean.problems.counts.error)
      },
    ),
  )
})
