// Proves that linked modules do what they do as files, and that nothing in them ends the element of a page.
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkModules } from '../../src/cli/viewer/link-modules.ts'

/** Links modules by path, of which the first one runs, and gives what it adds to `log`. */
async function logOf(modules: Readonly<Record<string, string>>): Promise<unknown[]> {
  const log: unknown[] = []
  runInNewContext(await link(modules), { log })
  await new Promise(setImmediate)
  return log
}

function link(modules: Readonly<Record<string, string>>): Promise<string> {
  const base = 'file:///dist/'
  const [entry = ''] = Object.keys(modules)
  return linkModules(new URL(entry, base), async (url) => {
    const text = modules[url.href.slice(base.length)]
    if (text === undefined) throw new Error(`There is no ${url}.`)
    return text
  })
}

describe('linked modules', () => {
  it.each([
    ['as they are built', 'import {\n  a as b,\n  c\n} from "./chunks/a.js";\nimport "./chunks/d.js";\n'],
    ['among code', 'var late = 1;\nimport { a as b, c } from "./chunks/a.js";\nimport "./chunks/d.js";\n'],
    ['without white space', 'import{a as b,c}from"./chunks/a.js";import"./chunks/d.js";'],
  ])('run once each, imports first: %s', async (_, imports) => {
    const log = await logOf({
      'main.js': `${imports}log.push(b, c());`,
      'chunks/a.js':
        'import "./d.js";\nvar x = 1;\nfunction c() {\n  return x;\n}\nexport {\n  x as a,\n  c\n};\n',
      'chunks/d.js': 'log.push("once");',
    })
    expect(log).toEqual(['once', 1, 1])
  })

  it('have variables of their own', async () => {
    const log = await logOf({
      'main.js': 'import{a as b}from"./a.js";import{a as c}from"./b.js";var a=0;log.push(a,b,c);',
      'a.js': 'var a=1;export{a};',
      'b.js': 'var a=2;export{a};',
    })
    expect(log).toEqual([0, 1, 2])
  })

  it('run when they are imported, if that is by a call', async () => {
    const log = await logOf({
      'main.js': 'import("./a.js").then(({ a }) => log.push(a));import("./a.js");log.push("first");',
      'a.js': 'log.push("loaded");var a="last";export{a};',
    })
    expect(log).toEqual(['first', 'loaded', 'last'])
  })

  it('hold no text that ends their element, and keep every text', async () => {
    const part = fc.constantFrom('</script>', '<!--', '</SCRIPT', '<script>', '-->', '<', '$&', "$'", 'a')
    await fc.assert(
      fc.asyncProperty(fc.array(part), async (parts) => {
        const text = parts.join('')
        const modules = { 'main.js': `log.push(${JSON.stringify(text)}, /<!--|<\\/script/iu.test("<!--"));` }
        expect(await link(modules)).not.toMatch(/<\/script|<!--/i)
        expect(await logOf(modules)).toEqual([text, true])
      }),
    )
  })

  it.each([
    ['a name that is not exported', 'import{b}from"./a.js";', 'must export b'],
    ['a package', 'import{b}from"node:fs";', 'got node:fs'],
  ])('must not import %s', async (_, main, message) => {
    await expect(link({ 'main.js': main, 'a.js': 'var a=1;export{a};' })).rejects.toThrow(message)
  })
})
