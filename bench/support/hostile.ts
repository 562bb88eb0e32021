/** Invalid input that makes a careless validator slow, or makes it keep too much. */

const envelope = '"contextId":"ctx-1","taskId":"task-1","timestamp":"2026-03-14T09:26:53.589Z"'

/** `length` characters of `item`s, separated by commas. */
function list(item: string, length: number): string {
  return Array(Math.ceil(length / (item.length + 1)))
    .fill(item)
    .join(',')
}

/** Members with different names. */
function members(value: string, length: number): string {
  const count = Math.ceil(length / (value.length + 12))
  return Array.from({ length: count }, (_, n) => `"k${n + 1e6}":${value}`).join(',')
}

/** An event of which everything but the given fields is right. */
function event(kind: string, fields: string): string {
  return `{"kind":"${kind}",${envelope},${fields}}`
}

function dataset(rows: string): string {
  return event('dataset-write', `"artifactId":"table","index":0,"rows":[${rows}]`)
}

/** Makes the JSON text of an invalid event, about `length` characters long. */
export const hostile: Readonly<Record<string, (length: number) => string>> = {
  'rows that are numbers': (length) => dataset(list('1', length)),
  'rows that are arrays of arrays': (length) => dataset(list('[[],[]]', length)),
  'rows with `null`s, the last of them wrong': (length) => dataset(`${list('{"a":null}', length)},1`),
  'records with `null`s, then a wrong field': (length) =>
    event(
      'task-complete',
      `"metadata":{"usage":[${list('{"provider":null,"model":"a"}', length)}]},"path":0`,
    ),
  'empty records, then a wrong field': (length) =>
    event('task-complete', `"metadata":{"usage":[${list('{}', length)}]},"path":0`),
  'wrong items in `path`': (length) => event('task-complete', `"path":[${list('null', length)}]`),
  'one very long key, then a wrong field': (length) =>
    event('task-complete', `"metadata":{"${'k'.repeat(length)}":{}},"path":0`),
  'one very long string as `timestampEnd`': (length) =>
    event('content-delta', `"delta":"a","index":0,"timestampEnd":"${'2026-'.repeat(length / 5)}"`),
  'nested arrays, and a wrong field': (length) => {
    const depth = Math.ceil(length / 2)
    return event('content-delta', `"delta":0,"index":0,"more":${'['.repeat(depth)}${']'.repeat(depth)}`)
  },
  'unknown fields, and a wrong field': (length) =>
    event('content-delta', `"delta":0,"index":0,${members('1', length)}`),
  'unknown fields that are `null`, and a wrong field': (length) =>
    event('content-delta', `"delta":0,"index":0,${members('null', length)}`),
}
