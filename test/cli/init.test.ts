// Proves that `turnstream init` writes the example, and nothing over what is there.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import examples from '../../examples/package.json' with { type: 'json' }
import root from '../../package.json' with { type: 'json' }
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
    err: expect.stringContaining('Cannot write'),
  })
  expect(await run('init', join(temporary, 'link'))).toMatchObject({ code: 2, out: '' })
  expect([readdirSync(used), readFileSync(file, 'utf8')]).toEqual([['notes.txt'], 'mine'])
})

it.each([[[]], [['a', 'b']]])('refuses the folders %j', async (folders) => {
  const { code, out, err } = await run('init', ...folders)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain('Expected one folder, such as my-agent.')
})
