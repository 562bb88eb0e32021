// Proves that the run time of a tool is the same in the viewer and on the command line.

import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { inspectRecording, type TaskReport } from '../../src/inspect/index.ts'
import { readInto } from '../../src/viewer/model/reading.ts'
import { Recording } from '../../src/viewer/model/recording.ts'
import { visibleRows } from '../../src/viewer/model/row.ts'
import { describe as inWords, lengthOf } from '../../src/viewer/ui/row-texts.ts'
import { State } from '../../src/viewer/ui/state.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { readRecording, recordings } from '../support/recordings.ts'

async function read(bytes: Uint8Array | string): Promise<Recording> {
  const recording = new Recording()
  const reading = readInto(recording, () => {})
  await reading.push(bytes)
  await reading.end()
  return recording
}

/** The run time of each call by its task and id, as the viewer shows it. */
function shownIn({ timeline }: Recording): Map<string, number | undefined> {
  const rows = visibleRows(timeline.roots, new Set()).map(({ row }) => row)
  const tools = rows.filter(({ family }) => family === 'tool')
  return new Map(tools.map(({ parent, id, ranMs }) => [`${parent?.id} ${id}`, ranMs]))
}

/** The same, as `turnstream inspect` reports it. */
async function reportedOf(bytes: Uint8Array | string): Promise<Map<string, number | undefined>> {
  const times = new Map<string, number | undefined>()
  const add = ({ taskId, tools, children }: TaskReport): void => {
    for (const { toolCallId, durationMs } of tools) times.set(`${taskId} ${toolCallId}`, durationMs)
    children.forEach(add)
  }
  const { tasks } = await inspectRecording([bytes])
  tasks.forEach(add)
  return times
}

/** Legal streams with pauses; some tools state how long they ran. */
const timed = fc
  .tuple(legalStreams(), fc.array(fc.nat(3000), { minLength: 1 }), fc.option(fc.nat(9000)))
  .map(([events, pauses, duration]) => {
    let ms = Date.UTC(2026, 0, 1)
    return events.map((event, i) => {
      ms += pauses[i % pauses.length] ?? 0
      const isTimed = event.kind === 'tool-complete' && duration !== null && i % 2 === 0
      return {
        ...event,
        timestamp: new Date(ms).toISOString(),
        ...(isTimed && { metadata: { ...event.metadata, duration } }),
      }
    })
  })

describe('the run time of a tool', () => {
  it('of any stream is what the command line reports', async () => {
    await fc.assert(
      fc.asyncProperty(timed, async (events) => {
        const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
        expect(shownIn(await read(text))).toEqual(await reportedOf(text))
      }),
    )
  })

  it.each(Object.keys(recordings))('of %s is what the command line reports', async (file) => {
    const bytes = readRecording(file)
    expect(shownIn(await read(bytes))).toEqual(await reportedOf(bytes))
  })

  const call = { toolCallId: 'x', toolName: 'confirm_action' }
  const at = (ms: number, kind: string, fields: object): ContextAnyEvent =>
    ({
      kind,
      contextId: 'c',
      taskId: 't',
      timestamp: new Date(ms).toISOString(),
      ...fields,
    }) as ContextAnyEvent

  it('has no writing of arguments in it, and is named', () => {
    const state = new State(() => {})
    state.open('run.jsonl')
    const events = [
      at(1000, 'tool-arguments-delta', { ...call, index: 0, delta: '{}' }),
      at(1100, 'tool-start', { ...call, arguments: {} }),
      at(1700, 'tool-complete', { ...call, success: true }),
    ]
    for (const event of events) state.recording.add(event)
    state.finished()
    const row = state.recording.timeline.rowOf[0]
    if (row === undefined) throw new Error('Expected a row.')
    expect(lengthOf(row, state)).toBe('600 ms')
    expect(inWords(row, state)).toContain('arguments written in 100 ms · ran for 600 ms')
  })

  it('is unknown before the tool ends', () => {
    const state = new State(() => {})
    state.open('run.jsonl')
    state.recording.add(at(1000, 'tool-start', { ...call, arguments: {} }))
    state.recording.add(at(2000, 'tool-progress', { ...call, progress: 0.5 }))
    state.finished()
    const row = state.recording.timeline.rowOf[0]
    expect(row && lengthOf(row, state)).toBe('')
  })
})
