/** This implementation as a program for the conformance runner: `turnstream conformance -- tsx <this file>`. */
import { createInterface } from 'node:readline'
import { handlers } from './index.ts'

for await (const line of createInterface({ input: process.stdin })) {
  const { suite, name, input } = JSON.parse(line) as { suite: string; name: string; input: never }
  const handler = handlers[suite]
  const answer = handler === undefined ? { unsupported: true } : { output: await handler(input) }
  process.stdout.write(`${JSON.stringify({ name, ...answer })}\n`)
}
