// Signed states: only the text that was signed verifies, for its session and once, each refusal has one reason, and hostile texts cost little.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeSessionEvent,
  encodeReconnectWithState,
  signedStateIn,
  signState,
  verifySignedState,
} from '../../../../src/dialects/session/index.ts'
import { pythonJson } from '../../../../src/dialects/session/signed/python-json.ts'
import type {
  SignedStateVersion,
  SignStateOptions,
} from '../../../../src/dialects/session/signed/sign-state.ts'
import type { VerifyStateOptions } from '../../../../src/dialects/session/signed/verify-state.ts'
import { casesOf } from '../../../support/conformance.ts'
import { jsonValue } from '../../../support/json.ts'
import { runs } from '../../../support/runs.ts'

const issued = 1_760_800_000
const key = 'a secret'
const sign: SignStateOptions = { key, kid: 'k-1', sessionId: 's-7', now: () => issued * 1000 }
const verify: VerifyStateOptions = {
  keys: { 'k-1': key },
  sessionId: 's-7',
  now: () => (issued + 10) * 1000,
  versions: ['1.0', '2'],
}
const versions: readonly SignedStateVersion[] = ['1.0', '2']
const codeOf = async (text: string, more: Partial<VerifyStateOptions> = {}): Promise<string> => {
  const verdict = await verifySignedState(text, { ...verify, ...more })
  return verdict.status === 'valid' ? 'valid' : verdict.code
}
/** States of session `s-7`, as text. */
const states = fc
  .dictionary(fc.string(), jsonValue())
  .map((fields) => JSON.stringify({ ...fields, session_id: 's-7' }, null, 1))

describe.each(versions)('version %s', (version) => {
  it('verifies every state that it signed, with its text unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        const text = await signState(state, { ...sign, version })
        expect(await verifySignedState(text, verify)).toMatchObject({
          ...{ status: 'valid', version, state, issuedAt: issued, sessionId: 's-7', kid: 'k-1' },
        })
      }),
      { numRuns: runs(100) },
    )
  })

  it('verifies no state of another session, with another key, or after its time', async () => {
    const change = fc.oneof(
      fc.string({ minLength: 1 }).map((sessionId) => ({ sessionId })),
      fc.string({ minLength: 1 }).map((other) => ({ keys: { 'k-1': other, 'k-2': `${other}2` } })),
      fc
        .constantFrom('k-2', 'k', 'K-1', '__proto__', 'constructor')
        .map((kid) => ({ keys: { [kid]: 'other' } })),
      fc.integer({ min: issued + 604_800, max: issued * 2 }).map((at) => ({ now: () => at * 1000 })),
    )
    const codes = ['other-session', 'signature', 'unknown-key', 'expired']
    await fc.assert(
      fc.asyncProperty(states, change, async (state, change) => {
        fc.pre(!('sessionId' in change && change.sessionId === 's-7'))
        const text = await signState(state, { ...sign, version })
        expect(codes).toContain(await codeOf(text, change))
      }),
      { numRuns: runs(100) },
    )
  })

  it('verifies with the keys before the one that signs, and says which it was', async () => {
    const text = await signState('{"session_id":"s-7"}', { ...sign, version })
    const keys = { 'k-2': 'a newer secret', 'k-1': key, 'k-0': 'an older secret' }
    expect(await verifySignedState(text, { ...verify, keys })).toMatchObject({ status: 'valid', kid: 'k-1' })
    expect(await codeOf(text, { keys: {} })).toBe('unknown-key')
  })

  it('names the first check that fails', async () => {
    const state = '{"session_id":"s-7"}'
    const text = await signState(state, { ...sign, version })
    const at = (seconds: number) => ({ now: () => (issued + seconds) * 1000 })
    expect(await codeOf('{"state":')).toBe('malformed')
    expect(await codeOf('[]')).toBe('malformed')
    expect(await codeOf(undefined as never)).toBe('malformed')
    expect(await codeOf(`${text} `.replace('s-7', '\ud800'))).toBe('malformed')
    expect(await codeOf(text.replace(/"state":[^}]*\}/, '"state":7'))).toBe('malformed')
    expect(await codeOf(text.replace('"signature"', '"signed"'))).toBe('missing')
    expect(await codeOf(text.replace('"version"', '"versions"'))).toBe('missing')
    expect(await codeOf(text, { versions: [] })).toBe('version')
    expect(await codeOf(text, { maxChars: text.length })).toBe('valid')
    expect(await codeOf(text, { maxChars: text.length - 1 })).toBe('too-large')
    expect(await codeOf(text, at(604_799))).toBe('valid')
    expect(await codeOf(text, at(604_800))).toBe('expired')
    expect(await codeOf(text, at(-60))).toBe('valid')
    expect(await codeOf(text, at(-61))).toBe('from-the-future')
    expect(await codeOf(text, { clockSkewSeconds: 0, ...at(-1) })).toBe('from-the-future')
    expect(await verifySignedState(text, { ...verify, ...at(-61) })).toMatchObject({
      message: 'Expected a state signed before now, got one from in 61 s.',
    })
    expect(await codeOf(text, { sessionId: 's-8' })).toBe('other-session')
    // Nothing but what is signed is believed.
    expect(await codeOf(text.replace(/"signature":"../, '"signature":"zz'), at(604_801))).toBe('signature')
  })

  it('is used once until it expires, if its uses are remembered until then', async () => {
    const text = await signState('{"session_id":"s-7"}', { ...sign, version })
    const times = fc.array(fc.integer({ min: -60_000, max: 604_802_000 }), { minLength: 1, maxLength: 6 })
    const nearTheEnd = fc.array(fc.integer({ min: 604_798_500, max: 604_801_500 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(times, nearTheEnd, async (early, late) => {
        let now = 0
        /** When the marks go, in milliseconds. */
        const marks = new Map<string, number>()
        const isReplayed: VerifyStateOptions['isReplayed'] = async ({ signature, expiresAt }) => {
          const wasUsed = (marks.get(signature) ?? 0) > now
          if (!wasUsed) marks.set(signature, expiresAt * 1000)
          return wasUsed
        }
        expect(await codeOf(text, { isReplayed, sessionId: 's-8' })).toBe('other-session')
        const codes: string[] = []
        for (const ms of [...early, ...late].sort((a, b) => a - b)) {
          now = issued * 1000 + ms
          codes.push(await codeOf(text, { isReplayed, now: () => now }))
        }
        expect(codes.filter((code) => code === 'valid').length).toBeLessThanOrEqual(1)
        if (early.some((ms) => ms < 604_800_000)) expect(codes[0]).toBe('valid')
      }),
      { numRuns: runs(100) },
    )
  })

  it.each([undefined, null, 0, 1, 'OK', ''])(
    'takes %j for no answer to whether it was used',
    async (answer) => {
      const text = await signState('{"session_id":"s-7"}', { ...sign, version })
      const isReplayed = async () => answer as never
      await expect(codeOf(text, { isReplayed })).rejects.toThrow(/"isReplayed\(\)" must be true or false/)
    },
  )

  it('refuses a field that is missing or of another type, with its path', async () => {
    const text = await signState('{"session_id":"s-7"}', { ...sign, version })
    const signed = JSON.parse(text) as Record<string, unknown>
    for (const [field, value] of Object.entries(signed)) {
      const { [field]: _, ...rest } = signed
      const path = `/${field}`
      const verdictOf = (state: object) => verifySignedState(JSON.stringify(state), verify)
      expect(await verdictOf(rest)).toMatchObject({ code: 'missing', path })
      const other = typeof value === 'string' ? 7 : 'x'
      const code = field === 'version' ? 'version' : 'malformed'
      expect(await verdictOf({ ...signed, [field]: other })).toMatchObject({ code, path })
    }
  })

  it('signs with bytes and with keys of WebCrypto as with text', async () => {
    const bytes = new TextEncoder().encode(key)
    const imported = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ])
    const texts = await Promise.all(
      [key, bytes, imported].map((key) => signState('{"session_id":"s-7"}', { ...sign, version, key })),
    )
    expect(new Set(texts).size).toBe(1)
    expect(await codeOf(texts[0] ?? '', { keys: { 'k-1': imported } })).toBe('valid')
  })

  it('never rejects because of the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((s) => `{"version":"${version}",${s}`),
        ),
        async (text) => {
          expect(await codeOf(text)).not.toBe('valid')
        },
      ),
      { numRuns: runs(200) },
    )
  })
})

it('reads long hostile texts without a stack, and refuses them unread by default', async () => {
  const size = process.env.FC_SCALE === '1' ? 2 ** 24 : 2 ** 22
  const kid = '"kid":"k-1","session_id":"s-7","issued_at":1,"expires_at":1'
  const head = `{"version":"1.0","timestamp":1,"checksum":"","signature":"","state":{"a":`
  const hostile = [
    '['.repeat(size),
    `${head}${'{"a":'.repeat(size / 5)}`,
    `${head}"${'\\"'.repeat(size / 2)}"}}`,
    `${head}${'9'.repeat(size)}}}`,
    `${head}1${' '.repeat(size)}}}`,
    `${head}[${'[],'.repeat(size / 8)}[]]}}`,
    `{"version":"2",${kid},"state":"${'\\u0000'.repeat(size / 6)}","signature":""}`,
    ',"signature":"'.repeat(size / 14),
  ]
  for (const text of hostile) {
    expect(await codeOf(text)).toBe('too-large')
    expect(['malformed', 'checksum', 'signature']).toContain(await codeOf(text, { maxChars: 2 * size }))
  }
  expect(signedStateIn('['.repeat(size))).toBeUndefined()
})

it('verifies no text of version 2 but the one that was signed', async () => {
  const edit = fc.record({
    at: fc.nat(),
    remove: fc.nat({ max: 2 }),
    insert: fc.oneof(
      fc.constantFrom('', ' ', '0', '"', '\\', '\n', '\u0000', 'A'),
      fc.string({ maxLength: 3 }),
    ),
  })
  await fc.assert(
    fc.asyncProperty(states, edit, async (state, { at, remove, insert }) => {
      const text = await signState(state, sign)
      const from = at % (text.length + 1)
      const changed = text.slice(0, from) + insert + text.slice(from + remove)
      fc.pre(changed !== text)
      expect(await codeOf(changed)).not.toBe('valid')
    }),
    { numRuns: runs(300) },
  )
  // UTF-8 has the same bytes for both.
  const text = await signState('{"a":"\ufffd"}', sign)
  expect(await codeOf(text.replace('\ufffd', '\ud800'))).toBe('malformed')
})

it('verifies no state of version 1.0 that means something else', async () => {
  const text = await signState('{"session_id":"s-7","step":1,"list":[1.5,"a"]}', { ...sign, version: '1.0' })
  const changes: readonly [RegExp, string, string][] = [
    [/"step":1/, '"step":2', 'checksum'],
    [/"step":1/, '"step":1.0', 'checksum'],
    [/"step":1/, '"step":1,"step":1', 'malformed'],
    [/1\.5/, '1e999', 'malformed'],
    [/"a"/, '"b"', 'checksum'],
    [/"s-7"/, '"s-8"', 'checksum'],
    [/1760800000/, '1760800001', 'signature'],
    [/1760800000/, '1760800000.0', 'malformed'],
    [/1760800000/, '-1', 'malformed'],
    [/"version"/, '"state":{},"version"', 'malformed'],
    [/"signature":"(\w+)"/, `"signature":"${'A'.repeat(64)}"`, 'signature'],
  ]
  for (const [from, to, code] of changes) expect(await codeOf(text.replace(from, to)), to).toBe(code)
  expect(await codeOf(text.replaceAll(',', ' ,\n'))).toBe('valid')
})

it('accepts version 1.0 only if told so, and only with a session', async () => {
  const { versions: _, ...plain } = verify
  const old = await signState('{"session_id":"s-7"}', { ...sign, version: '1.0' })
  expect(await verifySignedState(old, plain)).toMatchObject({ code: 'version', path: '/version' })
  expect(await verifySignedState(await signState('{}', sign), plain)).toMatchObject({
    ...{ status: 'valid', expiresAt: issued + 604_800 },
  })
  await expect(signState('{}', { ...sign, version: '1.0' })).rejects.toThrow(/session_id/)
})

it.each<[string, string, Partial<SignStateOptions>?]>([
  ['a state that is no JSON', 'nope'],
  ['a state that is no object', '[1]'],
  ['more than it may', `{"a":"${'x'.repeat(1000)}"}`, { maxChars: 1000 }],
  ['a key that comes twice in version 1.0', '{"session_id":"s-7","a":1,"a":2}', { version: '1.0' }],
  ['what a double cannot hold in version 1.0', '{"session_id":"s-7","a":1e999}', { version: '1.0' }],
])('does not sign %s', async (_, state, more) => {
  await expect(signState(state, { ...sign, ...more })).rejects.toThrow(TypeError)
})

describe('what Python signs', () => {
  const cases = casesOf<{ json: string }, { canonical: string }>('formats/session-canonical')

  it.each(cases)('$name', ({ input: { json }, expected: { canonical } }) => {
    expect(pythonJson(json)).toBe(canonical)
  })

  it('has its keys in order of code points, and means the same', () => {
    const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex')
    const byPoint = (a: string, b: string): number => (bytesOf(a) < bytesOf(b) ? -1 : 1)
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', '\u00e9', '\ue000', '\uffff', '😀', '𝕏'),
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), jsonValue(), (names, value) => {
        const object = Object.fromEntries(names.map((each) => [each, value]))
        const written = pythonJson(JSON.stringify(object, null, 2))
        expect(JSON.parse(written)).toEqual(object)
        if (names.every((each) => !/^\d+$/.test(each))) {
          expect(Object.keys(JSON.parse(written) as object)).toEqual([...names].sort(byPoint))
        }
      }),
      { numRuns: runs(300) },
    )
  })
})

describe('states of the Python server', () => {
  const signed = casesOf<{ text: string; keys: Record<string, string>; now: number }, object>(
    'formats/session-signed',
  )
    .filter(({ expected }) => 'version' in expected && expected.version === '1.0')
    .map(({ name, input: { now: timestamp, ...input } }) => ({ name, timestamp, ...input }))

  it.each(signed)('verify from their text: $name', async ({ text, keys, timestamp }) => {
    const options = { ...verify, keys, now: () => timestamp * 1000 }
    expect(await verifySignedState(text, options)).toMatchObject({ status: 'valid', version: '1.0' })
  })

  it('and ours are equal', async () => {
    for (const { text, keys, timestamp } of signed) {
      const now = () => timestamp * 1000
      const { state } = (await verifySignedState(text, { ...verify, keys, now })) as { state: string }
      const { 'k-1': key = '' } = keys
      const ours = await signState(state, { key, sessionId: 's-7', now, version: '1.0' })
      expect(JSON.parse(ours)).toEqual(JSON.parse(text))
    }
  })

  it('travel through events without a change', async () => {
    for (const { text, keys, timestamp } of signed) {
      const exported = `{"event":"agent.state_exported","metadata":{"signed_state":${text}}}`
      const state = signedStateIn(exported) ?? ''
      expect(state).toBe(text)
      const message = encodeReconnectWithState(state, { now: () => 0, last_seq: 4, last_event_id: 'c-4' })
      expect(decodeSessionEvent(JSON.parse(message), { direction: 'client' }).status).toBe('known')
      expect(signedStateIn(message)).toBe(text)
      const { content } = JSON.parse(message) as { content: { signed_state: string } }
      expect(content.signed_state).toBe(text)
      const options = { ...verify, keys, now: () => timestamp * 1000 }
      expect(await verifySignedState(signedStateIn(message) ?? '', options)).toMatchObject({
        status: 'valid',
      })
    }
  })
})

it('survives a client that parses and writes a message, in version 2', async () => {
  const text = await signState('{ "float": 1.0, "long": 9007199254740993 }', sign)
  const message = encodeReconnectWithState(text, { now: () => 0, last_seq: 4 })
  expect(await codeOf(signedStateIn(JSON.stringify(JSON.parse(message), null, 1)) ?? '')).toBe('malformed')
  expect(await codeOf(signedStateIn(JSON.stringify(JSON.parse(message))) ?? '')).toBe('valid')
})

it('is found in what a client sends, and in no text that is longer than an event with it', async () => {
  const content = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u0000') }))
  await fc.assert(
    fc.asyncProperty(content, fc.constantFrom(...versions), async (value, version) => {
      const text = await signState(JSON.stringify({ session_id: 's-7', value }), { ...sign, version })
      const message = encodeReconnectWithState(text, { now: () => 0, last_seq: 4, last_event_id: 'c-4' })
      const maxChars = text.length
      expect(signedStateIn(message, { maxChars })).toBe(text)
      expect(signedStateIn(message.padEnd(4 * maxChars), { maxChars })).toBe(text)
      expect(signedStateIn(message.padEnd(4 * maxChars + 1), { maxChars })).toBeUndefined()
    }),
    { numRuns: runs(100) },
  )
  const signed = '"signed_state":{}'
  expect(signedStateIn(`{${signed}}`.padEnd(2 ** 22))).toBe('{}')
  expect(signedStateIn(`{${signed}}`.padEnd(2 ** 22 + 1))).toBeUndefined()
  expect(signedStateIn(`{ "content": { ${signed} }, "metadata": [] }`)).toBe('{}')
})

it.each([
  'no',
  '{}',
  '7',
  '{"content":{"signed_state":7}}',
  '{"content":7}',
  '{"a":1,"a":1,"signed_state":"x"}',
])('finds no signed state in %s', (text) => {
  expect(signedStateIn(text)).toBeUndefined()
})

it('requires a JSON object to reconnect with', () => {
  expect(() => encodeReconnectWithState('7', { now: () => 0, last_seq: 1 })).toThrow(TypeError)
})
