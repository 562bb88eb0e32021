// Proves that the build shortens the names within functions, and no others.
import { expect, it } from 'vitest'
import { shortenLocals } from '../scripts/shorten-locals.ts'

it.each([
  [
    'function first(value) { const twice = value + 1; return twice }',
    /^function first\((\w)\)\{const (\w)=\1\+1;return \2\}$/,
  ],
  ['var second = (value) => value.field', /^var second=(\w)=>\1\.field;$/],
  ['class Third { method(value) { return value } }', /^class Third\{method\((\w)\)\{return \1\}\}$/],
  [
    'import{used}from"./a.js";import*as z from"b";function outer(value){return used(value,z)}export{outer as inner};',
    /^import\{used\}from"\.\/a\.js";import\*as z from"b";function outer\((\w)\)\{return used\(\1,z\)\}\nexport\{outer as inner\};$/,
  ],
])('%s', async (code, short) => {
  expect((await shortenLocals(code)).trim()).toMatch(short)
})

it('refuses what would make a module of a script', async () => {
  await expect(shortenLocals('var url = import.meta.url')).rejects.toThrow('import.meta')
})
