/** The example of a task whose process is killed while it waits for an answer, on a real Redis. */
import { equal, match } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Lab } from '../lab.ts'
import { startRedis } from './server.ts'

const TRIALS = 5

/** Answers before the lease expires and after. */
export async function resumed({ root, temporary }: Lab): Promise<string> {
  const server = await startRedis(temporary)
  try {
    for (let trial = 0; trial < TRIALS; trial++) {
      for (const when of ['at-once', 'later']) {
        const args = ['tsx', join(root, 'examples/resume/main.ts'), server.url, '500', when]
        const { stdout } = await promisify(execFile)('npx', args, { cwd: root, timeout: 60_000 })
        const lines = stdout.trim().split('\n')
        match(lines[2] ?? '', /^The answer is accepted by process \d+\.$/)
        const [own] = /\d+/.exec(lines[2] ?? '') ?? []
        equal(lines[3], `Process ${own}: deployed.`)
      }
    }
  } finally {
    await server.kill()
  }
  return `${TRIALS} answers before the lease expired and ${TRIALS} after: each task went on in the other process`
}
