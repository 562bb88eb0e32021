// Proves that what clients do not see because of its form is reported, once.
import type { ContextAnyEvent, Diagnostic } from 'turnstream'
import { eventStream } from 'turnstream/sse'
import { createStream, readFilter } from 'turnstream/streams'
import { expect, it } from 'vitest'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
const rated = { ...place, kind: 'content-delta', delta: 'a', index: 0, stack: 'x', metadata: { rating: 1 } }
const unnamed = { ...place, kind: 'custom', name: 'none', data: 1 }
const events = [rated, unnamed, rated, unnamed] as unknown as ContextAnyEvent[]

const expected = [
  { code: 'hidden:metadata', path: '/metadata/rating' },
  { code: 'hidden:stack', path: '/stack' },
  { code: 'invalid-event', path: '/name' },
]

const reported = (diagnostics: readonly Diagnostic[]): object[] =>
  diagnostics.map(({ code, path }) => ({ code, path }))

it('is reported by a stream of events, which leaves out what is not valid', async () => {
  const diagnostics: Diagnostic[] = []
  const onDiagnostic = (diagnostic: Diagnostic): number => diagnostics.push(diagnostic)
  const text = await new Response(eventStream(events, { onDiagnostic })).text()
  expect(text.match(/^data: /gm)).toHaveLength(2)
  expect(text).not.toMatch(/stack|rating|custom/)
  expect(reported(diagnostics)).toEqual(expected)
})

it('is reported by a filter', () => {
  const diagnostics: Diagnostic[] = []
  const { apply } = readFilter({ audience: 'user' }, {}, { onDiagnostic: (each) => diagnostics.push(each) })
  expect(events.map(apply).map((event) => event?.kind)).toEqual([
    'content-delta',
    undefined,
    'content-delta',
    undefined,
  ])
  expect(reported(diagnostics)).toEqual(expected)
})

it('is reported once by a stream with several readers', async () => {
  const diagnostics: Diagnostic[] = []
  const stream = createStream({ stream: 's', epoch: 'e', onDiagnostic: (each) => diagnostics.push(each) })
  await stream.append(rated as unknown as ContextAnyEvent)
  await stream.close()
  for (let reader = 0; reader < 3; reader++) await new Response(stream.respond(null).body).text()
  expect(reported(diagnostics)).toEqual(expected.slice(0, 2))
})
