// Proves that the build marks every call that runs when a module loads, and nothing else.
import { expect, it } from 'vitest'
import { markPureCalls } from '../scripts/mark-pure-calls.ts'

it.each([
  ['const a = f()', 'const a = /* @__PURE__ */ f()'],
  ['export const a = new Map()', 'export const a = /* @__PURE__ */ new Map()'],
  ['const a = f(g(), [h()])', 'const a = /* @__PURE__ */ f(/* @__PURE__ */ g(), [/* @__PURE__ */ h()])'],
  ['const a = f()(1)', 'const a = /* @__PURE__ */ f()(1)'],
  ['const a = () => f()', 'const a = () => f()'],
  ['function a() { return f() }', 'function a() { return f() }'],
  ['class A { b = f() }', 'class A { b = f() }'],
  ["import { f } from './f.js'\nf()", "import { f } from './f.js'\nf()"],
  ['const a = "f()" // g()', 'const a = "f()" // g()'],
])('%s', (code, marked) => {
  expect(markPureCalls(code)).toBe(marked)
})
