/** Other programs. */
import { spawn } from 'node:child_process'

/** Runs a command and resolves with what it prints. Throws with all of that when it fails. */
export function command(
  file: string,
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let all = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      all += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      all += text
    })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve(out)
      else reject(new Error(`${file} ${args.join(' ')} ended with ${code ?? signal}:\n${all}`))
    })
  })
}
