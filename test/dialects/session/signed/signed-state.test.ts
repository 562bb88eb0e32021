// Signed states: verified from their text as it came, refused for exactly one reason, and as Python's hmac signs them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeSessionEvent,
  encodeReconnectWithState,
  type SignStateOptions,
  signedStateIn,
  signState,
  type VerifyStateOptions,
  verifySignedState,
} from '../../../../src/dialects/session/index.ts'
import { canonicalize, python, rfc8785 } from '../../../../src/dialects/session/signed/canonical.ts'
import { JsonTextError, parseJsonText } from '../../../../src/dialects/session/signed/json-text.ts'
import { casesOf } from '../../../support/conformance.ts'
import { jsonValue } from '../../../support/json.ts'
import { runs } from '../../../support/runs.ts'

const issued = 1_760_800_000
const key = 'a secret'
const sign: SignStateOptions = { key, kid: 'k-1', sessionId: 's-7', now: () => issued * 1000 }
const verify: VerifyStateOptions = {
  keyOf: (kid) => (kid === 'k-1' || kid === undefined ? key : undefined),
  now: () => (issued + 10) * 1000,
  versions: ['1.0', '2'],
}
const codeOf = async (text: string, more: Partial<VerifyStateOptions> = {}): Promise<string> => {
  const verdict = await verifySignedState(text, { ...verify, ...more })
  return verdict.status === 'valid' ? 'valid' : verdict.code
}

describe.each(['1.0', '2'] as const)('version %s', (version) => {
  it('verifies every state that it signed, with its text unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), jsonValue()), async (value) => {
        const state = JSON.stringify(value, null, 1)
        // Version 2 refuses integers that a double cannot hold.
        fc.pre(!/\d{16}/.test(state))
        const text = await signState(state, { ...sign, version })
        expect(await verifySignedState(text, verify)).toMatchObject({
          status: 'valid',
          version,
          state,
          issuedAt: issued,
        })
      }),
      { numRuns: runs(100) },
    )
  })

  it('refuses a change of any field that it covers', async () => {
    const text = await signState('{"step":1,"list":[1.5,"a"]}', { ...sign, version })
    const changes: readonly [RegExp, string][] = [
      [/"step":1/, '"step":2'],
      [/1\.5/, '1.25'],
      [/"a"/, '"b"'],
      [/176080000/, '176080001'],
      [/"kid":"k-1"/, '"kid":"k-2"'],
      [/"session_id":"s-7"/, '"session_id":"s-8"'],
      [/"expires_at":\d/, '"expires_at":2'],
      [/"signature":"../, '"signature":"zz'],
    ]
    for (const [from, to] of changes) {
      const changed = text.replace(from, to)
      if (changed === text) continue
      expect(await codeOf(changed, { keyOf: () => key }), String(from)).not.toBe('valid')
    }
    expect(await codeOf(text, { keyOf: () => 'another' })).toBe('signature')
    expect(
      await codeOf(
        text.replace(/"signature":"(\w+)"/, (all) => all.toUpperCase().replace('SIGNATURE', 'signature')),
      ),
    ).toBe('signature')
  })

  it('names the first check that fails', async () => {
    const text = await signState('{}', { ...sign, version })
    const at = (seconds: number) => ({ now: () => (issued + seconds) * 1000 })
    expect(await codeOf('{"state":')).toBe('malformed')
    expect(await codeOf('[]')).toBe('malformed')
    expect(await codeOf(text.replace('"state":{}', '"state":{"a":1,"a":1}'))).toBe('malformed')
    expect(await codeOf(text.replace('"state":{}', '"state":7'))).toBe('malformed')
    expect(await codeOf(text.replace('"signature"', '"signed"'))).toBe('missing')
    expect(await codeOf(text.replace('"version"', '"versions"'))).toBe('missing')
    expect(await codeOf(text, { versions: [] })).toBe('version')
    expect(await codeOf(text, at(604_800))).toBe('valid')
    expect(await codeOf(text, at(604_801))).toBe('expired')
    expect(await codeOf(text, at(-60))).toBe('valid')
    expect(await codeOf(text, at(-61))).toBe('from-the-future')
    expect(await codeOf(text, { clockSkewSeconds: 0, ...at(-1) })).toBe('from-the-future')
    expect(await verifySignedState(text, { ...verify, ...at(-61) })).toMatchObject({
      message: 'Expected a state signed before now, got one from in 61 s.',
    })
    expect(await codeOf(text, { keyOf: () => undefined })).toBe('unknown-key')
    expect(await codeOf(text, { isReplayed: () => true })).toBe('replayed')
    expect(await codeOf(text, { isReplayed: async () => false })).toBe('valid')
  })

  it('refuses a field that is missing or of another type, with its path', async () => {
    const signed = JSON.parse(await signState('{}', { ...sign, version })) as Record<string, unknown>
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
      [key, bytes, imported].map((key) => signState('{}', { ...sign, version, key })),
    )
    expect(new Set(texts).size).toBe(1)
    expect(await codeOf(texts[0] ?? '', { keyOf: () => imported })).toBe('valid')
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
    expect(await codeOf('['.repeat(100_000))).toBe('malformed')
  })
})

it('reports the checksum of version 1.0 before its signature', async () => {
  const text = await signState('{"a":1}', { ...sign, version: '1.0' })
  expect(await codeOf(text.replace('"a":1', '"a":2'))).toBe('checksum')
})

it('accepts only version 2 unless told otherwise, and states who signed for whom', async () => {
  const { versions: _, ...plain } = verify
  const old = await signState('{"session_id":"s-7"}', { ...sign, version: '1.0' })
  expect(await verifySignedState(old, plain)).toMatchObject({
    status: 'refused',
    code: 'version',
    path: '/version',
  })
  expect(await verifySignedState(old, verify)).toMatchObject({ status: 'valid', sessionId: 's-7' })
  expect(await verifySignedState(await signState('{}', sign), plain)).toMatchObject({
    status: 'valid',
    kid: 'k-1',
    sessionId: 's-7',
    expiresAt: issued + 604_800,
  })
})

it.each([
  ['a state that is no JSON', 'nope'],
  ['a state that is no object', '[1]'],
  ['duplicate keys', '{"a":1,"a":2}'],
  ['an integer that a double cannot hold', '{"a":9007199254740993}'],
  ['half of a surrogate pair', '{"a":"\\ud800"}'],
])('does not sign %s', async (_, state) => {
  await expect(signState(state, sign)).rejects.toThrow(TypeError)
})

describe('the canonical form', () => {
  const forms = { rfc8785, python }
  const cases = casesOf<{ form: 'rfc8785' | 'python'; json: string }, { canonical: string }>(
    'session-canonical',
  )

  it.each(cases)('$input.form: $name', ({ input: { form, json }, expected: { canonical } }) => {
    expect(canonicalize(parseJsonText(json), forms[form])).toBe(canonical)
  })

  it('has its keys in order, by code unit or by code point', () => {
    const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex')
    const byUnit = (a: string, b: string): number => (a < b ? -1 : 1)
    const byPoint = (a: string, b: string): number => (bytesOf(a) < bytesOf(b) ? -1 : 1)
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', '\u00e9', '\ue000', '\uffff', '😀', '𝕏'),
      maxLength: 4,
    })
    const keysOf = (canonical: string): string[] => Object.keys(JSON.parse(canonical) as object)
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
        const node = parseJsonText(JSON.stringify(Object.fromEntries(names.map((each) => [each, 0]))))
        expect(keysOf(canonicalize(node, rfc8785))).toEqual([...names].sort(byUnit))
        expect(keysOf(canonicalize(node, python))).toEqual([...names].sort(byPoint))
      }),
      { numRuns: runs(300) },
    )
  })

  it('is read of values in up to 500 others', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    expect(canonicalize(parseJsonText(nested(501)), rfc8785)).toBe(nested(501))
    expect(() => parseJsonText(nested(502))).toThrow(JsonTextError)
  })

  it('reads what JSON.parse reads, and nothing else', () => {
    const edited = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '}', '"', '\\', ' ', '0', 'e', '-', '\u0001', '[', 't'),
      )
      .map(([text, n, char]) => {
        const at = n % (text.length + 1)
        return text.slice(0, at) + char + text.slice(at + (n % 2))
      })
    const parses = (parse: (text: string) => unknown, text: string): boolean => {
      try {
        parse(text)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(fc.oneof(fc.json(), edited), (text) => {
        fc.pre(!/"([^"]*)":.*"\1":/s.test(text))
        expect(parses(parseJsonText, text)).toBe(parses(JSON.parse, text))
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('states of the Python server', () => {
  const signed = casesOf<{ text: string; secret: string; now: number }, object>('session-signed')
    .filter(({ expected }) => 'version' in expected && expected.version === '1.0')
    .map(({ name, input: { now: timestamp, ...input } }) => ({ name, timestamp, ...input }))

  it.each(signed)('verify from their text: $name', async ({ text, secret, timestamp }) => {
    const options = { ...verify, keyOf: () => secret, now: () => timestamp * 1000 }
    expect(await verifySignedState(text, options)).toMatchObject({ status: 'valid', version: '1.0' })
  })

  it('and ours are equal', async () => {
    for (const { text, secret, timestamp } of signed) {
      const { state } = (await verifySignedState(text, {
        ...verify,
        keyOf: () => secret,
        now: () => timestamp * 1000,
      })) as { state: string }
      const ours = await signState(state, { key: secret, now: () => timestamp * 1000, version: '1.0' })
      expect(JSON.parse(ours)).toEqual(JSON.parse(text))
    }
  })

  it('travel through events without a change', async () => {
    for (const { text, secret, timestamp } of signed) {
      const exported = `{"event":"agent.state_exported","metadata":{"signed_state":${text}}}`
      const state = signedStateIn(exported) ?? ''
      expect(state).toBe(text)
      const message = encodeReconnectWithState(state, { now: () => 0, last_seq: 4, last_event_id: 'c-4' })
      expect(decodeSessionEvent(JSON.parse(message), { direction: 'client' }).status).toBe('known')
      expect(signedStateIn(message)).toBe(text)
      const { content } = JSON.parse(message) as { content: { signed_state: string } }
      expect(content.signed_state).toBe(text)
      const options = { ...verify, keyOf: () => secret, now: () => timestamp * 1000 }
      expect(await verifySignedState(signedStateIn(message) ?? '', options)).toMatchObject({
        status: 'valid',
      })
    }
  })
})

it.each(['no', '{}', '7', '{"content":{"signed_state":7}}'])('finds no signed state in %s', (text) => {
  expect(signedStateIn(text)).toBeUndefined()
})

it('requires a JSON object to reconnect with', () => {
  expect(() => encodeReconnectWithState('7', { now: () => 0, last_seq: 1 })).toThrow(TypeError)
})
