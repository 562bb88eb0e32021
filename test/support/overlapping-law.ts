/** The order in which a writer's events are stored, of which some are rejected as unavailable: repeated with the same event, or given up. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import type { Position } from 'turnstream/streams'

/** A writer, with what is stored of its stream. */
export interface Writer {
  append(event: ContextAnyEvent): Promise<Position>
  stored(): Promise<readonly ContextAnyEvent[]>
  /** Has what is late arrive. */
  arrive?(): Promise<unknown>
  end?(): unknown
}

/** Opens a writer whose requests meet fates. */
export type OpenWriter = (fates: readonly number[]) => Promise<Writer>

interface LawOptions {
  readonly timeoutMs: number
  readonly numRuns: number
}

const eventOf = (index: number): ContextAnyEvent => ({
  ...{ kind: 'content-delta', contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-01T00:00:00Z' },
  ...{ delta: `<${index}>`, index },
})

/** How long after a call the next one comes, as shares of the deadline; 0: in the same turn. */
const gaps = fc.array(fc.constantFrom(0, 0, 0, 0.1, 0.3, 0.6, 1.1), { minLength: 3, maxLength: 8 })

/**
 * The events of one writer stand in the order of its calls, each once, and where its append has stated.
 *
 * @param fates - Draws what becomes of its requests.
 */
export async function expectOrderOfCalls<T>(
  fates: fc.Arbitrary<T>,
  open: (fates: T) => Promise<Writer>,
  { timeoutMs, numRuns }: LawOptions,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fates, gaps, async (drawn, all) => {
      const writer = await persist(() => open(drawn))
      const positions: Promise<Position>[] = []
      for (const [index, gap] of all.entries()) {
        const event = eventOf(index)
        positions.push(persist(() => writer.append(event)))
        if (gap > 0) await new Promise((resolve) => setTimeout(resolve, gap * timeoutMs))
      }
      const seqs = (await Promise.all(positions)).map(({ seq }) => seq)
      const stored = await indexesIn(writer)
      const expected = all.map((_, index) => index)
      deepStrictEqual([stored, seqs], [expected, expected])
    }),
    { numRuns },
  )
}

/** An event: whether the state of its stream decides about it, and whether its writer gives it up when it is rejected. */
interface Step {
  readonly isDecided: boolean
  readonly isGivenUp: boolean
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ isDecided: fc.boolean(), isGivenUp: fc.boolean() }),
  {
    minLength: 2,
    maxLength: 6,
  },
)

/** An event that is given up is stored before what its writer appends next, or never, whatever decides about either. */
export async function expectNothingBehind<T>(
  fates: fc.Arbitrary<T>,
  open: (fates: T) => Promise<Writer>,
  { numRuns, examples = [] }: Omit<LawOptions, 'timeoutMs'> & { readonly examples?: [T, Step[]][] },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fates, steps, async (drawn, all) => {
      const writer = await persist(() => open(drawn))
      const acknowledged: number[] = []
      for (const [index, { isDecided, isGivenUp }] of all.entries()) {
        const start = { kind: 'tool-start', toolCallId: `${index}`, toolName: 't', arguments: {} }
        const event = { ...eventOf(index), ...(isDecided && start) } as ContextAnyEvent
        const appending = isGivenUp ? writer.append(event) : persist(() => writer.append(event))
        await appending.then(
          () => acknowledged.push(index),
          () => undefined,
        )
      }
      await writer.arrive?.()
      const stored = await indexesIn(writer)
      deepStrictEqual(
        stored,
        all.flatMap((_, index) => (stored.includes(index) ? [index] : [])),
      )
      deepStrictEqual(
        acknowledged.filter((index) => !stored.includes(index)),
        [],
      )
    }),
    { numRuns, examples },
  )
}

/** Callers that append another event after each that is rejected do not reject one another for ever. */
export async function expectProgress(open: OpenWriter, hanging: readonly number[]): Promise<void> {
  const writer = await open(hanging)
  let calls = 0
  const caller = async (): Promise<void> => {
    const isStored = await writer.append(eventOf(calls++)).then(
      () => true,
      () => calls > 100,
    )
    if (!isStored) await caller()
  }
  await Promise.all([caller(), caller(), caller()])
  await writer.end?.()
  ok(calls < 20, `${calls} calls for three events`)
}

/** Two plain events, one that is given up, and one that is decided about. */
export const givenUpBeforeDecision: Step[] = [
  { isDecided: false, isGivenUp: false },
  { isDecided: false, isGivenUp: false },
  { isDecided: false, isGivenUp: true },
  { isDecided: true, isGivenUp: false },
]

async function indexesIn(writer: Writer): Promise<number[]> {
  const stored = await writer.stored()
  await writer.end?.()
  return stored.flatMap((event) => ('index' in event ? [Number(event.index)] : []))
}

/** Calls until something answers in time. */
async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      equal((error as { code?: unknown }).code, 'unavailable', String(error))
    }
  }
}
