// Proves which version two sides agree on.

import fc from 'fast-check'
import { negotiateVersion, PROTOCOL_VERSION } from 'turnstream'
import { expect, it } from 'vitest'

const [major = 0, minor = 0] = PROTOCOL_VERSION.split('.').map(Number)

it('is the highest minor version of our major version that both sides support', () => {
  const version = fc.tuple(fc.integer({ min: 0, max: major + 1 }), fc.nat(minor + 12))
  fc.assert(
    fc.property(fc.array(version), (offered) => {
      const minors = offered.filter(([theirs]) => theirs === major).map(([, theirs]) => theirs)
      const best = `${major}.${Math.min(minor, Math.max(...minors))}`
      expect(negotiateVersion(offered.map((each) => each.join('.')))).toBe(
        minors.length === 0 ? undefined : best,
      )
    }),
  )
})

it.each([
  [[`${major}.999999999`], PROTOCOL_VERSION],
  [[PROTOCOL_VERSION, 'x'], PROTOCOL_VERSION],
  [[null, 1, {}, '1.0'] as unknown as string[], '1.0'],
])('%j contains one', (offered, version) => {
  expect(negotiateVersion(offered)).toBe(version)
})

it.each(['1', 'v1.0', '1.0.0', '01.0', '1.00', ' 1.0', '', '1.x', '1.1234567890', '1234567890.0', '1.0\n'])(
  '%j is not a version',
  (version) => {
    expect(negotiateVersion([version])).toBeUndefined()
  },
)

it.each(['1.0', undefined, { 0: '1.0', length: 1 }])(
  'throws if %j is offered, which is no array',
  (offered) => {
    expect(() => negotiateVersion(offered as never)).toThrow(/^"offered" must be an array, got .*\.$/)
  },
)
