/**
 * What must hold in every runtime. Needs nothing but the web platform: no `node:`, no globals of one
 * runtime, no file system.
 */

const timestamp = '2025-11-06T10:30:00.000Z'
const envelope = { contextId: 'ctx-1', taskId: 'task-1' }
const delta = (text, index) => ({ kind: 'content-delta', ...envelope, delta: text, index, timestamp })
const events = [delta('Où ? 東京 🗼', 0), delta('\n\r\u2028"\\', 1)]

/** JSON as `encodeEvent` writes it: without the characters that end a line in some languages. */
const encoded = (event) => JSON.stringify(event).replaceAll('\u2028', '\\u2028')

/**
 * Runs all checks on the library's entry points, and reports which passed, and which failed and why.
 *
 * @param {{ core: typeof import('turnstream'), sse: typeof import('turnstream/sse'), thoughts: typeof import('turnstream/thoughts'), zod: typeof import('turnstream/zod') }} library
 * @returns {Promise<{ passed: string[], failed: { name: string, error: string }[] }>}
 */
export async function check({ core, sse, thoughts, zod }) {
  const wire = () => events.map((event, i) => sse.encodeEvent(event, { viewer: 'all', id: `${i}` })).join('')
  const bytes = () => new TextEncoder().encode(wire())

  const checks = {
    'encode and decode, byte by byte, storing the state each time'() {
      const decoder = core.eventDecoder()
      const decoded = []
      let state = decoder.initial
      for (const byte of bytes()) {
        const step = decoder.step(JSON.parse(JSON.stringify(state)), Uint8Array.of(byte))
        state = step.state
        decoded.push(...step.out)
      }
      same(
        decoded,
        events.map((event, i) => ({ status: 'known', event, id: `${i}`, raw: encoded(event) })),
      )
    },

    'invalid and unknown input'() {
      const decoder = core.run(core.eventDecoder())
      const wrong = { ...delta('', 0), index: -1 }
      const other = { kind: 'weather', ...envelope, timestamp }
      const messages = [sse.encodeEvent(wrong, { viewer: 'all' }), sse.encodeEvent(other, { viewer: 'all' })]
      same(messages[0], '')
      messages[0] = sse.encodeMessage({ data: encoded(wrong) })
      const decoded = decoder.push(`data: {\n\n${messages.join('')}data: [DONE]\n\n`)
      same(
        decoded.map(({ status, issues }) => [status, issues?.[0]?.code, issues?.[0]?.path]),
        [
          ['invalid', 'invalid-json', ''],
          ['invalid', 'out-of-range', '/index'],
          ['unknown', undefined, undefined],
        ],
      )
      same(
        [wrong, other].map((event) => core.decodeEvent(event).status),
        ['invalid', 'unknown'],
      )
    },

    'schemas by the Standard Schema interface'() {
      const { validate } = zod.schemas.event['~standard']
      same(validate(events[0]), { value: events[0] })
      same(validate({ kind: 'content-delta' }).issues.length > 0, true)
    },

    'thoughts, cut after every character'() {
      const machine = core.run(thoughts.thoughtEvents())
      const text = 'Hi <thinking thought_type="planning">思う 🤔</thinking>`<thinking>`'
      const drafts = [...text].flatMap((character) => machine.push(character))
      drafts.push(...machine.end({ finishReason: 'stop' }))
      const whole = drafts.filter(({ kind }) => kind !== 'content-delta')
      same(whole, [
        { kind: 'thought-stream', thoughtType: 'planning', verbosity: 'normal', content: '思う 🤔' },
        { kind: 'content-complete', content: 'Hi `<thinking>`', finishReason: 'stop' },
      ])
    },

    "an emitter with the platform's clock and ids"() {
      const emitter = core.createEmitter(envelope)
      const thought = { kind: 'thought-stream', thoughtType: 'decision', verbosity: 'brief', content: 'Go.' }
      const [first, second] = [emitter.emit(thought), emitter.emit(thought)]
      same([first.index, second.index], [0, 1])
      same(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(first.thoughtId),
        true,
      )
      same(first.thoughtId !== second.thoughtId, true)
      same(new Date(first.timestamp).toISOString(), first.timestamp)
      same(core.decodeEvent(first), { status: 'known', event: first })
    },

    async 'readEvents over a ReadableStream'() {
      same(await collected(core.readEvents(streamOf(bytes()))), events)
    },

    async 'readEvents over a Response'() {
      const headers = { 'content-type': 'text/event-stream' }
      same(await collected(core.readEvents(new Response(streamOf(bytes()), { headers }))), events)
      same(await collected(core.readEvents(new Response(null))), [])
    },

    async 'leaving a loop, or aborting it, cancels the source'() {
      const reasons = []
      const endless = () =>
        new ReadableStream({
          pull: (controller) => controller.enqueue(bytes()),
          cancel: (reason) => void reasons.push(reason),
        })
      for await (const event of core.readEvents(endless())) {
        same(event, events[0])
        break
      }
      const aborted = new AbortController()
      const reason = new Error('enough')
      const reading = core.readEvents(endless(), { signal: aborted.signal })
      await reading.next()
      aborted.abort(reason)
      same(await collected(reading).catch((error) => error === reason), true)
      same([reasons.length, reasons[0], reasons[1] === reason], [2, undefined, true])
    },

    async 'transform() as a stage of a stream'() {
      const messages = streamOf(bytes()).pipeThrough(core.transform(sse.sseDecoder()))
      const [first] = await collected(core.iterate(thoughts.thoughtEvents(), streamOf('abc')))
      same(first, { kind: 'content-delta', delta: 'a' })
      same((await collected(core.iterate(core.pipe(toData(), thoughts.thoughtEvents()), messages))).at(-1), {
        kind: 'content-complete',
        content: events.map(encoded).join(''),
      })
    },
  }

  const passed = []
  const failed = []
  for (const [name, run] of Object.entries(checks)) {
    try {
      await run()
      passed.push(name)
    } catch (error) {
      failed.push({ name, error: String(error) })
    }
  }
  return { passed, failed }
}

/** A machine of the caller's own, between two of the library's. */
function toData() {
  return {
    initial: null,
    step: (state, { data }) => ({ state, out: [data] }),
    end: (state) => ({ state, out: [] }),
  }
}

/** A stream of the values one by one: bytes as chunks of one byte, text as characters. */
function streamOf(values) {
  const iterator = values[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'number' ? Uint8Array.of(value) : value)
    },
  })
}

async function collected(source) {
  const values = []
  for await (const value of source) values.push(value)
  return values
}

function same(actual, expected) {
  const [a, b] = [text(actual), text(expected)]
  if (a !== b) throw new Error(`${a} instead of ${b}`)
}

/** JSON with the keys in order, and `undefined` distinguished from absent. */
function text(value) {
  return JSON.stringify(value, (_, inner) => {
    if (inner === undefined) return '(undefined)'
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
