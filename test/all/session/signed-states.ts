/** Signs and verifies random states together with Python. Prints how many; throws where both differ. */
import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { signState, verifySignedState } from '../../../src/dialects/session/index.ts'

const [script = '', count = '3000', python = 'python3'] = process.argv.slice(2)
const key = 'pa\u00dfwort'
const sessionId = 's-7'
const timestamp = 1_760_800_000
const now = (): number => timestamp * 1000

const number = fc.oneof(
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value.toExponential()),
  fc.constantFrom('1.0', '-0.0', '-0', '1e16', '1E-7', '0.10'),
)
const text = fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value))
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(number, text, fc.constantFrom('true', 'false', 'null')),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    fc
      .uniqueArray(fc.tuple(text, tie('value')), {
        maxLength: 4,
        selector: ([name]) => JSON.parse(name) as string,
      })
      .map((fields) => `{${fields.map(([name, value]) => `${name}: ${value}`).join(',')}}`),
  ),
})).value
const states = fc.sample(
  json.map((value) => `{"session_id": "s-7", "value": ${value}}`),
  Number(count),
)

/** Answers of Python to requests. */
function ask(requests: readonly object[]): string[] {
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('')
  const options = { input, encoding: 'utf8', maxBuffer: 2 ** 30 } as const
  const { stdout, stderr, status } = spawnSync(python, [script, key, String(timestamp)], options)
  if (status !== 0) throw new Error(stderr)
  return stdout.trimEnd().split('\n')
}

const fromPython = ask(states.map((state) => ({ sign: state })))
for (const [i, signed] of fromPython.entries()) {
  const verdict = await verifySignedState(signed, { keys: { key }, sessionId, now, versions: ['1.0'] })
  if (verdict.status !== 'valid') throw new Error(`${verdict.code} of ${signed}, signed from ${states[i]}`)
}
const ours = await Promise.all(
  states.map((state) => signState(state, { key, sessionId, now, version: '1.0' })),
)
for (const [i, answer] of ask(ours.map((signed) => ({ verify: signed }))).entries()) {
  if (answer !== 'true') throw new Error(`Python refuses ${ours[i]}`)
}
console.log(states.length)
