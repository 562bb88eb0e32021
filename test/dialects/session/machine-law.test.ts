// Every machine of the session protocol obeys the machine law.
import fc from 'fast-check'
import { it } from 'vitest'
import {
  fromSessionEvents,
  type SessionInput,
  sessionOutbox,
  sessionReceiver,
  sessionVerifier,
  toSessionEvents,
} from '../../../src/dialects/session/index.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { documented, legal } from './cases.ts'
import { tasks } from './core-streams.ts'

const inputs: readonly unknown[] = [
  ...documented.map(({ event }) => event),
  ...legal.flatMap((stream): readonly unknown[] => stream.events),
]
const numbered = fc
  .tuple(fc.constantFrom(...(inputs as readonly SessionInput[])), fc.nat(20), fc.boolean())
  .map(([event, seq, isNamed]) => ({ ...event, seq, ...(isNamed && { event_id: `c-${seq}` }) }))
const core = tasks('task-1').chain((task) => fc.constantFrom(...task))

it('verifier', () => expectMachineLaw(sessionVerifier(), numbered))
it('lenient verifier', () => expectMachineLaw(sessionVerifier({ mode: 'lenient', startIndex: 1 }), numbered))
it('receiver', () => expectMachineLaw(sessionReceiver({ window: 3 }), numbered))
it('outbox', () => expectMachineLaw(sessionOutbox({ limit: 3 }), numbered))
it('from session', () => expectMachineLaw(fromSessionEvents({ now: () => 0 }), numbered))
it('to session', () => expectMachineLaw(toSessionEvents(), core))
