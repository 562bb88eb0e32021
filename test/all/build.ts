/** The build of the checkout, which some tests and steps read. */
import { command } from './command.ts'

let built: Promise<string> | undefined

/** Builds the checkout, once for all steps. */
export function build(root: string): Promise<string> {
  built ??= command('npm', ['run', '--silent', 'build'], { cwd: root })
  return built
}
