/** All validators agree on many documents of each vocabulary: verdict, codes and paths. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { command } from '../command.ts'
import { type Step, stepSeed } from '../step.ts'

/** Of each of seven vocabularies: more than 10^6. */
const DOCUMENTS = 150_000

interface Agreement {
  readonly folder: string
  readonly documents: number
  readonly valid: number
  readonly wrong: readonly string[]
}

export const agreementSteps: readonly Step[] = [
  {
    name: 'agreement of validators',
    async run({ root, temporary }) {
      const count = process.env.FC_RUNS ?? String(DOCUMENTS)
      const seed = String(stepSeed())
      const python = process.env.PYTHON ?? 'python3'
      const hasPython = spawnSync(python, ['-c', 'import jsonschema']).status === 0
      const script = join(root, 'test/all/agreement/agreement.ts')
      const args = [script, count, temporary, hasPython ? python : '', seed]
      const out = await command(join(root, 'node_modules/.bin/tsx'), args, { cwd: root })
      const results = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Agreement)
      const wrong = results.flatMap(({ folder, wrong }) => wrong.map((each) => `${folder}: ${each}`))
      if (wrong.length > 0) throw new Error(`Seed ${seed}:\n${wrong.join('\n')}`)
      const python3 = hasPython ? 'and jsonschema' : 'but not jsonschema, which is not installed (set PYTHON)'
      return `${results.reduce((sum, { documents }) => sum + documents, 0)} documents of ${results.length} vocabularies by checks, zod, ajv ${python3}`
    },
  },
]
