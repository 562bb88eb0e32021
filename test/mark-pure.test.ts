// Proves that the build marks all that runs when a chunk loads as pure, and nothing else.
import { expect, it } from 'vitest'
import { markPure } from '../scripts/mark-pure.ts'

const pure = (value: string): string => `/* @__PURE__ */ (() => (${value}))()`

it.each([
  ['const a = f(b)', 'const a = /* @__PURE__ */ f(b)'],
  ['const a = new Map()', 'const a = /* @__PURE__ */ new Map()'],
  ['var a = f(), b = 1, c = g()', 'var a = /* @__PURE__ */ f(), b = 1, c = /* @__PURE__ */ g()'],
  ['const a = f(b.c)', `const a = ${pure('f(b.c)')}`],
  ['const a = f(g())', `const a = ${pure('f(g())')}`],
  ['const a = b.c()', `const a = ${pure('b.c()')}`],
  ['const a = { ...b }', `const a = ${pure('{ ...b }')}`],
  ['const a = [b.c]', `const a = ${pure('[b.c]')}`],
  ['const a = tag`b`', `const a = ${pure('tag`b`')}`],
  ['const a = { [b]: 1 }', `const a = ${pure('{ [b]: 1 }')}`],
  ['const a = { get b() { return 1 } }', `const a = ${pure('{ get b() { return 1 } }')}`],
])('%s', (code, marked) => {
  expect(markPure(code)).toBe(marked)
})

it.each([
  'const a = () => f()',
  'const a = { b: [1, -2, "c", /d/, null, e], f() { return g() } }',
  'function a() { const b = f(); return b }',
  'class A { b = f() }',
  "import { f } from './f.js'\nf()",
  'const a = "f()" // g()',
  "import * as a from './a.js'; import('./b.js')",
])('%s is left as it is', (code) => {
  expect(markPure(code)).toBe(code)
})

it('leaves no import for the effects of a module', () => {
  expect(markPure(`import'./a.js';import{b}from'./b.js';import './c.js'\nb("import './d.js'")`)).toBe(
    `import{b}from'./b.js';\nb("import './d.js'")`,
  )
})
