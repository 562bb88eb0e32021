/** Input, generated from a seed, so that every run has the same. */
import type { AnyEvent, ContextAnyEvent } from 'turnstream'

/** The characters of a text: ASCII, ASCII but for one word in a hundred, or Chinese and Japanese. */
export type Script = 'ascii' | 'mixed' | 'cjk'

const asciiWords =
  'the agent looks at what came back and says so in a few short words before it goes on with the next part of its answer because nothing is known about the weather in that place yet'.split(
    ' ',
  )
const otherWords = ['Zürich', 'déjà', 'naïve', 'Straße', '東京', 'こんにちは', 'привет', '🙂', '…']
const cjkWords = [
  '天気',
  '東京',
  'について',
  '検索',
  '结果',
  '代理',
  '回答',
  'それから',
  '文档',
  '没有',
  '今日',
  '、',
]

/** Numbers from 0 to below 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Makes words of a script, each with a space before it. */
export function wordsFrom(seed: number, script: Script = 'ascii'): (count: number) => string {
  const random = randomFrom(seed)
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? ''
  const word = (): string => {
    if (script === 'cjk') return pick(cjkWords)
    return pick(script === 'mixed' && random() < 0.01 ? otherWords : asciiWords)
  }
  return (count) => Array.from({ length: count }, () => ` ${word()}`).join('')
}

/**
 * The events of a conversation of many turns, in the order a client sees them: per turn some thought
 * deltas and the thought, a tool call with its progress, and an answer. Four in five are content
 * deltas; an event is about 180 bytes long, and 7 ms later than the one before on average.
 */
export function makeEvents(count: number, script: Script): ContextAnyEvent[] {
  const random = randomFrom(1)
  const words = wordsFrom(2, script)
  const events: ContextAnyEvent[] = []
  let time = Date.UTC(2026, 2, 14, 9, 26, 53, 589)
  let turn = 0
  const add = (event: (timestamp: string) => AnyEvent): void => {
    time += Math.floor(random() * 15)
    const { kind, ...fields } = event(new Date(time).toISOString())
    events.push({
      kind,
      contextId: 'ctx_01JQ8ZC4T6W3',
      taskId: `task_01JQ8ZD${100_000 + turn}`,
      ...fields,
    } as ContextAnyEvent)
  }
  const repeat = (least: number, most: number, action: (index: number) => void): void => {
    const times = least + Math.floor(random() * (most - least + 1))
    for (let index = 0; index < times; index++) action(index)
  }

  while (events.length < count) {
    const thoughtId = `th_${turn}`
    const call = { toolCallId: `call_${turn}`, toolName: 'search_documents' }
    const content = words(12)
    add((timestamp) => ({ kind: 'task-status', status: 'working', timestamp }))
    repeat(2, 12, (index) => {
      add((timestamp) => ({ kind: 'thought-delta', thoughtId, delta: words(4), index, timestamp }))
    })
    add((timestamp) => ({
      kind: 'thought-stream',
      thoughtId,
      thoughtType: 'planning',
      verbosity: 'normal',
      content: words(20),
      index: turn,
      timestamp,
      metadata: { confidence: 0.75 },
    }))
    add((timestamp) => ({
      kind: 'tool-start',
      ...call,
      arguments: { query: words(5), limit: 20 },
      timestamp,
    }))
    repeat(0, 8, (step) => {
      add((timestamp) => ({
        kind: 'tool-progress',
        toolCallId: call.toolCallId,
        progress: step / 8,
        message: words(3),
        timestamp,
        metadata: { stepsCompleted: step, stepsTotal: 8 },
      }))
    })
    add((timestamp) => ({
      kind: 'tool-complete',
      ...call,
      success: true,
      result: { found: 3, titles: [words(4), words(4), words(4)] },
      timestamp,
      metadata: { duration: 41 },
    }))
    repeat(20, 100, (index) => {
      add((timestamp) => ({ kind: 'content-delta', delta: words(4), index, timestamp }))
    })
    add((timestamp) => ({ kind: 'content-complete', content, finishReason: 'stop', timestamp }))
    turn++
  }
  return events.slice(0, count)
}

/**
 * The events of a context in which several tasks work at a time: a task and its subtask, and another task whose clock is an
 * hour ahead, in turn. Half of the deltas are of texts with an id, the others of arguments and thoughts. All ids are UUIDs with
 * a prefix, as frameworks make them.
 */
export function makeParallelEvents(count: number): ContextAnyEvent[] {
  const random = randomFrom(4)
  const words = wordsFrom(5)
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  const longId = (prefix: string): string => `${prefix}_${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
  const contextId = longId('context')
  const root = longId('task')
  const tasks = [
    { taskId: root, at: 0 },
    { taskId: longId('task'), parentTaskId: root, at: 0 },
    { taskId: longId('task'), at: 3_600_000 },
  ]
  const items = tasks.map(() => ({ thoughtId: '', toolCallId: '', contentId: '', index: 0 }))
  let time = Date.UTC(2026, 2, 14, 9, 26, 53, 589)
  return Array.from({ length: count }, (_, n) => {
    const which = n % tasks.length
    const { at, ...task } = tasks[which] as (typeof tasks)[number]
    const item = items[which] as (typeof items)[number]
    // Each task writes thirty deltas of an item, then of the next.
    const round = Math.floor(n / tasks.length)
    if (round % 30 === 0) {
      items[which] = {
        thoughtId: longId('thought'),
        toolCallId: longId('call'),
        contentId: longId('text'),
        index: 0,
      }
    }
    const { thoughtId, toolCallId, contentId } = items[which] ?? item
    const index = round % 30
    time += Math.floor(random() * 15)
    const timestamp = new Date(time + at).toISOString()
    const base = { contextId, ...task }
    const part = Math.floor(round / 30) % 4
    if (part === 1) {
      const delta = `{"query":"${words(3)}"`
      return {
        kind: 'tool-arguments-delta',
        ...base,
        toolCallId,
        toolName: 'search',
        delta,
        index,
        timestamp,
      }
    }
    if (part === 3) return { kind: 'thought-delta', ...base, thoughtId, delta: words(4), index, timestamp }
    return { kind: 'content-delta', ...base, contentId, delta: words(4), index, timestamp }
  })
}

/** A stream of the events, each with its name, its number as the id, and its data. */
export function sseOf(events: readonly ContextAnyEvent[]): string {
  return events
    .map((event, number) => `event: ${event.kind}\nid: ${number}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
}

/** A stream of values that has only data, as other protocols write it. */
export function dataOnlySse(values: readonly object[]): string {
  return values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')
}

/** Cuts the bytes of a text into chunks, as a network does: anywhere. */
export function chunksOf(text: string, size: number): Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size))
  return chunks
}

/** Cuts a text into pieces of equal length, as a model writes it. */
export function piecesOf(text: string, length: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length))
  return pieces
}
