import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Machine } from '../../../src/core/machine.ts'
import { run } from '../../../src/core/machine.ts'
import { guarded } from '../../../src/dialects/shared/guarded.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { audiences } from '../../../src/streams/access/audience.ts'
import { project } from '../../../src/streams/access/project.ts'
import { createTaskTree } from '../../../src/streams/access/task-tree.ts'
import { defaultViewer } from '../../../src/streams/access/viewer.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'

const ids = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }

/** Emits every event it is given. */
const same: Machine<number, ContextAnyEvent, ContextAnyEvent> = {
  initial: 0,
  step: (state, event) => ({ state: state + 1, out: [event] }),
  end: (state) => ({ state, out: [] }),
}

/** The same, with a state that has fields. */
const list: Machine<{ count: number }, ContextAnyEvent, ContextAnyEvent> = {
  initial: { count: 0 },
  step: ({ count }, event) => ({ state: { count: count + 1 }, out: [event] }),
  end: (state) => ({ state, out: [] }),
}

function mapped(
  input: unknown,
  viewer = defaultViewer,
): { out: unknown; diagnostics: unknown[]; state: unknown } {
  const diagnostics: unknown[] = []
  const runner = run(guarded(viewer, same), { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
  const out = runner.push(input as ContextAnyEvent)
  return { out, diagnostics, state: runner.state }
}

describe('guarded', () => {
  it('passes a valid event, with null read as absent', () => {
    const event = { kind: 'content-delta', ...ids, delta: 'a', index: 0 }
    expect(mapped({ ...event, contentId: null })).toEqual({ out: [event], diagnostics: [], state: 1 })
  })

  it('passes an event of which nothing is hidden as the same object', () => {
    // What an observer does not see of a call is empty, also if there was nothing.
    const audience = fc.constantFrom(...audiences.filter((one) => one !== 'observer'))
    fc.assert(
      fc.property(legalStreams(), audience, (events, audience) => {
        const { step } = guarded({ audience }, same)
        for (const event of events) {
          const [passed] = step(0, event).out
          if (isDeepStrictEqual(passed, event)) expect(passed).toBe(event)
        }
      }),
      { numRuns: runs(200) },
    )
    const event = { kind: 'content-delta', ...ids, delta: 'a', index: 0 } as ContextAnyEvent
    expect(guarded(defaultViewer, same).step(0, event).out[0]).toBe(event)
  })

  it('reports an invalid event with its issues', () => {
    const { out, diagnostics, state } = mapped({ kind: 'content-delta', ...ids, delta: 7, index: 0 })
    expect({ out, state }).toEqual({ out: [], state: 0 })
    expect(diagnostics).toMatchObject([
      { code: 'invalid-event', path: '/delta', detail: [{ path: '/delta' }] },
    ])
  })

  it('reports an unknown kind', () => {
    const { out, diagnostics } = mapped({ kind: 'later', ...ids })
    expect(out).toEqual([])
    expect(diagnostics).toMatchObject([{ code: 'dropped:later', detail: { reason: 'unknown-kind' } }])
  })

  it('reports an event that the viewer may not see, and removes hidden fields', () => {
    const event = {
      kind: 'content-delta',
      ...ids,
      delta: 'a',
      index: 0,
      metadata: { audience: ['operator'] },
    }
    const { out, diagnostics } = mapped(event)
    expect(out).toEqual([])
    expect(diagnostics).toEqual([
      {
        code: 'dropped:content-delta',
        message: 'The user may not see this content-delta event.',
        detail: { reason: 'audience' },
      },
    ])
    expect(mapped(event, { audience: 'operator' }).out).toEqual([event])
    const signed = {
      kind: 'tool-start',
      ...ids,
      toolCallId: 'x',
      toolName: 'y',
      arguments: {},
      metadata: { signature: 's' },
    }
    expect(JSON.stringify(mapped(signed).out)).not.toContain('signature')
  })

  it('reports half of a surrogate pair, and writes none', () => {
    const { out, diagnostics } = mapped({ kind: 'content-complete', ...ids, content: 'a\udc00b' })
    expect(out).toMatchObject([{ kind: 'content-complete', content: expect.not.stringContaining('\udc00') }])
    expect(diagnostics).toMatchObject([{ code: 'lossy:content', path: '/content' }])
  })

  it('keeps the diagnostics of the mapper beside those of the text', () => {
    const noisy = {
      ...same,
      step: () => ({ state: 0, out: [], diagnostics: [{ code: 'inferred:x', message: 'Inferred.' }] }),
    }
    const machine = guarded(defaultViewer, noisy)
    const { diagnostics } = machine.step(0, {
      kind: 'content-complete',
      ...ids,
      content: 'a\udc00b',
    } as never)
    expect(diagnostics?.map(({ code }) => code)).toEqual(['lossy:content', 'inferred:x'])
  })

  it('refuses an invalid viewer', () => {
    expect(() => guarded({ audience: 'nobody' } as never, same)).toThrow(/^"viewer\.audience"/)
  })

  it('reports the half that waits at the end, after what the mapper reports', () => {
    const noisy: Machine<{ count: number }, ContextAnyEvent, ContextAnyEvent> = {
      initial: { count: 0 },
      step: ({ count }, event) => ({ state: { count: count + 1 }, out: [event] }),
      end: (state) => ({ state, out: [], diagnostics: [{ code: 'inferred:x', message: 'Inferred.' }] }),
    }
    const machine = guarded(defaultViewer, noisy)
    const delta: ContextAnyEvent = { kind: 'content-delta', ...ids, delta: 'a\ud83d', index: 0 }
    const { state, diagnostics } = machine.end(machine.step(machine.initial, delta).state)
    expect(diagnostics?.map(({ code }) => code)).toEqual(['inferred:x', 'lossy:delta'])
    expect(state).toEqual({ count: 1 })
  })

  it('shows the work of subtasks only on request', () => {
    const event = {
      kind: 'thought-stream',
      ...ids,
      parentTaskId: 'p',
      thoughtId: 'x',
      thoughtType: 'planning',
      verbosity: 'brief',
      content: 'a',
      index: 0,
    }
    expect(mapped(event).out).toEqual([])
    expect(mapped(event, { audience: 'user', subtasks: 'all' }).out).toEqual([event])
  })

  it('shows of subtasks what an event stream shows, also if their events do not repeat their parent', () => {
    const audience = fc.constantFrom(...audiences)
    fc.assert(
      fc.property(legalStreams(), audience, fc.array(fc.boolean()), (events, audience, repeats) => {
        const tree = createTaskTree()
        const machine = run(guarded({ audience }, list))
        for (const [n, { parentTaskId, ...rest }] of events.entries()) {
          const isRepeated = rest.kind === 'task-created' || repeats[n % repeats.length] === true
          const event = { ...rest, ...(parentTaskId && isRepeated && { parentTaskId }) } as ContextAnyEvent
          const shown = project(tree.stamp(event), { audience })
          expect(machine.push(event)).toHaveLength(shown === undefined ? 0 : 1)
        }
      }),
      { numRuns: runs(300) },
    )
  })

  it('remembers subtasks in a state that is JSON, and writes none of it', () => {
    const { kind: _, ...call } = { kind: '', ...ids, toolCallId: 'x', toolName: 'y' }
    const created = { kind: 'subtask-created', ...ids, subtaskId: 's', prompt: 'p' }
    const delta = { kind: 'tool-arguments-delta', ...call, delta: '{}', index: 0 }
    const machine = run(guarded(defaultViewer, list))
    machine.push(created as ContextAnyEvent)
    expect(machine.push({ ...delta, taskId: 's' } as ContextAnyEvent)).toEqual([])
    expect(machine.push(delta as ContextAnyEvent)).toEqual([delta])
    expect(JSON.parse(JSON.stringify(machine.state))).toEqual(machine.state)
    expect(guarded(defaultViewer, list).end(machine.state).state).toEqual({ count: 2 })
  })
})
