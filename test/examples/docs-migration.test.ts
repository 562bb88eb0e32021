// The example of docs/migration.md: both streams of an application that moves to turnstream.
import type { ContextAnyEvent } from 'turnstream'
import { run } from 'turnstream'
import { emptyView, foldEvents, type Violation, verifier } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { dualWrite, type OwnEvent } from '../../examples/docs/migration.ts'

function written(events: readonly OwnEvent[]) {
  const own: OwnEvent[] = []
  const turnstream: ContextAnyEvent[] = []
  const violations: Violation[] = []
  const task = { contextId: 'ctx-1', taskId: 'task-1' }
  const send = {
    own: (event: OwnEvent) => own.push(event),
    turnstream: (event: ContextAnyEvent) => turnstream.push(event),
  }
  const write = dualWrite(task, send, (violation) => violations.push(violation))
  for (const event of events) write(event)
  return { own, turnstream, violations }
}

const events: OwnEvent[] = [
  { type: 'start', question: 'When is high tide?' },
  { type: 'token', text: 'I look ' },
  { type: 'token', text: 'it up.' },
  { type: 'tool', id: 'call-1', name: 'tide_table', input: { place: 'Brest' } },
  { type: 'toolResult', id: 'call-1', name: 'tide_table', output: '16:12' },
  { type: 'done' },
]

it('writes the old stream unchanged, and a legal new one', () => {
  const { own, turnstream, violations } = written(events)
  expect(own).toEqual(events)
  expect(violations).toEqual([])
  const { push, end } = run(verifier({ mode: 'standard' }))
  expect(
    [...turnstream.flatMap((event) => [...push(event)]), ...end()].filter(
      ({ severity }) => severity === 'error',
    ),
  ).toEqual([])
  const [task] = foldEvents(emptyView, turnstream).tasks
  expect(task).toMatchObject({ status: 'completed', input: 'When is high tide?' })
  expect(task?.parts.map(({ type }) => type)).toEqual(['text', 'tool'])
})

it('logs what breaks a rule, and goes on', () => {
  const { turnstream, violations } = written([...events, { type: 'token', text: 'Late.' }])
  expect(violations.map(({ rule }) => rule)).toContain('nothing-after-end')
  expect(turnstream.at(-1)).toMatchObject({ kind: 'content-delta' })
})

it('ends a failed task', () => {
  const { turnstream } = written([events[0] as OwnEvent, { type: 'error', message: 'Overloaded.' }])
  expect(turnstream.at(-1)).toMatchObject({ status: 'failed', error: { message: 'Overloaded.' } })
})
