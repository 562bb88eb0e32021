/** The example: an agent with a subtask, tools, a wait for the user, a file, an error, and one faulty event. */
import { embedRecording } from '../src/viewer/embed.ts'

const START = Date.UTC(2026, 5, 1, 9)
const CONTEXT = 'ctx-example'

type Fields = Readonly<Record<string, unknown>>

/** The viewer with the example, which a button shows. */
export function withExample(page: string): string {
  return embedRecording(page, { name: 'example', text: exampleRecording() }, 'example-recording')
}

/** The example as JSON Lines. */
export function exampleRecording(): string {
  const events: { readonly ms: number; readonly event: Fields }[] = []
  const add = (ms: number, taskId: string, kind: string, fields: Fields): void => {
    const timestamp = new Date(START + ms).toISOString()
    events.push({ ms, event: { kind, timestamp, contextId: CONTEXT, taskId, ...fields } })
  }
  const stream = (
    from: number,
    every: number,
    taskId: string,
    kind: string,
    text: string,
    fields: Fields,
  ): number => {
    const deltas = text.match(/\S+\s*/g) ?? []
    for (const [index, delta] of deltas.entries())
      add(from + index * every, taskId, kind, { ...fields, index, delta })
    return from + deltas.length * every
  }
  const main = 'task-trip'
  const sub = 'task-weather'
  add(0, main, 'task-created', {
    initiator: 'user',
    metadata: { agentId: 'trip-planner', input: 'Plan a day in Lisbon for Saturday.' },
  })
  add(8, main, 'task-status', { status: 'working' })
  const plan =
    'I need the weather first, then places that are open on a Saturday. The weather agent can look while I search.'
  const thought = { thoughtId: 'thought-1' }
  stream(640, 24, main, 'thought-delta', plan, { ...thought, thoughtType: 'planning', verbosity: 'normal' })
  add(1210, main, 'thought-stream', {
    ...thought,
    thoughtType: 'planning',
    verbosity: 'normal',
    content: plan,
    index: 0,
  })
  add(1240, main, 'subtask-created', {
    subtaskId: sub,
    agentId: 'weather',
    prompt: 'Weather in Lisbon on Saturday',
  })
  const call = { toolCallId: 'call-1', toolName: 'search_places' }
  const parameters = { city: 'Lisbon', day: 'saturday', limit: 3 }
  stream(1260, 30, main, 'tool-arguments-delta', JSON.stringify(parameters).replaceAll(',', ', '), call)
  add(1420, main, 'tool-start', { ...call, arguments: parameters })
  add(1300, sub, 'task-created', { initiator: 'agent', parentTaskId: main, metadata: { agentId: 'weather' } })
  add(1320, sub, 'task-status', { status: 'working' })
  const weather = { toolCallId: 'call-2', toolName: 'get_forecast' }
  add(1560, sub, 'tool-start', { ...weather, arguments: { city: 'Lisbon', date: '2026-06-06' } })
  add(1900, main, 'tool-progress', { toolCallId: 'call-1', progress: 0.4, message: 'Belém' })
  add(2350, main, 'tool-progress', { toolCallId: 'call-1', progress: 0.8, message: 'Alfama' })
  add(2700, sub, 'tool-complete', { ...weather, success: true, result: { sky: 'sunny', celsius: 27 } })
  const places = ['Jerónimos Monastery', 'Castelo de São Jorge', 'LX Factory']
  add(2810, main, 'tool-complete', { ...call, success: true, result: { places } })
  const sunny = 'Sunny, 27 °C, light wind from the north.'
  stream(3050, 40, sub, 'content-delta', sunny, {})
  add(3420, sub, 'content-complete', { content: sunny })
  add(3430, sub, 'task-status', { status: 'completed' })
  const ask = { inputId: 'input-1', requireUser: true, inputType: 'selection', options: ['calm', 'full'] }
  add(3600, main, 'input-required', { ...ask, prompt: 'A calm day, or a full one?' })
  add(3602, main, 'task-status', { status: 'waiting-input' })
  add(7900, main, 'input-received', {
    inputId: 'input-1',
    value: 'calm',
    providedBy: 'user',
    userId: 'user-1',
  })
  add(7910, main, 'task-status', { status: 'working' })
  const map = { toolCallId: 'call-3', toolName: 'draw_map' }
  add(8400, main, 'tool-start', { ...map, arguments: { places: places.slice(0, 2) } })
  add(9030, main, 'tool-complete', { ...map, success: false, error: 'The map service answered 503.' })
  const error = {
    code: 'unavailable',
    message: 'The map service answered 503.',
    retry: 'exhausted',
    scope: 'tool',
  }
  add(9025, main, 'task-error', { error: { ...error, toolCallId: 'call-3' } })
  const answer =
    'Start at the Jerónimos Monastery when it opens, before the heat. Walk along the river to Belém for lunch. ' +
    'In the late afternoon, take tram 28 up to the castle: the light is best an hour before sunset.'
  stream(9500, 32, main, 'content-delta', answer, {})
  const file = { artifactId: 'plan', name: 'lisbon.md', mimeType: 'text/markdown' }
  add(9900, main, 'file-write', {
    ...file,
    data: '# Lisbon, Saturday\n\n- Jerónimos Monastery\n',
    index: 0,
    complete: false,
  })
  add(10_300, main, 'file-write', {
    artifactId: 'plan',
    data: '- Belém\n- Castle\n',
    index: 1,
    complete: true,
  })
  const usage = [{ provider: 'example', inputTokens: 1840, outputTokens: 412 }]
  add(10_760, main, 'content-complete', { content: answer, metadata: { usage } })
  add(10_790, main, 'task-complete', { artifacts: ['plan'], metadata: { usage } })
  add(10_790, main, 'task-status', { status: 'completed' })
  const sorted = events.sort((a, b) => a.ms - b.ms).map(({ event }) => event)
  // A delta is missing, as after a lost message: the viewer marks the one after it.
  const deltas = sorted.filter(({ kind, taskId }) => kind === 'content-delta' && taskId === main)
  const lines = sorted.filter((event) => event !== deltas[20])
  return lines.map((event) => `${JSON.stringify(event)}\n`).join('')
}
