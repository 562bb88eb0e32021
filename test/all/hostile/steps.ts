/** What large hostile messages cost, in a process with little memory. Measures, so it is no part of `npm test`. */
import { command } from '../command.ts'
import type { Step } from '../step.ts'

interface Costs {
  readonly messages: readonly {
    readonly name: string
    readonly status: string
    readonly code?: string
    readonly path?: string
    readonly ratio: number
  }[]
  readonly trickle: { readonly length: number; readonly bytesPerCharacter: number }
}

const MAX_RATIO = 3
const MAX_BYTES_PER_CHARACTER = 4

const verdicts: Readonly<Record<string, string>> = {
  'wrong rows': 'invalid invalid-type /rows/0',
  'one wrong row, the last': 'invalid invalid-type /rows/2097103',
  'short numbers before an inexact one': 'known',
  'inexact numbers': 'known',
  'nulls in records': 'known',
  'empty records and a null': 'known',
  'nulls in an unknown kind': 'unknown',
}

export const hostileSteps: readonly Step[] = [
  {
    name: 'hostile messages of 16 MB',
    async run(lab) {
      const cwd = await lab.project()
      const args = ['--max-old-space-size=512', '--expose-gc', 'hostile/cost.mjs']
      const { messages, trickle } = JSON.parse(await command('node', args, { cwd })) as Costs
      const faults = messages.flatMap(({ name, status, code, path, ratio }) => {
        const verdict = [status, code, path].filter((part) => part !== undefined).join(' ')
        const wrong =
          verdict === verdicts[name] ? [] : [`${name}: expected ${verdicts[name]}, got ${verdict}`]
        return ratio < MAX_RATIO
          ? wrong
          : [...wrong, `${name}: took ${ratio.toFixed(1)} times as long as JSON.parse`]
      })
      if (trickle.length !== 4e6 || trickle.bytesPerCharacter > MAX_BYTES_PER_CHARACTER) {
        faults.push(`a message in chunks of one byte: ${JSON.stringify(trickle)}`)
      }
      if (faults.length > 0 || messages.length !== Object.keys(verdicts).length) {
        throw new Error(faults.join('\n'))
      }
      const ratios = messages.map(({ name, ratio }) => `${name} ${ratio.toFixed(1)}`).join(', ')
      return `${messages.length} messages, each below ${MAX_RATIO} times its JSON.parse: ${ratios}`
    },
  },
]
