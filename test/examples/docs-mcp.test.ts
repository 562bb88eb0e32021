// The example of docs/mcp.md: a tool of an MCP server asks the user, is answered, and is called again.
import { describe, expect, it } from 'vitest'
import { bookedBerth, respond } from '../support/booked-berth.ts'

type Params = { inputResponses?: Record<string, object>; requestState?: string }

const requestedSchema = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] }
const elicit = (params: object): object => ({ method: 'elicitation/create', params })
const [day, page] = [
  elicit({ message: 'Which day?', requestedSchema }),
  elicit({ mode: 'url', message: 'Log in.', url: 'https://login.example/' }),
]
const text = (value: unknown): object => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })
const asking = (inputRequests: object, requestState: string): object => ({
  ...{ resultType: 'input_required', inputRequests, requestState },
})

/** A server that asks for the day twice, and keeps where it is in its state. */
function server() {
  const calls: Params[] = []
  async function callTool(params: Params): Promise<unknown> {
    calls.push(params)
    if (params.requestState === undefined) return asking({ day, page }, 'secret-1')
    if (params.requestState === 'secret-1') return asking({ day }, 'secret-2')
    return { resultType: 'complete', ...text(params.inputResponses?.day) }
  }
  return { calls, callTool }
}

describe('docs/mcp.md', () => {
  it('asks the user what the server asks, and calls the tool again with the answers', async () => {
    const { calls, callTool } = server()
    const days = ['Monday', 'Tuesday']
    const events = await bookedBerth({ callTool }, async (stream, request) => {
      expect(await respond(stream, request, { value: { day: 1 } })).toBe('invalid')
      expect(await respond(stream, request, { value: { day: days.shift() } })).toBe('accepted')
    })
    expect(calls.map(({ inputResponses, requestState }) => [inputResponses, requestState])).toEqual([
      [undefined, undefined],
      [{ day: { action: 'accept', content: { day: 'Monday' } }, page: { action: 'accept' } }, 'secret-1'],
      [{ day: { action: 'accept', content: { day: 'Tuesday' } } }, 'secret-2'],
    ])
    expect(events.filter(({ kind }) => kind === 'tool-complete')).toMatchObject([
      { success: true, result: '{"action":"accept","content":{"day":"Tuesday"}}' },
    ])
    expect(events.at(-1)).toMatchObject({ kind: 'task-complete' })
    expect(JSON.stringify(events)).not.toContain('secret')
    const prompts = events.flatMap((event) => (event.kind === 'input-required' ? event.prompt : []))
    expect(prompts.slice(1)).toEqual(Array(2).fill('The harbour asks: Which day?'))
  })

  it('tells the server that the user declines', async () => {
    const { calls, callTool } = server()
    await bookedBerth({ callTool }, (stream, request) => respond(stream, request, { outcome: 'declined' }))
    const declined = { action: 'decline' }
    expect(calls.slice(1).map(({ inputResponses }) => inputResponses?.day)).toEqual([declined, declined])
  })

  it.each([
    ['result of an unknown type', { resultType: 'later', ...text('Booked.') }],
    ['empty result', {}],
    ['task', { resultType: 'task', taskId: 'x', status: 'working' }],
    ['question without end', { resultType: 'input_required', requestState: 's' }],
  ])('takes no %s for a booking', async (_, result) => {
    const events = await bookedBerth({ callTool: async () => result }, async () => {})
    expect(events.filter(({ kind }) => kind === 'tool-complete')).toMatchObject([{ success: false }])
  })
})
