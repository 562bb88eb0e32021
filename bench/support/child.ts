/** Measuring in a process of its own: what start-up and memory need. */
import { execFileSync } from 'node:child_process'

/**
 * Runs a script as a module in a fresh process, in the folder of this one.
 *
 * @param script - Calls `report(number)` once.
 */
export function measureInChild(script: string, flags: readonly string[] = []): number {
  const report = 'const report = (figure) => console.log(figure)'
  const args = [...flags, '--input-type=module', '--eval', `${report}\n${script}`]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}
