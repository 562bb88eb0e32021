/** The command `turnstream init`. */
import { appendFile, copyFile, lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Command } from './command.ts'
import { printable } from './escape.ts'
import { packageFolder, packageVersion } from './package.ts'
import { reasonOf } from './recording/input.ts'
import { UsageError } from './usage-error.ts'

const example = new URL('examples/agent/', packageFolder)

export const init: Command = {
  usage: '<folder>',
  about: 'Writes an agent that asks before it pays, and its page, to a new folder. It needs no key.',
  examples: [['my-agent', 'An agent to start from']],
  options: {},
  notes: ['Exit codes: 0 if the project was written, 2 if it was not.'],
  async run({ operands }, terminal) {
    const [folder, ...more] = operands
    if (folder === undefined || folder === '' || more.length > 0)
      throw new UsageError('Expected one folder, such as my-agent.')
    try {
      await requireEmpty(folder)
      await writeProject(folder)
    } catch (error) {
      throw error instanceof UsageError ? error : new UsageError(`Cannot write ${folder}: ${reasonOf(error)}`)
    }
    terminal.out(`${printable(folder)} has an agent and its page.

  cd ${printable(quoted(folder))}
  npm install
  npm start      serves both, with a model that needs no key

  server.ts      the agent; with OPENAI_API_KEY, it asks OpenAI
  shop.ts        your part: who is signed in, the tools, which need an approval
  page.tsx       the page
`)
    return 0
  },
}

/** A folder as an argument for a shell. */
function quoted(folder: string): string {
  if (/^[\w./@+:,][\w./@+:,-]*$/.test(folder)) return folder
  const named = folder.startsWith('-') ? `./${folder}` : folder
  return process.platform === 'win32' ? `"${named}"` : `'${named.replaceAll("'", "'\\''")}'`
}

async function requireEmpty(folder: string): Promise<void> {
  const [link, target] = [await lstat(folder).catch(() => {}), await stat(folder).catch(() => {})]
  if (link !== undefined && target?.isDirectory() !== true) {
    const what = target === undefined ? 'a link to nothing' : 'a file'
    throw new UsageError(`Cannot write ${folder}: expected an empty folder or none, got ${what}.`)
  }
  await mkdir(folder, { recursive: true })
  const file = (await readdir(folder)).find((name) => !name.startsWith('.'))
  if (file !== undefined)
    throw new UsageError(`Cannot write ${folder}: expected an empty folder or none, got one with ${file}.`)
}

async function writeProject(folder: string): Promise<void> {
  const files = (await readdir(example)).filter((file) => file !== 'package.json')
  for (const file of files) await copyFile(new URL(file, example), join(folder, file))
  const manifest = JSON.parse(await readFile(new URL('package.json', example), 'utf8'))
  manifest.name = packageName(folder)
  manifest.dependencies.turnstream = `^${await packageVersion()}`
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await appendFile(join(folder, '.gitignore'), 'node_modules\n')
}

/** The name of a folder as npm allows it for a package. */
function packageName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return name.slice(0, 214) || 'my-agent'
}
