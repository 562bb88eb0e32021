// Proves that a response is the same wherever its task is when it is asked for, and ends wherever the task does.
import fc from 'fast-check'
import { type ContextAnyEvent, isTaskEnd, type Machine, run } from 'turnstream'
import { isA2aStreamEnd, toA2a } from 'turnstream/a2a'
import { toAgUi } from 'turnstream/ag-ui'
import { toUiMessageStream } from 'turnstream/ai-sdk'
import { describe, expect, it } from 'vitest'
import type { TaskEvents } from '../../../src/server/protocol/read-task.ts'
import { replayed, resumed, type TaskWriter, upToEnd } from '../../../src/server/protocol/write-task.ts'
import { legalStreams } from '../../support/legal-streams.ts'

const writers: Readonly<Record<string, () => TaskWriter<unknown>>> = {
  'ai-sdk': () => writer(toUiMessageStream(), (type) => ['finish', 'error', 'abort'].includes(type)),
  'ag-ui': () => writer(toAgUi(), (type) => ['RUN_FINISHED', 'RUN_ERROR'].includes(type)),
  a2a: () => ({ ...writer(toA2a({ version: '1.0' }), () => false), isEnd: isA2aStreamEnd }),
}

function writer(
  machine: Machine<never, ContextAnyEvent, { readonly type?: unknown }> | unknown,
  isEnd: (type: string) => boolean,
): TaskWriter<unknown> {
  const { push, end } = run(machine as Machine<unknown, ContextAnyEvent, unknown>)
  return { push, end: () => end(), isEnd: (out) => isEnd(String((out as { type?: unknown }).type)) }
}

/** A task of which some events are there, and the others come in parts. */
function taskOf(events: readonly ContextAnyEvent[], past: number, part: number, skipped = 0): TaskEvents {
  async function* future(): TaskEvents['future'] {
    for (let at = past; at < events.length; at += part)
      yield events.slice(at, Math.min(at + part, events.length))
    return undefined
  }
  const [taskId, shown] = [events[0]?.taskId ?? '', events.slice(0, past)]
  return { taskId, past: shown, skipped, isBlocked: false, future: future() }
}

async function all(outputs: AsyncIterable<unknown> | undefined): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const output of outputs ?? []) found.push(output)
  return found
}

const split = fc.tuple(legalStreams(), fc.nat(), fc.integer({ min: 1, max: 4 }), fc.nat())

describe.each(Object.keys(writers))('%s', (name) => {
  const created = (): TaskWriter<unknown> => (writers[name] as () => TaskWriter<unknown>)()

  it('writes the same up to the first end, however much is there', async () => {
    await fc.assert(
      fc.asyncProperty(split, async ([events, at, part, skip]) => {
        const past = at % (events.length + 1)
        const skipped = skip % (past + 1)
        const whole = await all(upToEnd(taskOf(events, events.length, 1, skipped), created()))
        expect(await all(upToEnd(taskOf(events, past, part, skipped), created()))).toEqual(whole)
        const ends = whole.filter((output) => created().isEnd(output))
        expect(ends.length).toBeLessThanOrEqual(1)
        expect(ends.length === 0 || whole.at(-1) === ends[0]).toBe(true)
      }),
    )
  })

  it('resumes with all that is there, and one end at most', async () => {
    await fc.assert(
      fc.asyncProperty(split, async ([events, at, part]) => {
        const past = at % (events.length + 1)
        const { isEnd } = created()
        const whole = await all(await resumed(taskOf(events, past, part), created()))
        expect(whole.filter(isEnd).length).toBeLessThanOrEqual(1)
        const plain = whole.filter((output) => !isEnd(output))
        const written = (await all(replayed(taskOf(events, events.length, 1), created()))).filter(
          (output) => !isEnd(output),
        )
        expect(written.slice(0, plain.length)).toEqual(plain)
        if (
          events.some((event) => event.taskId === events[0]?.taskId && isTaskEnd(event)) &&
          past === events.length
        )
          expect(plain).toEqual(written)
      }),
    )
  })
})
