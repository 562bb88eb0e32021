// Proves that the latest of many open requests are repeated while the task waits, at a linear cost, and that requests have
// the ids they state.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEmitter } from '../../../src/emitter/index.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { runs } from '../../support/runs.ts'
import { runFromA2a, runToA2a, versions } from './support.ts'

/** As many requests as the mapper stores, and one more. */
const COUNT = 257

describe.each(versions)('open requests in A2A %s', (version) => {
  it('are repeated from the latest to the second, and the first is reported as evicted', () => {
    const { emit } = createEmitter({ contextId: 'c', taskId: 't', now: () => 0 })
    const events: ContextAnyEvent[] = [emit({ kind: 'task-created', initiator: 'user' })]
    for (let n = 0; n < COUNT; n++) {
      events.push(
        emit({
          kind: 'input-required',
          inputId: `i${n}`,
          inputType: 'clarification',
          prompt: `Question ${n}?`,
        }),
      )
    }
    events.push(emit({ kind: 'task-status', status: 'waiting-input' }))
    const asked = runToA2a(events, { version }, 'open')
    const evicted = asked.diagnostics.filter(({ code }) => code === 'state-evicted')
    expect(evicted.map(({ message }) => message)).toEqual([
      'More than 256 open requests: the oldest is not repeated.',
    ])
    // The latest one is answered first.
    for (let n = COUNT - 1; n > 0; n--)
      events.push(emit({ kind: 'input-received', inputId: `i${n}`, providedBy: 'user' }))
    const all = JSON.stringify(runToA2a(events, { version }, 'open').out.slice(asked.out.length))
    const prompts = [...all.matchAll(/Question \d+/g)].map(([prompt]) => prompt)
    expect(prompts).toEqual(Array.from({ length: COUNT - 2 }, (_, n) => `Question ${COUNT - 2 - n}`))
  })

  it.each([
    ['waiting-auth', 1],
    ['waiting-input', 0],
  ] as const)('a status %s that is blocked by one to come writes %i items at once', (status, count) => {
    const { emit } = createEmitter({ contextId: 'c', taskId: 't', now: () => 0 })
    const events = [
      emit({ kind: 'task-created', initiator: 'user' }),
      emit({ kind: 'task-status', status: 'working' }),
    ]
    const before = runToA2a(events, { version }, 'open').out.length
    events.push(emit({ kind: 'task-status', status, metadata: { blockedBy: 'request-1' } }))
    expect(runToA2a(events, { version }, 'open').out).toHaveLength(before + count)
  })

  it('replaces the message of the status that waits for it, and states that', () => {
    const { emit } = createEmitter({ contextId: 'c', taskId: 't', now: () => 0 })
    const blocked = { status: 'waiting-input', message: 'Soon.', metadata: { blockedBy: 'i' } } as const
    const events = [
      emit({ kind: 'task-created', initiator: 'user' }),
      emit({ kind: 'task-status', ...blocked }),
      emit({ kind: 'input-required', inputId: 'i', inputType: 'clarification', prompt: 'Which?' }),
    ]
    const { diagnostics } = runToA2a(events, { version }, 'open')
    expect(diagnostics.filter(({ code }) => code === 'lossy:message').map(({ detail }) => detail)).toEqual([
      'Soon.',
    ])
  })
})

describe.each(versions)('what waits in A2A %s', (version) => {
  const { emit } = createEmitter({ contextId: 'c', taskId: 't', now: () => 0 })
  const kinds: ((n: number) => ContextAnyEvent)[] = [
    (n) => emit({ kind: 'input-required', inputId: `i${n}`, inputType: 'clarification', prompt: `${n}?` }),
    (n) => emit({ kind: 'input-received', inputId: `i${n - 1}`, providedBy: 'user' }),
    (n) => emit({ kind: 'auth-required', authId: `a${n}`, authType: 'oauth2', provider: 'p', prompt: '' }),
    () => emit({ kind: 'task-status', status: 'working' }),
    (n) =>
      emit({
        kind: 'thought-stream',
        thoughtId: `t${n}`,
        index: n,
        thoughtType: 'planning',
        verbosity: 'brief',
        content: 'x'.repeat(200),
      }),
  ]

  it('costs items of a length linear in that of the events', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 4 }), (pattern) => {
        const lengths = [200, 400].map((count) => {
          const events = Array.from(
            { length: count },
            (_, n) => pattern[n % pattern.length]?.(n) ?? kinds[0]?.(n),
          )
          const { out } = runToA2a(events as ContextAnyEvent[], { version, extension: true }, 'open')
          return JSON.stringify(out).length
        })
        const [half = 0, all = 0] = lengths
        expect(all - half).toBeLessThan(1.6 * half)
      }),
      { numRuns: runs(4), examples: [[kinds.slice(0, 1)], [kinds.slice(0, 2)]] },
    )
  })

  it('reaches a reader that follows, whatever a task repeats', () => {
    const asked = Array.from({ length: 400 }, (_, n) => kinds[0]?.(n) as ContextAnyEvent)
    const events = [emit({ kind: 'task-created', initiator: 'user' }), ...asked]
    const { out } = runToA2a(events, { version, extension: true }, 'open')
    const read = runFromA2a(out, { extension: true })
    expect(read.diagnostics).toEqual([])
    expect(read.out).toEqual(events)
  })
})

it.each([
  ['inputId', { inputId: 'one', requestId: 'two', id: 'three' }, 'one'],
  ['requestId', { requestId: 'two', id: 'three' }, 'two'],
  ['id', { id: 'three' }, 'three'],
  ['the id of its message', { other: 'four' }, 'm'],
])('a request has the id that its data states as %s', (_, data, inputId) => {
  const message = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'data', data }] }
  const status = { state: 'input-required', message }
  const { out } = runFromA2a([{ kind: 'task', id: 't', contextId: 'c', status }])
  expect(out).toContainEqual(expect.objectContaining({ kind: 'input-required', inputId }))
})
