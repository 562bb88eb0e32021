/**
 * `npm run test:changed [-- <commit>]`: the tests that reach a file which is not committed yet, or has changed since a commit.
 *
 * Some tests reach nearly every file, such as those of the command line. They run if what they are about has changed.
 */
import { spawnSync } from 'node:child_process'

/** Those tests, each with what they are about. */
const abouts = [
  ['test/cli/**', /^(?:src|test)\/(?:cli|inspect)\//],
  ['test/viewer/**', /^(?:src|test)\/(?:inspect|live|viewer)\//],
  ['test/{contributing,docs-*,readme}.test.ts', /^(?:docs|scripts|src\/events)\/|\.md$|\/index\.ts$/],
  ['test/{bad-input,misuse,mistakes}.test.ts', /(?:misuse|options|require)\.ts$|\/index\.ts$/],
]

const [commit] = process.argv.slice(2)
const paths = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim().split('\n')
const changed = [
  ...paths('diff', '--name-only', commit ?? 'HEAD'),
  ...paths('ls-files', '--others', '--exclude-standard'),
]
const others = abouts.filter(([, about]) => !changed.some((path) => about.test(path)))
const { status } = spawnSync(
  'vitest',
  [
    ...['run', '--passWithNoTests', '--changed', ...(commit === undefined ? [] : [commit])],
    ...others.flatMap(([tests]) => ['--exclude', tests]),
  ],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
