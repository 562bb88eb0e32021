// Proves for any agent that speaks ACP, or something like it: nothing is allowed that the user has not approved, nothing is allowed
// for good, no start claims an approval that it does not have, and the connection ends with the task.
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { callDigest } from 'turnstream/commands'
import { expect, it, vi } from 'vitest'
import { jsonValue } from '../support/json.ts'
import { runs } from '../support/runs.ts'
import { agentOf, call, choices, permission, say, served, update } from './fake-agent.ts'

type Kind = keyof typeof choices
type Action =
  | { readonly type: 'send'; readonly message: object }
  | { readonly type: 'ask'; readonly toolCall: object; readonly kinds: readonly Kind[] }

const ids = fc.constantFrom('a', 'b')
const args = fc.constantFrom<object>({}, { rawInput: { n: 0 } }, { rawInput: { n: 1 } }, { rawInput: 'text' })
const statuses = fc.constantFrom('pending', 'in_progress', 'completed', 'failed')
const kindLists = fc.subarray(Object.keys(choices) as Kind[])

const actions = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant('ask' as const),
      toolCall: fc.tuple(ids, args).map(([toolCallId, more]) => ({ toolCallId, title: 'rm', ...more })),
      kinds: kindLists,
    }),
    fc.tuple(ids, statuses, args).map(([id, status, more]) => ({
      type: 'send' as const,
      message: call(id, { title: 'rm', status, ...more }),
    })),
    fc.constantFrom(say('Hello.'), say('Other.', 'message', 'other')).map(sent),
    jsonValue().map((value) => sent(update(value as object))),
    jsonValue().map((value) => sent(permission(99, value as object, value))),
    jsonValue().map((value) => sent({ method: 'session/update', params: value })),
  ),
  { maxLength: 8 },
)

function sent(message: object): Action {
  return { type: 'send', message }
}

it('allows once what was approved, and records what happened', async () => {
  await fc.assert(
    fc.asyncProperty(actions, actions, fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }), check),
    { numRuns: runs(200) },
  )
}, 60_000)

async function check(first: readonly Action[], later: readonly Action[], decisions: readonly boolean[]) {
  const asked = new Map<number, Action & { type: 'ask' }>()
  const answers = new Map<number, { readonly outcome: string; readonly optionId?: string }>()
  let isLater = false
  const { connect, state } = agentOf((send, { method, id, result }) => {
    const act = (all: readonly Action[]): void => {
      for (const action of all) {
        if (action.type === 'send') send(action.message)
        else {
          const number = 100 + asked.size
          asked.set(number, action)
          send(
            permission(
              number,
              action.toolCall,
              action.kinds.map((kind) => choices[kind]),
            ),
          )
        }
      }
    }
    if (method === 'session/prompt') act(first)
    else if (typeof id === 'number' && result !== undefined)
      answers.set(id, (result as { outcome: { outcome: string } }).outcome)
    if (id === 99 || [...asked.keys()].some((each) => !answers.has(each))) return
    if (!isLater) act(later)
    isLater = true
    if ([...asked.keys()].every((each) => answers.has(each)))
      send({ id: 2, result: { stopReason: 'end_turn' } })
  })
  const made = new Map<string, boolean>()
  const decide = (inputId: string): 'answered' | 'declined' => {
    if (!made.has(inputId)) made.set(inputId, decisions[made.size % decisions.length] === true)
    return made.get(inputId) === true ? 'answered' : 'declined'
  }
  const { ended, errors } = await served(connect, {}, { needsApproval: () => false })
  const { events, task } = await ended(decide)
  expect([task?.status, errors]).toEqual(['completed', []])
  for (const [number, { kinds, toolCall }] of asked) {
    const { outcome, optionId } = answers.get(number) ?? { outcome: 'none' }
    const kind = (Object.keys(choices) as Kind[]).find((each) => optionId === idOf(each))
    expect(outcome).toBe(kind === undefined ? 'cancelled' : 'selected')
    if (kind === undefined) continue
    expect(kinds).toContain(kind)
    expect(kind).toMatch(/_once$/)
    if (kind === 'allow_once') expect(isApproved(events, toolCall, made)).toBe(true)
  }
  events.forEach((event, i) => {
    if (event.kind !== 'tool-start' || event.metadata?.provider === 'provider') return
    const requests = requestsOf(events.slice(0, i), event.toolCallId)
    const latest = requests.at(-1)
    if (latest === undefined) return
    expect(digestOf(latest)).toBe(callDigest(event))
    expect(events.slice(0, i).some((each) => isApprovalOf(each, latest.inputId))).toBe(true)
  })
  await vi.waitUntil(() => !state.isOpen && state.isCanceled)
}

const idOf = (kind: Kind): unknown => (choices[kind] as { optionId: string }).optionId

type Request = Extract<ContextAnyEvent, { kind: 'input-required' }>

function requestsOf(events: readonly ContextAnyEvent[], toolCallId: string): Request[] {
  return events.flatMap((event) =>
    event.kind === 'input-required' && event.metadata?.toolCall?.id === toolCallId ? [event] : [],
  )
}

function digestOf({ metadata }: Request): string {
  const { name = '', arguments: text } = metadata?.toolCall?.function ?? {}
  return callDigest({ toolName: name, arguments: text })
}

function isApprovalOf(event: ContextAnyEvent, inputId: string): boolean {
  return event.kind === 'input-received' && event.inputId === inputId && event.outcome !== 'declined'
}

/** Whether the user has approved a call with an id. */
function isApproved(
  events: readonly ContextAnyEvent[],
  toolCall: object,
  made: ReadonlyMap<string, boolean>,
) {
  const { toolCallId } = toolCall as { toolCallId: string }
  return requestsOf(events, toolCallId).some(({ inputId }) => made.get(inputId) === true)
}
