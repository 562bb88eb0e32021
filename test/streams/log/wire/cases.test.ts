// Proves that a client gets the same wherever the bodies of its connections are cut.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConnections } from '../../../conformance/adapter/streams.ts'
import { casesOf } from '../../../support/conformance.ts'

const cases = casesOf<{ connections: readonly string[]; lastEventId?: string }>('wire')

describe.each(cases)('$name', ({ input: { connections, lastEventId }, expected }) => {
  const bodies = connections.map((body) => new TextEncoder().encode(body))
  const check = (cut: (body: Uint8Array) => Uint8Array[]): void => {
    expect(JSON.parse(JSON.stringify(readConnections(bodies.map(cut), lastEventId)))).toEqual(expected)
  }

  it('in single bytes', () => {
    check((body) => [...body].map((byte) => Uint8Array.of(byte)))
  })

  it('cut anywhere', () => {
    fc.assert(
      fc.property(fc.nat(), (n) => {
        check((body) => [body.subarray(0, n % (body.length + 1)), body.subarray(n % (body.length + 1))])
      }),
      { numRuns: 30 },
    )
  })
})
