// What docs/reference/providers.md lists as left out by design.

import { readFileSync } from 'node:fs'

const [, table = ''] =
  /\| reader \| fields \|\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(
    readFileSync('docs/reference/providers.md', 'utf8'),
  ) ?? []

/** Reader → patterns of leaves. */
export const leftOut: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  table
    .trim()
    .split('\n')
    .map((row) => {
      const [, reader = '', fields = ''] = row.split('|')
      return [
        reader.replaceAll('`', '').trim(),
        [...fields.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
      ]
    }),
)

/** Whether a leaf is among those. */
export function isLeftOut(reader: string, leaf: string): boolean {
  return [...(leftOut.all ?? []), ...(leftOut[reader] ?? [])].some((pattern) => regexOf(pattern).test(leaf))
}

function regexOf(pattern: string): RegExp {
  const parts = pattern.split('/').map((part) => {
    if (part === '**') return '.*'
    return part === '*' ? '[^/]*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/').replace(/^\.\*\//, '(?:.*/)?')}$`)
}
