/** The adapter with one value changed in each output of one suite: the runner has to notice. */
import { createInterface } from 'node:readline'
import { handlers } from '../../conformance/adapter/index.ts'

const [, , mutated] = process.argv

/** A copy with its first text, number or boolean changed. */
function changed(value: unknown): unknown {
  if (typeof value === 'string') return `${value}.`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'object' || value === null) return 'changed'
  const [first, ...rest] = Object.entries(value)
  if (first === undefined) return Array.isArray(value) ? ['changed'] : { changed: true }
  const [name, inner] = first
  return Array.isArray(value)
    ? [changed(inner), ...value.slice(1)]
    : Object.fromEntries([[name, changed(inner)], ...rest])
}

for await (const line of createInterface({ input: process.stdin })) {
  const { suite, name, input } = JSON.parse(line) as { suite: string; name: string; input: never }
  const output = await handlers[suite]?.(input)
  process.stdout.write(`${JSON.stringify({ name, output: suite === mutated ? changed(output) : output })}\n`)
}
