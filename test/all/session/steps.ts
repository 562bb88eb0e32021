/** Signed states of the session protocol, with Python as the other side. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { command } from '../command.ts'
import { Skipped, type Step } from '../step.ts'

export const sessionSteps: readonly Step[] = [
  {
    name: 'signed states with Python',
    async run({ root }) {
      const python = process.env.PYTHON ?? 'python3'
      if (spawnSync(python, ['--version']).status !== 0) throw new Skipped('there is no python3: set PYTHON')
      const folder = join(root, 'test/all/session')
      const args = [
        join(folder, 'signed-states.ts'),
        join(folder, 'signer.py'),
        process.env.FC_RUNS ?? '3000',
        python,
      ]
      const count = await command(join(root, 'node_modules/.bin/tsx'), args, { cwd: root })
      return `${count.trim()} states signed by Python and as many verified by it`
    },
  },
]
