/** Mappers to other protocols and back: time per input, and whether it grows with the stream. */
import { ok } from 'node:assert'
import { type ContextAnyEvent, run } from 'turnstream'
import { fromA2a, toA2a } from 'turnstream/a2a'
import { fromAgUi, toAgUi } from 'turnstream/ag-ui'
import { fromAgentEvents, toAgentEvents } from 'turnstream/agent-event'
import { fromUiMessageStream, toUiMessageStream } from 'turnstream/ai-sdk'
import { fromFrames, toFrames } from 'turnstream/frames'
import { fromSessionEvents, toSessionEvents } from 'turnstream/session'
import { frameStreamRows } from '../support/frame-streams.ts'
import { race } from '../support/race.ts'
import { atMost, type Effort, nsEach, type Row } from '../support/row.ts'
import { legalTask } from '../support/tasks.ts'

const COUNT = 10_000

/** A mapper with its state. */
interface Mapper {
  push(input: never): readonly unknown[]
  end(): readonly unknown[]
}

/** To another protocol, and back from what that gives. */
interface Pair {
  readonly protocol: string
  readonly to: () => Mapper
  readonly from: () => Mapper
}

const pairs: readonly Pair[] = [
  { protocol: 'A2a', to: () => run(toA2a({ version: '1.0' })), from: () => run(fromA2a()) },
  {
    protocol: 'A2a with the extension',
    to: () => run(toA2a({ version: '1.0', extension: true })),
    from: () => run(fromA2a({ extension: true })),
  },
  { protocol: 'AgUi', to: () => run(toAgUi()), from: () => run(fromAgUi()) },
  {
    protocol: 'AgUi with the extension',
    to: () => run(toAgUi({ extension: true })),
    from: () => run(fromAgUi({ extension: true })),
  },
  {
    protocol: 'Frames',
    to: () => run(toFrames({ version: 'v1', sessionId: uuid(0), newId: newIds() })),
    from: () => run(fromFrames()),
  },
  { protocol: 'AgentEvents', to: () => run(toAgentEvents()), from: () => run(fromAgentEvents()) },
  { protocol: 'UiMessageStream', to: () => run(toUiMessageStream()), from: () => run(fromUiMessageStream()) },
  { protocol: 'SessionEvents', to: () => run(toSessionEvents()), from: () => run(fromSessionEvents()) },
]

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const events = legalTask(Math.ceil(COUNT * scale))
  const rows: Row[] = []
  for (const { protocol, to, from } of pairs) {
    const mapped = outputsOf(to(), events)
    ok(mapped.length > events.length / 4, `Nearly nothing is mapped to ${protocol}.`)
    const [name, ...rest] = protocol.split(' ')
    const nameOf = (direction: string): string => [`\`${direction}${name}\``, ...rest].join(' ')
    rows.push(await rowOf(rounds, nameOf('to'), to, events))
    rows.push(await rowOf(rounds, nameOf('from'), from, mapped))
  }
  const artifacts = manyArtifacts(Math.ceil(ARTIFACTS * scale))
  const to = (): Mapper => run(toA2a({ version: '1.0' }))
  rows.push(await rowOf(rounds, '`toA2a`, 16k artifacts', to, artifacts))
  rows.push(await rowOf(rounds, '`fromA2a`, 16k artifacts', () => run(fromA2a()), outputsOf(to(), artifacts)))
  return [...rows, ...(await frameStreamRows({ rounds, scale }))]
}

const ARTIFACTS = 16_000

/** A task that writes a record, a file and a dataset again and again, each with an id of its own. */
function manyArtifacts(count: number): ContextAnyEvent[] {
  const ids = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-31T10:30:00.000Z' }
  const events: ContextAnyEvent[] = [{ kind: 'task-created', initiator: 'user', ...ids }]
  for (let i = 0; i < count; i++) {
    const artifactId = `artifact-${i}`
    const chunk = { artifactId, index: 0, complete: true, ...ids }
    if (i % 3 === 0) events.push({ kind: 'data-write', artifactId, data: { total: i }, ...ids })
    else if (i % 3 === 1) events.push({ kind: 'file-write', data: 'A line of text.', ...chunk })
    else events.push({ kind: 'dataset-write', rows: [{ total: i }], ...chunk })
  }
  events.push({ kind: 'task-complete', ...ids })
  return events
}

async function rowOf(
  rounds: number,
  what: string,
  make: () => Mapper,
  inputs: readonly unknown[],
): Promise<Row> {
  const tenth = inputs.slice(0, Math.ceil(inputs.length / 10))
  const times = await race(Math.ceil(rounds / 2), {
    whole: () => outputsOf(make(), inputs).length,
    tenth: () => outputsOf(make(), tenth).length,
  })
  const ns = nsEach(times.whole, inputs.length)
  const growth = ns / nsEach(times.tenth, tenth.length)
  const detail = `growth ${growth.toFixed(2)}×`
  return { what, figure: ns / 1e3, unit: 'µs', budget: atMost(5), detail }
}

function outputsOf({ push, end }: Mapper, inputs: readonly unknown[]): unknown[] {
  const outputs: unknown[] = []
  for (const input of inputs) outputs.push(...push(input as never))
  outputs.push(...end())
  return outputs
}

function newIds(): () => string {
  let last = 0
  return () => uuid(++last)
}

function uuid(n: number): string {
  return `0b7d4c1e-5a10-4f6b-9c2e-${String(n).padStart(12, '0')}`
}
