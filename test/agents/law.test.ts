// Proves for any model, any tools and any place: no tool runs before all starts of its response were taken, none after a
// refusal, and the turns that were stored are the conversation, wherever the loop was interrupted.
import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter, type EventDraft, run } from 'turnstream'
import { agentLoop } from 'turnstream/agents'
import { verifier } from 'turnstream/streams'
import { expect, it } from 'vitest'
import type { LoopTask, ToolContext } from '../../src/agents/options.ts'
import { turnsOf } from '../../src/turns/index.ts'
import { runs } from '../support/runs.ts'
import { type FakeProvider, providers, type Said, scripted } from './models.ts'

const task = { contextId: 'c', taskId: 't' }
const text = fc.string({ maxLength: 6, unit: 'grapheme' })
const toolNames = ['returns', 'waits', 'throws', 'reports', 'unknown'] as const

/** Responses with calls, of any number and kind, and a last one without. */
const script: fc.Arbitrary<Said[]> = fc
  .array(
    fc.record({
      text,
      thought: fc.option(
        text.filter((thought) => thought.trim() !== ''),
        { nil: undefined },
      ),
      calls: fc.array(
        fc.record({
          id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
          name: fc.constantFrom(...toolNames),
          arguments: fc.constantFrom('{"a":1}', '{}'),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { maxLength: 2 },
  )
  .map((responses) => [
    ...responses.map(({ thought, calls, ...rest }) => ({
      ...rest,
      ...(thought !== undefined && { thought }),
      // An id names one call of a response.
      calls: calls.filter(({ id }, i) => calls.findIndex((other) => other.id === id) === i),
    })),
    { text: 'Done.' },
  ])

interface Trace {
  readonly ran: string[]
  readonly tools: Record<string, (args: unknown, call: ToolContext) => unknown>
}

function traced(): Trace {
  const ran: string[] = []
  const noted =
    (give: (call: ToolContext) => unknown) =>
    (_: unknown, call: ToolContext): unknown => {
      ran.push(call.toolCallId)
      return give(call)
    }
  const tools = {
    returns: noted(({ toolCallId }) => ({ of: toolCallId })),
    waits: noted(async ({ toolCallId }) => toolCallId),
    throws: noted(() => {
      throw new Error('secret')
    }),
    reports: noted(({ progress }) => progress(0.5, 'Half.')),
  }
  return { ran, tools }
}

/** What a stream has before its agent is called. */
const { emit } = createEmitter(task)
const begun: ContextAnyEvent[] = [
  emit({ kind: 'task-created', initiator: 'user', metadata: { input: 'Go!' } }),
  emit({ kind: 'task-status', status: 'working' }),
]

/** A loop over the events that a stream has. */
function loopOver(provider: FakeProvider, said: readonly Said[], events: readonly ContextAnyEvent[]) {
  const turns = turnsOf(events, task)
  const { ran, tools } = traced()
  const model = scripted(provider, said, turns.filter(({ role }) => role === 'assistant').length)
  const approve: LoopTask['approve'] = () => {
    throw new Error('Nothing needs an approval.')
  }
  const loopTask = { turns, approve, signal: new AbortController().signal }
  const drafts = agentLoop(loopTask, { format: provider.format, model: model.model, tools })
  return { ran, drafts, requests: model.requests }
}

/** Reads a loop to the end, or until `take` says no. */
async function read(
  drafts: AsyncGenerator<EventDraft>,
  before: readonly ContextAnyEvent[],
  take: (event: ContextAnyEvent) => boolean = () => true,
): Promise<ContextAnyEvent[]> {
  const emitter = createEmitter({ ...task, after: before })
  const events = [...before]
  for await (const draft of drafts) {
    const event: ContextAnyEvent = emitter.emit(draft as never)
    if (!take(event)) break
    events.push(event)
  }
  return events
}

const idOf = (event: ContextAnyEvent): string => ('toolCallId' in event ? String(event.toolCallId) : '')

it.each(providers)('$name: no tool runs before all starts of its response were taken', async (provider) => {
  await fc.assert(
    fc.asyncProperty(script, async (said) => {
      const { ran, drafts } = loopOver(provider, said, begun)
      let isStarting = false
      const events = await read(drafts, begun, (event) => {
        const started = isStarting ? ran.length : undefined
        isStarting = event.kind === 'tool-start'
        // While starts are taken one after another, nothing runs.
        if (isStarting && started !== undefined) expect(ran).toHaveLength(started)
        if (isStarting) expect(ran).not.toContain(idOf(event))
        return true
      })
      const checks = run(verifier({ mode: 'strict' }))
      const end = createEmitter({ ...task, after: events })
      const all = [...events, end.emit({ kind: 'task-status', status: 'completed' })]
      expect([...all.flatMap((event) => checks.push(event)), ...checks.end()]).toEqual([])
      const starts = events.filter(({ kind }) => kind === 'tool-start').map(idOf)
      expect([...ran].sort()).toEqual([...starts].sort())
      expect(new Set(ran).size).toBe(ran.length)
    }),
    { numRuns: runs(100, 100) },
  )
})

it.each(providers)('$name: a refused start runs no tool of its response', async (provider) => {
  await fc.assert(
    fc.asyncProperty(script, fc.nat(8), async (said, refused) => {
      const { ran, drafts } = loopOver(provider, said, begun)
      let starts = 0
      let before = 0
      let last = ''
      await read(drafts, begun, (event) => {
        if (event.kind === 'tool-start' && last !== 'tool-start') before = ran.length
        last = event.kind
        return event.kind !== 'tool-start' || starts++ !== refused
      })
      await new Promise((resolve) => setTimeout(resolve))
      if (starts > refused) expect(ran).toHaveLength(before)
    }),
    { numRuns: runs(100, 100) },
  )
})

/** Without the results: those of calls that were interrupted differ. */
function withoutResults(messages: readonly unknown[]): unknown[] {
  return messages.filter(
    (each) => !/"role":"tool"|_output"|"tool_result"|"functionResponse"/.test(JSON.stringify(each)),
  )
}

it.each(providers)('$name: goes on after a restart at any place, with the same turns', async (provider) => {
  await fc.assert(
    fc.asyncProperty(script, fc.nat(60), async (said, place) => {
      const whole = loopOver(provider, said, begun)
      await read(whole.drafts, begun)
      const first = loopOver(provider, said, begun)
      let taken = 0
      const stored = await read(first.drafts, begun, () => taken++ < place)
      // What a stream does with calls that had started.
      const open = new Set(stored.filter(({ kind }) => kind === 'tool-start').map(idOf))
      for (const event of stored) if (event.kind === 'tool-complete') open.delete(idOf(event))
      const emitter = createEmitter({ ...task, after: stored })
      for (const toolCallId of open) {
        const failure = { toolName: 'x', success: false, error: 'interrupted' } as const
        stored.push(emitter.emit({ kind: 'tool-complete', toolCallId, ...failure }))
      }
      const second = loopOver(provider, said, stored)
      const ids = new Set(stored.filter(({ kind }) => kind === 'tool-start').map(idOf))
      const events = await read(second.drafts, stored)
      expect(events.at(-1)?.kind).toBe('task-complete')
      // No call runs twice.
      expect(second.ran.filter((id) => ids.has(id))).toEqual([])
      const skipped = whole.requests.length - second.requests.length
      for (const [i, request] of second.requests.entries()) {
        const expected = whole.requests[skipped + i] ?? []
        expect(withoutResults(request)).toEqual(withoutResults(expected))
        if (open.size === 0) expect(request).toEqual(expected)
      }
    }),
    { numRuns: runs(100, 100) },
  )
})
