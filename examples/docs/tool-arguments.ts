import { run } from 'turnstream'
import { type PartialJson, partialJson } from 'turnstream/json'

/** Shows the arguments of a tool call while a model writes them, and returns them once they are complete. */
export async function readArguments(
  deltas: AsyncIterable<string>,
  show: (partial: PartialJson) => void,
): Promise<PartialJson['value']> {
  const json = run(partialJson())
  for await (const delta of deltas) json.push(delta).forEach(show)
  const [{ verdict, value }] = json.end() as [PartialJson]
  if (verdict !== 'complete') throw new Error(`The arguments are ${verdict} JSON.`)
  return value
}
