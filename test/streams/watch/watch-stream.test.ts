// Proves that watchStream folds every event exactly once, over connections that fail in any way, and leaves nothing behind.

import fc from 'fast-check'
import type { ContextAnyEvent, Diagnostic } from 'turnstream'
import { partialJson } from 'turnstream/json'
import {
  applyArtifactPatch,
  createViewStoreWith,
  emptyView,
  foldEvents,
  type View,
  type Watched,
  watchStream,
  watchStreamWith,
} from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import type { WatchWithOptions } from '../../../src/streams/watch/watch-stream.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { connectionScript, requireNothingLeft, ScriptedServer } from './scripted-server.ts'
import { VirtualTime } from './virtual-time.ts'

interface Watch {
  readonly items: Watched[]
  readonly diagnostics: Diagnostic[]
}

/** Collects what is yielded; the items are there also while the watch runs. */
function collect(
  server: ScriptedServer,
  time: VirtualTime,
  options: WatchWithOptions = {},
  watch = watchStream as typeof watchStreamWith,
): Watch & { readonly ended: Promise<void>; readonly generator: AsyncGenerator<Watched, void, undefined> } {
  const items: Watched[] = []
  const diagnostics: Diagnostic[] = []
  const { now, sleep } = time
  const onDiagnostic = (one: Diagnostic): void => void diagnostics.push(one)
  const generator = watch(server.connect, { now, sleep, onDiagnostic, ...options })
  const ended = (async () => {
    for await (const item of generator) items.push(item)
  })()
  return { items, diagnostics, ended, generator }
}

/** The events of a stream by what was received, with those of the latest reset. */
function eventsOf(items: readonly Watched[]): ContextAnyEvent[] {
  let events: ContextAnyEvent[] = []
  for (const { received } of items) {
    if (received.type === 'events') events.push(...received.events)
    else if (received.type === 'reset') events = [...(received.events ?? [])]
  }
  return events
}

const scripts = fc.array(connectionScript, { maxLength: 8 })
const events = legalStreams({ internal: false, maxChoices: 15 })

describe('whatever happens to the connections', () => {
  it('every event is folded exactly once, and nothing is left', async () => {
    const seen = new Set<unknown>()
    await fc.assert(
      fc.asyncProperty(
        events,
        scripts,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (all, plan, share) => {
          const time = new VirtualTime()
          const server = new ScriptedServer(all, plan, time)
          const { items, diagnostics, ended } = collect(server, time, { random: () => share })
          await time.until(ended)
          for (const { received } of items) seen.add(received.type)
          for (const { code, detail } of diagnostics) {
            if (code === 'disconnected') seen.add((detail as { reason: string }).reason)
          }
          expect(eventsOf(items)).toEqual(all)
          expect(items.at(-1)?.view).toEqual(foldEvents(emptyView, all))
          expect(items.at(-1)?.received.type).toBe('closed')
          await requireNothingLeft(server, time)
        },
      ),
      // A fifth of them does not see every outcome.
      { numRuns: Math.max(150, runs(150)) },
    )
    const types = ['closed', 'duplicate', 'events', 'gap', 'reset']
    const reasons = ['broken', 'ended', 'gap', 'idle', 'rejected', 'status']
    expect([...seen].sort()).toEqual([...new Set([...types, ...reasons])].sort())
  })

  it('each view is the fold of the events up to its cursor, and can be resumed from after JSON', async () => {
    await fc.assert(
      fc.asyncProperty(events, scripts, fc.nat(), async (all, plan, choice) => {
        const time = new VirtualTime()
        const first = collect(new ScriptedServer(all, plan, time), time)
        await time.until(first.ended)
        for (const { view, cursor } of first.items) {
          expect(view).toEqual(foldEvents(emptyView, all.slice(0, (cursor?.seq ?? -1) + 1)))
        }
        const { view, cursor } = JSON.parse(
          JSON.stringify(first.items[choice % first.items.length]),
        ) as Watched
        const server = new ScriptedServer(all, plan.slice(1), time)
        const second = collect(server, time, { view, ...(cursor && { cursor }) })
        await time.until(second.ended)
        expect((second.items.at(-1)?.view ?? view) as View).toEqual(foldEvents(emptyView, all))
        await requireNothingLeft(server, time)
      }),
      { numRuns: runs(60) },
    )
  })

  it('watchStreamWith has the view of createViewStoreWith, also after a reset', async () => {
    const all = [{ artifactPatches: applyArtifactPatch }, { partialArguments: partialJson() }, {}]
    await fc.assert(
      fc.asyncProperty(events, scripts, fc.constantFrom(...all), async (all, plan, features) => {
        const time = new VirtualTime()
        const { items, ended } = collect(new ScriptedServer(all, plan, time), time, features, watchStreamWith)
        await time.until(ended)
        const store = createViewStoreWith(features)
        store.push(eventsOf(items))
        expect(items.at(-1)?.view).toEqual(store.getSnapshot())
      }),
      { numRuns: runs(60) },
    )
  })

  it.each(['abort', 'return', 'throw'] as const)('it ends by %s at any time', async (how) => {
    await fc.assert(
      fc.asyncProperty(events, scripts, fc.nat(40), async (all, plan, at) => {
        const time = new VirtualTime()
        const server = new ScriptedServer(all, plan, time)
        const controller = new AbortController()
        const { items, ended, generator } = collect(server, time, { signal: controller.signal })
        let left: Promise<unknown> | undefined
        let count = 0
        await time.until(ended, (turn) => {
          if (turn < at || left !== undefined) return
          count = items.length
          if (how === 'return') left = generator.return()
          else if (how === 'throw') left = generator.throw('stop').catch((error) => error)
          else {
            controller.abort()
            left = Promise.resolve()
          }
        })
        if (left !== undefined) {
          // In the same turn of the event loop, and no further item.
          expect(items).toHaveLength(count)
          expect(await left).toEqual(
            { abort: undefined, return: { done: true, value: undefined }, throw: 'stop' }[how],
          )
        }
        await requireNothingLeft(server, time)
      }),
      { numRuns: runs(100) },
    )
  })
})
