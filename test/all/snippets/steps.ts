/** The files that pages show, compiled and run as by those who copy them. */
import { equal } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { command } from '../command.ts'
import type { Lab } from '../lab.ts'
import { binaries, installed } from '../runtimes/binaries.ts'
import { Skipped, type Step } from '../step.ts'

const bundler = { module: 'esnext', moduleResolution: 'bundler' }
const vite = {
  ...{
    ...bundler,
    types: ['node'],
    moduleDetection: 'force',
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
  },
  ...{ noUnusedLocals: true, noUnusedParameters: true, noFallthroughCasesInSwitch: true },
}

/** The settings of templates, and those of careful projects. */
const settings: Readonly<Record<string, object>> = {
  'the template of Vite': { ...vite, target: 'es2023', lib: ['ES2023', 'DOM'] },
  'that of Vite before': { ...vite, target: 'es2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'] },
  'the template of Next.js': {
    ...{ ...bundler, target: 'es2017', lib: ['dom', 'dom.iterable', 'esnext'] },
    ...{ esModuleInterop: true, isolatedModules: true, resolveJsonModule: true },
  },
  'exact optional fields': {
    ...{ target: 'es2022', module: 'nodenext', types: ['node'] },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  },
}

export const snippetSteps: readonly Step[] = [
  { name: 'snippets: TypeScript 5.9 and 7, with the settings of templates', run: compiled },
  { name: 'snippets: the first program in plain Node 22, with and without "type": "module"', run: started },
]

/** The files that pages show, in a project that has the packed library. */
async function copied(lab: Lab): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  const folder = mkdtempSync(join(lab.temporary, 'snippets-'))
  const modules = join(lab.root, 'node_modules')
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(modules))
    if (name !== 'turnstream') symlinkSync(join(modules, name), join(folder, 'node_modules', name))
  symlinkSync(join(await lab.project(), 'node_modules/turnstream'), join(folder, 'node_modules/turnstream'))
  cpSync(join(lab.root, 'examples'), join(folder, 'examples'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const pages = readdirSync(join(lab.root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(lab.root, 'docs', file))
  const shown = [join(lab.root, 'README.md'), ...pages].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/<!-- (examples\/\S+\.tsx?) -->/g)].map(([, file = '']) => file),
  )
  return { folder, files: [...new Set(shown)] }
}

async function compiled(lab: Lab): Promise<string> {
  const old = join(lab.root, 'test/all/snippets/node_modules/typescript/bin/tsc')
  if (!existsSync(old)) throw new Skipped('it is not installed: run `npm install` in test/all/snippets')
  const { folder, files } = await copied(lab)
  const common = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    jsx: 'react-jsx',
    skipLibCheck: true,
  }
  for (const options of Object.values(settings)) {
    const compilerOptions = { ...common, ...options }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    for (const compiler of [old, join(lab.root, 'node_modules/typescript-7/bin/tsc')])
      await command(process.execPath, [compiler], { cwd: folder })
  }
  return `${files.length} files with ${Object.keys(settings).length} settings`
}

async function started(lab: Lab): Promise<string> {
  const node = installed(lab, binaries.node22)
  const { folder } = await copied(lab)
  for (const type of [{}, { type: 'module' }]) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...type }))
    const child = spawn(node, ['examples/readme/main.ts'], { cwd: folder })
    const lines: string[] = []
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.trim().split('\n'))
      // It serves on.
      if (lines.includes('completed')) child.kill()
    })
    await once(child, 'exit')
    equal(lines.join(', '), 'A greeting. thought, You wrote “Hello”. answer, completed')
  }
  return 'a task from its server to its client'
}
