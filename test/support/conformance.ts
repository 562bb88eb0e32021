/** The cases of the conformance kit, for the tests of what they describe. */
import { readFileSync } from 'node:fs'

/** One case of a suite. `More` are members for these tests, which no other implementation reads. */
export type SuiteCase<Input, Expected = unknown, More = unknown> = {
  readonly name: string
  readonly input: Input
  readonly expected: Expected
} & More

/**
 * The cases of one file below `conformance/`, without the ending of its name.
 *
 * @typeParam Input - Trusted, as are the others: `test/conformance/suites.test.ts` runs all cases.
 */
export function casesOf<Input, Expected = unknown, More = unknown>(
  file: string,
): readonly SuiteCase<Input, Expected, More>[] {
  // Read and not imported: bundlers refuse halves of surrogate pairs.
  return readFileSync(new URL(`../../conformance/${file}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SuiteCase<Input, Expected, More>)
}
