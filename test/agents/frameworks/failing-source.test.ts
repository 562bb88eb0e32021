// Proves that what has come of a run is kept when its source fails, and that nothing stays open.

import fc from 'fast-check'
import { type ContextAnyEvent, isTaskEnd, run, taskEvents } from 'turnstream'
import { fromLangGraph } from 'turnstream/agents'
import { verifier } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'
import { frameworks, linesOf, newTask, type Read, read } from './reading.ts'

async function* failing(lines: Iterable<unknown>): AsyncGenerator<unknown> {
  yield* lines
  throw new Error('The connection was lost.')
}

/** The events of a task whose source fails after the lines, and what was thrown. */
async function cutOff(
  from: Read,
  lines: Iterable<unknown>,
): Promise<{ events: ContextAnyEvent[]; thrown: unknown[] }> {
  const thrown: unknown[] = []
  const events: ContextAnyEvent[] = []
  const onError = (error: unknown): void => {
    thrown.push(error)
  }
  const task = newTask()
  for await (const event of taskEvents(() => from(failing(lines), { task }), {
    contextId: task.contextId,
    taskId: task.taskId,
    onError,
  }))
    events.push(event)
  return { events, thrown }
}

/** All text, of subtasks too, by task. */
const texts = (events: readonly ContextAnyEvent[]): unknown =>
  events
    .flatMap((event) =>
      event.kind === 'content-complete' && event.content !== '' ? [`${event.taskId}: ${event.content}`] : [],
    )
    .sort()

it.each(frameworks)('%s: a source that fails leaves a legal task with all text', async (name, from) => {
  const lines = linesOf(name)
  await fc.assert(
    fc.asyncProperty(fc.nat(lines.length), async (length) => {
      const prefix = lines.slice(0, length)
      const { events, thrown } = await cutOff(from, prefix)
      const { push, end } = run(verifier())
      expect([...events.flatMap((event) => push(event)), ...end()]).toEqual([])
      expect(texts(events)).toEqual(texts((await read(from, prefix)).events))
      // A run that was over ends as it states.
      if (thrown.length > 0) expect(events.at(-1)).toMatchObject({ status: 'failed' })
      expect(
        events.filter((event) => isTaskEnd(event) && event.parentTaskId === undefined).length,
      ).toBeGreaterThan(0)
    }),
    { numRuns: runs(60) },
  )
})

it('LangGraph: what another branch has written meanwhile is read', async () => {
  const message = (id: string, content: string, more: object = {}): unknown => [
    'messages',
    [
      { type: 'AIMessageChunk', id, content, ...more },
      { langgraph_node: 'w', langgraph_step: 2, langgraph_checkpoint_ns: `w:${id}` },
    ],
  ]
  const { events, thrown } = await cutOff(fromLangGraph, [
    message('a', 'A1'),
    message('b', 'B, whole.', { response_metadata: { finish_reason: 'stop' } }),
  ])
  expect(texts(events)).toEqual(['t: A1', 't: B, whole.'])
  expect(thrown).toMatchObject([{ message: 'The connection was lost.' }])
})
