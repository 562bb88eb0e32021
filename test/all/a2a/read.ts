/** Reading agents of the Python SDK: nothing is lost, and a stream gives the same as the task it leads to. */
import { deepStrictEqual, ok } from 'node:assert/strict'
import { join } from 'node:path'
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { fromA2a, isA2aStreamEnd } from 'turnstream/a2a'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import { a2aStreams } from '../../dialects/a2a/a2a-streams.ts'
import { outcomeOf } from '../../dialects/a2a/outcome.ts'
import { violationsOf } from '../../dialects/a2a/support.ts'
import { expectNothingLost, resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import type { Lab } from '../lab.ts'
import { stepSeed } from '../step.ts'
import { AgentClient, type PlayedStep, startAgent, type TaskIds } from './agent-client.ts'
import { type Scenario, scenarios, stepsIn } from './scenarios.ts'
import { pythonWithSdk } from './sdks.ts'

/** An agent of a version of the SDK, and the version that is spoken with it. */
export interface AgentKind {
  readonly sdk: A2aVersion
  readonly version: A2aVersion
}

type Item = Readonly<Record<string, unknown>>

/** The number of random streams, and the largest one: each of them is five requests to a real server. */
const [RANDOM, MOST] = [60, 400]

/** Reads all scenarios and random streams, and each of the random streams again with a cut. */
export async function readAgents(lab: Lab, { sdk, version }: AgentKind): Promise<string> {
  const python = await pythonWithSdk(lab, sdk)
  const script = join(lab.root, `test/all/a2a/agent_v${sdk.replace('.', '_')}.py`)
  const agent = await startAgent(python, script)
  const client = new AgentClient(version, agent.url)
  const numRuns = runs(RANDOM, MOST)
  const failures: string[] = []
  const attempt = async (name: string, check: () => Promise<unknown>): Promise<void> => {
    try {
      await check()
    } catch (error) {
      const { message, actual } = error as { message?: string; actual?: unknown }
      failures.push(`${name}: ${message ?? error} ${actual === undefined ? '' : JSON.stringify(actual)}`)
    }
  }
  const seed = stepSeed()
  try {
    for (const scenario of scenarios) {
      await attempt(scenario.name, () => readScenario(client, sdk, scenario))
    }
    await attempt('canceled', () => readCanceled(client, sdk))
    await attempt('an exception', () => readException(client, sdk))
    const random = fc.sample(a2aStreams(sdk), { numRuns, seed })
    for (const [i, { items }] of random.entries()) {
      await attempt(`seed ${seed}, stream ${i}`, async () => {
        const requests = requestsOf(items)
        const expected = outcomeOf(await readWhole(client, requests))
        deepStrictEqual(outcomeOf(await readCut(client, requests, i)), expected)
      })
    }
  } finally {
    await agent.kill()
  }
  if (failures.length > 0) throw new Error(`${failures.length} failed:\n${failures.slice(0, 5).join('\n')}`)
  return `${scenarios.length} scenarios and ${numRuns} random streams, each whole and cut`
}

async function readScenario(
  client: AgentClient,
  sdk: A2aVersion,
  { requests, expected }: Scenario,
): Promise<void> {
  const steps = requests.map((request) => stepsIn(sdk, request))
  const events = await readWhole(client, steps)
  let at = 0
  for (const event of events) if (expected[at] !== undefined && hasFields(event, expected[at])) at++
  ok(at === expected.length, `no ${JSON.stringify(expected[at])} in ${JSON.stringify(events)}`)
}

function hasFields(event: ContextAnyEvent, fields: Item = {}): boolean {
  const found = Object.keys(fields).map((key) => [key, (event as unknown as Item)[key]])
  try {
    deepStrictEqual(Object.fromEntries(found), fields)
    return true
  } catch {
    return false
  }
}

async function readCanceled(client: AgentClient, sdk: A2aVersion): Promise<void> {
  const steps = stepsIn(sdk, [{ task: true }, { status: 'working' }, { hang: true }])
  const responses: unknown[] = []
  for await (const response of await client.play(steps)) {
    responses.push(response)
    if (responses.length === 2) await client.cancel(idsOf(response) as TaskIds)
  }
  const events = eventsOf(responses)
  ok(
    events.some((event) => hasFields(event, { kind: 'task-status', status: 'canceled' })),
    JSON.stringify(responses),
  )
}

/** The stream breaks off, which the reader reports. */
async function readException(client: AgentClient, sdk: A2aVersion): Promise<void> {
  const steps = stepsIn(sdk, [{ task: true }, { status: 'working' }, { raise: 'Out of order.' }])
  const responses: unknown[] = []
  try {
    for await (const response of await client.play(steps)) responses.push(response)
  } catch {
    // The connection may break.
  }
  const results = resultsOf(fromA2a({ now: () => 0 }) as never, responses as never[])
  const codes = results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
  const hasEnded = responses.some((response) => isA2aStreamEnd(response))
  ok(hasEnded || codes.includes('gap'), JSON.stringify({ responses, codes }))
}

/** Plays steps, and checks what was received. Returns the events. */
async function readWhole(client: AgentClient, requests: readonly PlayedStep[][]): Promise<ContextAnyEvent[]> {
  const responses: unknown[] = []
  let task: TaskIds | undefined
  for (const steps of requests) {
    for await (const response of await client.play(steps, task)) {
      responses.push(response)
      task ??= idsOf(response)
    }
  }
  const events = eventsOf(responses)
  const items = responses.map((response) => (response as { result?: unknown }).result)
  const violations = violationsOf(client.version, items, { mode: 'standard' })
  deepStrictEqual(
    violations.filter(({ severity }) => severity === 'error'),
    [],
  )
  if (task === undefined) return events
  const fromTask = eventsOf([await client.get(task)])
  deepStrictEqual(outcomeOf(fromTask), outcomeOf(events))
  return events
}

/**
 * Plays steps, leaves at one of them, and comes back some steps later. Checks what was received and returns the events.
 */
async function readCut(
  client: AgentClient,
  requests: readonly PlayedStep[][],
  choice: number,
): Promise<ContextAnyEvent[]> {
  const cutIn = choice % requests.length
  const responses: unknown[] = []
  let task: TaskIds | undefined
  for (const [i, steps] of requests.entries()) {
    const cut = 1 + (choice % steps.length)
    const back = cut + (choice % 5)
    const gate = { gate: true }
    const gated = [...steps.slice(0, cut), gate, ...steps.slice(cut, back), gate, ...steps.slice(back)]
    let received = 0
    for await (const response of await client.play(i === cutIn ? gated : steps, task)) {
      responses.push(response)
      task ??= idsOf(response)
      if (i === cutIn && ++received === cut) break
    }
    if (i !== cutIn || task === undefined) continue
    await client.go(task)
    const known = await client.get(task)
    if (isA2aStreamEnd(known) || (back >= steps.length && isWaiting(known))) {
      responses.push(known)
      await client.go(task)
      continue
    }
    const rest = await client.resume(task)
    responses.push(known)
    await client.go(task)
    for await (const response of rest) {
      responses.push(response)
      // The SDK of 1.0 keeps the connection open for the next request.
      if (isA2aStreamEnd(response)) break
    }
  }
  return eventsOf(responses)
}

/** Whether the task waits for an answer. An agent that goes on without a state leaves this one in the store. */
function isWaiting(response: unknown): boolean {
  const { status } = (response as { result: { status: { state: string } } }).result
  return /^(?:input-required|TASK_STATE_INPUT_REQUIRED)$/.test(status.state)
}

/** The events of responses. Throws when something is lost, or the events are not legal. */
function eventsOf(responses: readonly unknown[]): ContextAnyEvent[] {
  const results = resultsOf<unknown, unknown, ContextAnyEvent, never>(
    fromA2a({ now: () => 0 }) as never,
    responses,
  )
  expectNothingLost(results, responses, (path) => structure.test(path))
  return results.flatMap(({ out }) => out)
}

/** Fields of the protocol itself, and those whose values become something else. */
const structure =
  /^\/(?:id|jsonrpc)$|\/(?:kind|state|role|final|append|lastChunk|taskId|messageId|id|contextId|artifactId|timestamp|data_part_compat)$/

function idsOf(response: unknown): TaskIds | undefined {
  const { result } = response as { result?: Item }
  const item = (result?.task ?? result?.statusUpdate ?? result?.artifactUpdate ?? result) as Item | undefined
  if (item === undefined || 'messageId' in item || 'message' in item) return undefined
  return { taskId: String(item.taskId ?? item.id), contextId: String(item.contextId) }
}

/** The requests that a random stream stands for: a new one after each question. */
function requestsOf(items: readonly unknown[]): PlayedStep[][] {
  const requests: PlayedStep[][] = [[{ task: true }]]
  for (const item of items.slice(1)) {
    const text = JSON.stringify(item)
      .replaceAll('"taskId":"t"', '"taskId":"$task"')
      .replaceAll('"contextId":"c"', '"contextId":"$context"')
    requests.at(-1)?.push({ put: JSON.parse(text) })
    if (isA2aStreamEnd(item)) requests.push([])
  }
  return requests.filter((request) => request.length > 0)
}
