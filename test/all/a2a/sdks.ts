/** The SDKs of other languages, in the versions that the steps are written for. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import { command } from '../command.ts'
import type { Lab } from '../lab.ts'
import { Skipped } from '../step.ts'

const pythonPackages: Readonly<Record<A2aVersion, readonly string[]>> = {
  '0.3': ['a2a-sdk[http-server]==0.3.26', 'uvicorn==0.54.0'],
  '1.0': ['a2a-sdk[http-server]==1.3.0', 'uvicorn==0.54.0'],
}

const installed = new Map<string, Promise<string>>()

/** A Python that has the SDK for the version, in a folder of its own. */
export function pythonWithSdk(lab: Lab, version: A2aVersion): Promise<string> {
  return pythonWith(lab, `a2a-${version}`, pythonPackages[version])
}

/** A Python with packages, in a folder of its own. */
export function pythonWith({ temporary }: Lab, name: string, packages: readonly string[]): Promise<string> {
  const folder = join(temporary, `python-${name}`)
  const known = installed.get(folder)
  if (known !== undefined) return known
  const python = installPython(folder, packages)
  installed.set(folder, python)
  return python
}

async function installPython(folder: string, packages: readonly string[]): Promise<string> {
  const cwd = join(folder, '..')
  const python = process.env.PYTHON ?? 'python3'
  try {
    await command(python, ['-m', 'venv', folder], { cwd })
  } catch (error) {
    throw new Skipped(
      `there is no ${python} with venv: install python3-venv, or set PYTHON (${reason(error)})`,
    )
  }
  const own = join(folder, 'bin/python')
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]
  try {
    await command(own, args, { cwd })
  } catch (error) {
    throw new Skipped(`pip cannot install ${packages.join(' and ')} (${reason(error)})`)
  }
  return own
}

/** The client of the Go SDK, built from a folder with its module files. */
export async function buildGo({ temporary }: Lab, source: string): Promise<string> {
  const go = process.env.GO ?? 'go'
  try {
    await command(go, ['version'], { cwd: source })
  } catch (error) {
    throw new Skipped(`there is no ${go}: install Go, or set GO to its path (${reason(error)})`)
  }
  const out = join(mkdtempSync(join(temporary, 'go-')), 'client')
  try {
    await command(go, ['mod', 'download'], { cwd: source })
  } catch (error) {
    throw new Skipped(`Go cannot download the modules of ${join(source, 'go.mod')} (${reason(error)})`)
  }
  await command(go, ['build', '-o', out, '.'], { cwd: source })
  return out
}

/** The last line of what a command printed. */
function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.trim().split('\n').at(-1) ?? ''
}
