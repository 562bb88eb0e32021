// Proves how much an application writes: an agent that asks, its server and its page.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const textOf = (name: string): string => readFileSync(`examples/agent/${name}`, 'utf8')

it('takes at most 50 lines, and 8 names of the library', () => {
  const app = textOf('server.ts') + textOf('page.tsx')
  expect(app.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(50)
  // The page is bundled and served by a file of its own.
  const all = app + textOf('page-server.ts')
  const names = [...all.matchAll(/^import \{(.*)\} from 'turnstream\//gm)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.replace('type', '').trim()),
  )
  expect(names).toContain('agentHandler')
  expect(new Set(names).size).toBeLessThanOrEqual(8)
})
