/** Finding the subscribers of an event among many. */
import { strictEqual } from 'node:assert'
import type { ContextAnyEvent } from 'turnstream'
import { createRouter, parsePattern, type Router } from 'turnstream/streams'
import { makeEvents, randomFrom } from '../support/data.ts'
import { race } from '../support/race.ts'
import { type Effort, nsEach, type Row } from '../support/row.ts'

const SUBSCRIPTIONS = 100_000
const CONTEXTS = 1000
const COUNT = 2000

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const count = Math.ceil(COUNT * scale)
  const rows: Row[] = []
  for (const everywhere of [0, 96]) {
    const random = randomFrom(3)
    const router = routerWith(SUBSCRIPTIONS * scale, everywhere, random)
    const events = routedEvents(count, random)
    const delivered = routeAll(router, events)
    strictEqual(delivered >= everywhere * count, true)
    const { time } = await race(Math.ceil(rounds / 2), { time: () => routeAll(router, events) })
    const what = `\`createRouter\`, 100 000 subscriptions, ${everywhere === 0 ? 'few' : 'about 100'} deliveries`
    const detail = `${(delivered / count).toFixed(1)} deliveries an event`
    rows.push({ what, figure: nsEach(time, count) / 1e3, unit: 'µs', detail })
  }
  return rows
}

/** Subscriptions to tasks of contexts, and `everywhere` to everything. */
function routerWith(subscriptions: number, everywhere: number, random: () => number): Router {
  const router = createRouter()
  for (let n = 0; n < subscriptions; n++) {
    const context = `ctx-${n % CONTEXTS}`
    const task = `task-${Math.floor(random() * 20)}`
    const forms = [
      `${context}/${task}/**`,
      `${context}/${task}`,
      `${context}/*/sub-${n % 5}`,
      `**/${task}-${n}/**`,
    ]
    const text = n < everywhere ? '**' : (forms[n % forms.length] ?? '**')
    const pattern = parsePattern(text)
    if (pattern === undefined) throw new Error(`Not a pattern: ${text}`)
    router.subscribe(pattern, { viewer: 'all' }, () => {})
  }
  return router
}

function routedEvents(count: number, random: () => number): ContextAnyEvent[] {
  const pick = (limit: number): number => Math.floor(random() * limit)
  return makeEvents(count, 'ascii').map((event) => {
    const contextId = `ctx-${pick(CONTEXTS)}`
    const parentTaskId = `task-${pick(20)}`
    if (random() < 0.5) return { ...event, contextId, taskId: parentTaskId }
    return { ...event, contextId, taskId: `${parentTaskId}-sub-${pick(5)}`, parentTaskId }
  })
}

function routeAll(router: Router, events: readonly ContextAnyEvent[]): number {
  return events.reduce((sum, event) => sum + router.route(event).delivered, 0)
}
