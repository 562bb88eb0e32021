// Proves that an editor on the official SDK of ACP chooses the mode of a session, lists and closes sessions, and that `acpAgent` begins in a mode.
import { agent, methods, ndJsonStream } from '@agentclientprotocol/sdk'
import { acpAgent } from 'turnstream/acp'
import { expect, it, vi } from 'vitest'
import { editorOf, type Served, storeOf, textOf } from './editor.ts'
import { agentOf, served } from './fake-agent.ts'

const modes = [
  { id: 'ask', name: 'Ask', description: 'Asks before it changes a file.' },
  { id: 'plan', name: 'Plan' },
]
const params = (sessionId: string) => ({ sessionId, cwd: '/work', mcpServers: [] })

/** States its mode, and takes the one that the prompt names. */
const moded = async function* (task, session) {
  const { modeId } = session
  const wanted = String(task.input)
  if (wanted !== 'state') yield { kind: 'data-write', artifactId: 'mode', data: { currentModeId: wanted } }
  yield { kind: 'content-complete', content: `In ${String(modeId)}.` }
} as Served

async function fresh(options: Parameters<typeof editorOf>[1] = {}, served: Served = moded) {
  const editor = await editorOf(served, options)
  const created = await editor.context.request(methods.agent.session.new, { cwd: '/work', mcpServers: [] })
  const { sessionId, ...stated } = created as { sessionId: string }
  const set = (modeId: string) => editor.context.request(methods.agent.session.setMode, { sessionId, modeId })
  return { ...editor, sessionId, stated, set }
}

it('announces its modes, and the agent is in the one that the editor has set', async () => {
  const { sessionId, stated, set, prompt, updates, errors } = await fresh({ modes })
  expect(stated).toEqual({ modes: { currentModeId: 'ask', availableModes: modes } })
  await prompt(sessionId, 'state')
  expect(await set('plan')).toEqual({})
  await prompt(sessionId, 'state')
  expect(textOf(updates)).toBe('In ask.In plan.')
  expect(errors).toEqual([])
})

it('refuses a mode that there is not, and one of a session that there is not', async () => {
  const { context, sessionId, set, prompt, updates } = await fresh({ modes })
  await expect(set('root')).rejects.toMatchObject({ code: -32602 })
  const other = context.request(methods.agent.session.setMode, { sessionId: 'other', modeId: 'plan' })
  await expect(other).rejects.toMatchObject({ code: -32002 })
  await prompt(sessionId, 'state')
  expect(textOf(updates)).toBe('In ask.')
})

it('has no modes unless they are given', async () => {
  const { stated, set, prompt, sessionId, updates } = await fresh()
  expect(stated).toEqual({})
  await expect(set('ask')).rejects.toMatchObject({ code: -32602 })
  await prompt(sessionId, 'state')
  expect(textOf(updates)).toBe('In undefined.')
})

it('changes the mode of a session while a task runs', async () => {
  const seen: unknown[] = []
  let go = (): void => {}
  const asked = new Promise<void>((resolve) => {
    go = resolve
  })
  const { sessionId, set, prompt } = await fresh({ modes }, async function* (_, session) {
    seen.push(session.modeId)
    await asked
    seen.push(session.modeId)
    yield* []
  })
  const prompted = prompt(sessionId, 'Go.')
  await vi.waitUntil(() => seen.length > 0)
  await set('plan')
  go()
  await prompted
  expect(seen).toEqual(['ask', 'plan'])
})

it('takes the mode that the agent states, also when the session is loaded', async () => {
  const store = storeOf()
  const { sessionId, prompt, updates, diagnostics } = await fresh({ modes, store })
  await prompt(sessionId, 'plan')
  await prompt(sessionId, 'state')
  expect(textOf(updates)).toBe('In ask.In plan.')
  await prompt(sessionId, 'root')
  const changes = (all: typeof updates) =>
    all.flatMap((update) => (update.sessionUpdate === 'current_mode_update' ? [update.currentModeId] : []))
  expect(changes(updates)).toEqual(['plan'])
  expect(diagnostics.map(({ code }) => code)).toContain('dropped:current_mode_update')

  for (const method of [methods.agent.session.load, methods.agent.session.resume] as const) {
    const later = await editorOf(moded, { modes, store })
    expect(await later.context.request(method, params(sessionId))).toEqual({
      modes: { currentModeId: 'plan', availableModes: modes },
    })
    expect(changes(later.updates)).toEqual(method === methods.agent.session.load ? ['plan'] : [])
  }
})

it('closes a session: its task is canceled, and it has to be loaded again', async () => {
  const { context, sessionId, prompt, updates } = await fresh({}, async function* ({ signal }) {
    yield { kind: 'content-complete', content: 'I wait.' } as never
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  const prompted = prompt(sessionId, 'Wait.')
  await vi.waitUntil(() => updates.length > 0)
  const close = () => context.request(methods.agent.session.close, { sessionId })
  expect(await close()).toEqual({})
  expect(await prompted).toEqual({ stopReason: 'cancelled' })
  await expect(prompt(sessionId, 'Again.')).rejects.toMatchObject({ code: -32002 })
  expect(await close()).toEqual({})
  await context.request(methods.agent.session.load, params(sessionId))
  expect(textOf(updates)).toBe('I wait.I wait.')
})

it('lists the sessions that its host lists', async () => {
  const asked: object[] = []
  const session = { sessionId: 's', cwd: '/work', title: 'Tides' }
  const page = { sessions: [session], nextCursor: '2' }
  const { context } = await fresh({
    listSessions(filter) {
      asked.push(filter)
      return page
    },
  })
  const list = (filter: object) => context.request(methods.agent.session.list, filter)
  expect(await list({ cwd: '/work', cursor: null })).toEqual(page)
  await list({ cursor: '2' })
  expect(asked).toEqual([{ cwd: '/work' }, { cursor: '2' }])
})

it('offers what it serves', async () => {
  const capabilities = async (options: Parameters<typeof editorOf>[1]) => {
    const { context } = await editorOf(moded, options)
    const { agentCapabilities } = await context.request(methods.agent.initialize, { protocolVersion: 1 })
    return [context, agentCapabilities?.sessionCapabilities] as const
  }
  const [context, offered] = await capabilities({})
  expect(offered).toEqual({ resume: {}, close: {} })
  await expect(context.request(methods.agent.session.list, {})).rejects.toMatchObject({ code: -32601 })
  const [, listed] = await capabilities({ listSessions: () => ({ sessions: [] }) })
  expect(listed).toEqual({ resume: {}, close: {}, list: {} })
})

it.each([
  ['throws', () => Promise.reject(new Error('secret'))],
  ['has no page', () => ({}) as never],
])('answers an error if the list %s', async (_, listSessions) => {
  const { context, errors } = await fresh({ listSessions })
  const listed = context.request(methods.agent.session.list, {})
  await expect(listed).rejects.toMatchObject({ code: -32603, message: 'The request failed.' })
  expect(errors).toHaveLength(1)
})

/** A coder on the SDK that has modes, and states in which it answers. */
function coderOf() {
  let currentModeId = 'ask'
  const set: string[] = []
  const coder = agent({ name: 'coder' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
    .onRequest(methods.agent.session.new, () => ({
      sessionId: 's',
      modes: { currentModeId, availableModes: modes },
    }))
    .onRequest(methods.agent.session.setMode, ({ params }) => {
      currentModeId = params.modeId
      set.push(currentModeId)
      return {}
    })
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
      const content = { type: 'text' as const, text: `In ${currentModeId}.` }
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content },
      })
      return { stopReason: 'end_turn' }
    })
  const connect = () => {
    const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
    coder.connect(ndJsonStream(back.writable, there.readable))
    return ndJsonStream(there.writable, back.readable)
  }
  return { connect, set }
}

it.each([
  ['another one', 'plan', ['plan']],
  ['the one that it begins with', 'ask', []],
])('begins a session in the mode that the host names: %s', async (_, mode, sets) => {
  const { connect, set } = coderOf()
  const { ended, codes } = await served(connect, { mode })
  const { task, events } = await ended()
  expect(task?.status).toBe('completed')
  expect(JSON.stringify(task?.parts)).toContain(`In ${mode}.`)
  expect(set).toEqual(sets)
  const stated = events.flatMap((event) => (event.kind === 'data-write' ? [event.data] : []))
  expect(stated).toEqual([{ currentModeId: mode, availableModes: modes }])
  expect(codes).toEqual([])
})

it.each([
  ['has other modes', coderOf().connect, /the mode "root", got one with "ask" and "plan"/],
  ['has no modes', agentOf(() => {}).connect, /the mode "root", got one with none/],
])('fails before the prompt if the agent %s', async (_, connect, message) => {
  const { ended, errors } = await served(connect, { mode: 'root' })
  expect((await ended()).task).toMatchObject({ status: 'failed', error: { code: 'unsupported' } })
  expect(errors).toEqual([expect.stringMatching(message)])
})

it('fails if the agent refuses the mode', async () => {
  const { connect, received } = agentOf((send, { id, method }) => {
    if (method === 'session/new')
      send({ id, result: { sessionId: 's', modes: { currentModeId: 'ask', availableModes: modes } } })
    else if (method === 'session/set_mode') send({ id, error: { code: -32603, message: 'no' } })
    else return undefined
    return true
  })
  const { ended } = await served(connect, { mode: 'plan' })
  expect((await ended()).task).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
  expect(received.some(({ method }) => method === 'session/prompt')).toBe(false)
})

it('hands the mode of an editor on to a coding agent', async () => {
  const { connect, set } = coderOf()
  const gateway = ((task, session) => acpAgent({ connect, mode: session.modeId ?? 'ask' })(task)) as Served
  const { sessionId, set: setMode, prompt, updates } = await fresh({ modes }, gateway)
  await setMode('plan')
  await prompt(sessionId, 'Go.')
  expect(set).toEqual(['plan'])
  expect(textOf(updates)).toBe('In plan.')
})
