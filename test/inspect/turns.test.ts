// Proves that no turn of a recording is lost when it is converted: each is written as if it were alone.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { targets, writerOf } from '../../src/cli/convert/writers.ts'
import type { ContextAnyEvent } from '../../src/events/event.ts'
import { recordingInspector } from '../../src/inspect/index.ts'
import { inTurn } from '../../src/inspect/write/in-turn.ts'
import { repeated, responses, textOf } from '../support/responses.ts'
import { runs } from '../support/runs.ts'

/** The events that a recording is read as. */
async function eventsOf(text: string): Promise<ContextAnyEvent[]> {
  const events: ContextAnyEvent[] = []
  const inspector = recordingInspector({ findings: 'mapping', onEvent: (event) => events.push(event) })
  await inspector.push(text)
  await inspector.end()
  return events
}

async function converted(
  events: readonly ContextAnyEvent[],
  target: (typeof targets)[number],
): Promise<string> {
  let ids = 0
  const writer = await writerOf(target, {
    viewer: { audience: 'operator', subtasks: 'all' },
    extension: false,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
  })
  return [...events.map((event) => writer.push(event)), writer.end()]
    .flatMap(({ out }) => out.map((value) => `${JSON.stringify(value)}\n`))
    .join('')
}

/** The texts, calls and results, in order. */
function contentOf(events: readonly ContextAnyEvent[]): unknown[] {
  return events.flatMap((event): unknown[] => {
    if (event.kind === 'content-complete') return event.content === '' ? [] : [event.content]
    if (event.kind === 'tool-start') return [[event.toolName, event.arguments]]
    if (event.kind === 'tool-complete') return [[event.toolName, event.success, event.result]]
    return []
  })
}

type Target = (typeof targets)[number]

/** What a reader of the target finds, in any order: what overlaps may be written one after the other. */
async function readBack(events: readonly ContextAnyEvent[], target: Target): Promise<string[]> {
  const read = contentOf(await eventsOf(await converted(events, target)))
  return read.map((each) => JSON.stringify(each)).sort()
}

/** What a turn does: it says something, or calls a tool, which answers or not. */
type Act = 'text' | 'call' | 'pending'

/** The events of a turn. `ending`: of a turn that ends. */
function turn(number: number, acts: readonly Act[], ending: boolean): ContextAnyEvent[] {
  const context = { contextId: 'c', taskId: `turn-${number}`, timestamp: '2026-03-14T08:00:00.000Z' }
  const events: object[] = [
    { kind: 'task-created', initiator: 'user' },
    { kind: 'task-status', status: 'working' },
  ]
  for (const [i, act] of acts.entries()) {
    const name = `${number}-${i}`
    if (act === 'text') {
      events.push(
        { kind: 'content-delta', delta: `text ${name}`, index: 0 },
        { kind: 'content-complete', content: `text ${name}` },
      )
      continue
    }
    const call = { toolCallId: `call-${name}`, toolName: 'find' }
    events.push({ kind: 'tool-start', ...call, arguments: { name } })
    if (act === 'call')
      events.push({ kind: 'tool-complete', ...call, success: true, result: `found ${name}` })
  }
  if (ending) events.push({ kind: 'task-status', status: 'completed' }, { kind: 'task-complete' })
  return events.map((event) => ({ ...event, ...context }) as ContextAnyEvent)
}

const turns = fc
  .array(
    fc.tuple(fc.array(fc.constantFrom<Act>('text', 'call', 'pending'), { maxLength: 4 }), fc.boolean()),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((all) => all.map(([acts, ending], i) => turn(i, acts, ending)))

/** What of some texts is not among others. */
function missingIn(all: readonly string[], texts: readonly string[]): string[] {
  const rest = [...all]
  return texts.filter((text) => {
    const at = rest.indexOf(text)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}

describe.each(targets)('converted to %s', (target) => {
  it('turns keep what each keeps alone, one after the other or overlapping', async () => {
    await fc.assert(
      fc.asyncProperty(
        turns,
        fc.infiniteStream(fc.nat({ max: 3 })),
        fc.boolean(),
        async (all, picks, overlap) => {
          const alone = (await Promise.all(all.map((events) => readBack(events, target)))).flat().sort()
          const rest = all.map((events) => [...events])
          const mixed: ContextAnyEvent[] = []
          while (rest.some(({ length }) => length > 0)) {
            const open = rest.filter(({ length }) => length > 0)
            mixed.push(
              ...(open[overlap ? (picks.next().value as number) % open.length : 0] ?? []).splice(
                0,
                overlap ? 1 : Infinity,
              ),
            )
          }
          expect(missingIn(await readBack(mixed, target), alone)).toEqual([])
        },
      ),
      { numRuns: runs(25) },
    )
  })

  it.each(Object.keys(responses))('three responses of %s keep what each keeps alone', async (file) => {
    const alone = await readBack(await eventsOf(textOf(file)), target)
    const all = await readBack(await eventsOf(repeated(file, 3)), target)
    expect(missingIn(all, [...alone, ...alone, ...alone])).toEqual([])
  })
})

it('of tasks that overlap, all events are written, and few wait', () => {
  const written: unknown[] = []
  const writer = inTurn(
    () => ({
      push: (event) => ({ out: [`${event.taskId} ${(event as { index: number }).index}`] }),
      end: () => ({ out: [] }),
    }),
    'never',
  )
  const count = 15_000
  for (let index = 0; index < count; index++) {
    for (const taskId of ['a', 'b']) {
      const event = { kind: 'content-delta', contextId: 'c', taskId, delta: '', index } as ContextAnyEvent
      written.push(...writer.push(event).out)
    }
  }
  expect(written.length).toBeGreaterThanOrEqual(2 * count - 10_000)
  written.push(...writer.end().out)
  for (const taskId of ['a', 'b']) {
    const own = written.filter((each) => String(each).startsWith(taskId))
    expect(own).toEqual(Array.from({ length: count }, (_, index) => `${taskId} ${index}`))
  }
})
