// Decodes large hostile messages, and prints what came out and what it took, compared with parsing the same text.
import { eventDecoder, run } from 'turnstream'
import { sseDecoder } from 'turnstream/sse'

const SIZE = 2 ** 24
const LIMIT = 2 * SIZE

const event = (kind, fields) =>
  `{"kind":"${kind}","contextId":"c","taskId":"t","timestamp":"2026-01-31T10:30:00Z",${fields}}`
const rows = (items) =>
  event('dataset-write', `"artifactId":"a","index":0,"append":false,"complete":true,"rows":${items}`)
const list = (item) => `[${`${item},`.repeat(Math.floor((SIZE - 400) / (item.length + 1)))}${item}]`

const messages = {
  'wrong rows': rows(list('1')),
  'one wrong row, the last': rows(list('{"a":1}').replace(/\]$/, ',1]')),
  'short numbers before an inexact one': rows(
    `[{"a":${list('1').replace(/\]$/, ',12345678901234567890]')}}]`,
  ),
  'inexact numbers': rows(`[{"a":${list('12345678901234567890')}}]`),
  'nulls in records': event('task-complete', `"metadata":{"usage":${list('{"provider":null,"model":"a"}')}}`),
  'empty records and a null': event('task-complete', `"content":null,"metadata":{"usage":${list('{}')}}`),
  'nulls in an unknown kind': event('acme', `"a":${list('null')}`),
}

/** The shortest of several times in milliseconds, and the last result. */
function measured(work) {
  let best = Number.POSITIVE_INFINITY
  let result
  for (let i = 0; i < 7; i++) {
    result = undefined
    const start = performance.now()
    result = work()
    best = Math.min(best, performance.now() - start)
  }
  return { best, result }
}

function decoded(name, text) {
  // As it comes from a socket: one string, not a concatenation.
  const chunk = new TextDecoder().decode(new TextEncoder().encode(`data: ${text}\n\n`))
  const parsed = new TextDecoder().decode(new TextEncoder().encode(text))
  const parsing = measured(() => void JSON.parse(parsed)).best
  const { best, result } = measured(() => {
    const [message] = run(eventDecoder({ maxMessageSize: LIMIT })).push(chunk)
    return { status: message?.status, code: message?.issues?.[0]?.code, path: message?.issues?.[0]?.path }
  })
  return { name, size: text.length, ...result, ratio: best / parsing }
}

/** A message that comes byte by byte must not take many times its size. */
function trickled() {
  const decoder = run(sseDecoder())
  decoder.push('data: ')
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 4e6; i++) decoder.push('x')
  globalThis.gc?.()
  const grown = process.memoryUsage().heapUsed - before
  const [message] = decoder.push('\n\n')
  return { length: message?.data.length, bytesPerCharacter: grown / 4e6 }
}

console.log(
  JSON.stringify({
    messages: Object.entries(messages).map(([name, text]) => decoded(name, text)),
    trickle: trickled(),
  }),
)
