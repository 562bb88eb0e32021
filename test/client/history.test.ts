// Proves that a page of the history brings each event that can be read live, however deep its values are.
import fc from 'fast-check'
import { eventDecoder, run } from 'turnstream'
import { expect, it } from 'vitest'
import { olderPage } from '../../src/client/history.ts'
import type { ClientSettings } from '../../src/client/options.ts'
import { runs } from '../support/runs.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }

it('the page around an event does not count as its depth', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 990, max: 1010 }), async (levels) => {
      let value: unknown = 1
      for (let i = 0; i < levels; i++) value = [value]
      const deep = { kind: 'tool-complete', toolCallId: 'k', toolName: 'f', success: true, result: value }
      const events = [
        { ...deep, ...place },
        { kind: 'task-complete', ...place },
      ]
      const fetch = async () => new Response(JSON.stringify({ events }))
      const settings = { historyUrl: () => 'http://localhost/', fetch } as unknown as ClientSettings
      const page = await olderPage('t', settings, undefined)
      const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
      const live = [...run(eventDecoder()).push(text)].flatMap((decoded) =>
        decoded.status === 'known' ? [decoded.event] : [],
      )
      expect(live).toHaveLength(levels < 1000 ? 2 : 1)
      expect(JSON.stringify(page.events)).toBe(JSON.stringify(live))
    }),
    { numRuns: runs(300) },
  )
})
