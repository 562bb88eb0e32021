// Proves that `turnstream init` writes the example, and nothing over what is there.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import examples from '../../examples/package.json' with { type: 'json' }
import root from '../../package.json' with { type: 'json' }
import { compiled } from '../support/compiled.ts'
import { runs } from '../support/runs.ts'
import { run } from './run.ts'

const temporary = mkdtempSync(join(tmpdir(), 'init-'))
afterAll(() => rmSync(temporary, { recursive: true }))

const example = new URL('../../examples/agent/', import.meta.url)
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

it('writes the files of the example, and states what to do next', async () => {
  const folder = join(temporary, 'new/My Agent!')
  const { code, out, err } = await run('init', folder)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('npm start')
  for (const file of readdirSync(example).filter((file) => file !== 'package.json'))
    expect(readFileSync(join(folder, file), 'utf8'), file).toBe(readFileSync(new URL(file, example), 'utf8'))
  expect(manifestOf(folder)).toMatchObject({
    name: 'my-agent',
    dependencies: { turnstream: `^${root.version}` },
  })
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('node_modules\n')
})

it('states a command that a shell takes to the folder, whatever its name', async () => {
  const name = fc.oneof(
    fc.constantFrom(
      'my-agent',
      'My Agent',
      '-x',
      '~',
      'x$(id)',
      "it's",
      '"',
      '\\\\',
      '`id`',
      '#a',
      'a;b',
      '日本',
    ),
    fc.string({ unit: fc.constantFrom(...'a- ~$(){}\'"\\\\;&|<>*?!#%^`='), minLength: 1, maxLength: 8 }),
  )
  let count = 0
  await fc.assert(
    fc.asyncProperty(name, async (name) => {
      const folder = join(temporary, 'shell', String(count++), name)
      const { out } = await run('init', folder)
      const line = out.split('\n').find((line) => line.startsWith('  cd '))
      const { stdout } = spawnSync('sh', ['-c', `${line} && ls server.ts && pwd`], { encoding: 'utf8' })
      expect(stdout).toBe(`server.ts\n${folder}\n`)
    }),
    { numRuns: runs(30) },
  )
  expect((await run('init', join(temporary, 'shell', 'plain'))).out).toContain(
    `  cd ${temporary}/shell/plain\n`,
  )
})

describe('start.ts', () => {
  const repository = fileURLToPath(new URL('../..', import.meta.url))
  const start = (file: string, port: string): ChildProcess => spawn(process.execPath, [file, port])
  const said = async (child: ChildProcess, from: 'stdout' | 'stderr'): Promise<string> => {
    const [data] = (await once(child[from] as Readable, 'data')) as [Buffer]
    return data.toString()
  }

  it('serves also by a path with a link, and says in one line that its port is in use or none', async () => {
    const linked = join(temporary, 'linked')
    const copy = join(temporary, 'copy')
    cpSync(example, copy, { recursive: true })
    symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'))
    // The page is built from the package, which may not be built here.
    writeFileSync(join(copy, 'page.tsx'), '')
    cpSync(compiled(new URL('start.ts', example)), join(copy, 'start.mjs'))
    symlinkSync(copy, linked)
    const file = join(linked, 'start.mjs')
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    for (const [given, reason] of [
      [String(port), `address already in use 127.0.0.1:${port}`],
      ['abc', 'Expected a port, got abc.'],
    ] as const) {
      const child = start(file, given)
      const [error, [code]] = await Promise.all([said(child, 'stderr'), once(child, 'exit')])
      expect(error).toContain(reason)
      expect([error.trim().split('\n').length, code]).toEqual([1, 1])
    }
    taken.close()
    const child = start(file, '0')
    expect(await said(child, 'stdout')).toContain('http://localhost:')
    child.kill()
    await once(child, 'exit')
  }, 60_000)
})

it('installs the versions that the tests run with', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('package.json', example), 'utf8'))
  const { turnstream, ...others } = { ...dependencies, ...devDependencies }
  expect(turnstream).toBe(`^${root.version}`)
  expect({ ...root.devDependencies, ...examples.devDependencies }).toMatchObject(others)
})

it('writes to a new repository, and keeps its ignored files', async () => {
  const folder = join(temporary, 'repository')
  mkdirSync(join(folder, '.git'), { recursive: true })
  writeFileSync(join(folder, '.gitignore'), '.env\n')
  expect((await run('init', folder)).code).toBe(0)
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('.env\nnode_modules\n')
})

it.each(['日本', '.x', '-_-'])(
  'gives a project in a folder named %s a name that npm allows',
  async (name) => {
    const folder = join(temporary, 'names', name)
    await run('init', folder)
    expect(manifestOf(folder).name).toMatch(/^[a-z0-9][a-z0-9-]*$/)
  },
)

it('changes nothing in a folder with files, and in what is no folder', async () => {
  const [used, file] = [join(temporary, 'used'), join(temporary, 'file')]
  mkdirSync(used)
  writeFileSync(join(used, 'notes.txt'), 'mine')
  writeFileSync(file, 'mine')
  symlinkSync(join(temporary, 'nowhere'), join(temporary, 'link'))
  expect(await run('init', used)).toMatchObject({
    code: 2,
    err: expect.stringContaining('expected an empty folder or none, got one with notes.txt'),
  })
  expect(await run('init', file)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('expected an empty folder or none, got a file.'),
  })
  expect(await run('init', join(temporary, 'link'))).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('expected an empty folder or none, got a link to nothing.'),
  })
  expect([readdirSync(used), readFileSync(file, 'utf8')]).toEqual([['notes.txt'], 'mine'])
})

it.each([[[]], [['']], [['a', 'b']]])('refuses the folders %j', async (folders) => {
  const { code, out, err } = await run('init', ...folders)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain('Expected one folder, such as my-agent.')
})
