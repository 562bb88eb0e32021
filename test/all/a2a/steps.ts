/** A2A with the SDKs of other languages. */
import { join } from 'node:path'
import type { Step } from '../step.ts'
import { useEachCall } from './calls.ts'
import { judge } from './judge.ts'
import { type AgentKind, readAgents } from './read.ts'
import { buildGo, pythonWithSdk } from './sdks.ts'
import { sendTo } from './write.ts'

const agents: readonly AgentKind[] = [
  { sdk: '0.3', version: '0.3' },
  { sdk: '1.0', version: '1.0' },
  { sdk: '1.0', version: '0.3' },
]

const HERE = 'test/all/a2a'

export const a2aSteps: readonly Step[] = [
  ...agents.map(
    ({ sdk, version }): Step => ({
      name: `a2a: reading an agent of the Python SDK ${sdk} in version ${version}`,
      run: (lab) => readAgents(lab, { sdk, version }),
    }),
  ),
  ...agents.map(
    ({ sdk, version }): Step => ({
      name: `a2a: writing for a client of the Python SDK ${sdk} in version ${version}`,
      async run(lab) {
        const script = join(lab.root, HERE, `client_v${sdk.replace('.', '_')}.py`)
        return sendTo(version, { file: await pythonWithSdk(lab, sdk), args: [script], prints: sdk })
      },
    }),
  ),
  {
    name: 'a2a: writing for a client of the Go SDK in version 0.3',
    run: async (lab) => sendTo('0.3', { file: await buildGo(lab, join(lab.root, HERE, 'go')), args: [] }),
  },
  ...(['0.3', '1.0'] as const).map(
    (sdk): Step => ({
      name: `a2a: each call of the server of docs/a2a.md by a client of the Python SDK ${sdk}`,
      run: (lab) => useEachCall(lab, sdk),
    }),
  ),
  ...(['0.3', '1.0'] as const).map(
    (version): Step => ({
      name: `a2a: validateA2aEvent and the specification of ${version} agree`,
      run: (lab) => judge(lab, version),
    }),
  ),
]
