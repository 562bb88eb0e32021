// Proves what the workflows promise: actions are pinned, and the job that may publish runs no code of dependencies.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const FOLDER = '.github/workflows'
const files = readdirSync(FOLDER)

/** The lines of each job, by its name. */
function jobsOf(text: string): Map<string, string> {
  const [, jobs = ''] = text.split(/^jobs:\n/m)
  return new Map(
    jobs
      .split(/^ {2}(?=\w)/m)
      .slice(1)
      .map((job) => [job.slice(0, job.indexOf(':')), job] as const),
  )
}

it('installs the packages of every step before a release', () => {
  const text = readFileSync(`${FOLDER}/release.yml`, 'utf8')
  const [, list = ''] =
    /for folder in ([\w -]+); do npm install --prefix "test\/all\/\$folder"/.exec(text) ?? []
  const folders = readdirSync('test/all').filter((name) => existsSync(`test/all/${name}/package.json`))
  // That of the mutants is no step.
  expect(list.split(' ').sort()).toEqual(folders.filter((name) => name !== 'mutants'))
})

/** The job of each workflow that may publish, and the actions that it uses. */
const publishers: Readonly<Record<string, { readonly job: string; readonly actions: readonly string[] }>> = {
  'release.yml': { job: 'publish', actions: ['actions/setup-node', 'actions/download-artifact'] },
  'docs.yml': { job: 'deploy', actions: ['actions/deploy-pages'] },
}

describe.each(files)('%s', (file) => {
  const publisher = publishers[file]
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8')
  const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action)

  it('pins every action by commit, with its version beside it', () => {
    expect(actions.length).toBeGreaterThan(0)
    expect(actions.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
  })

  it('gives the token that publishes only to a job that runs no code of dependencies', () => {
    const publishing = [...jobsOf(text)].filter(([, job]) => job.includes('id-token: write'))
    expect(publishing.map(([name]) => name)).toEqual(publisher === undefined ? [] : [publisher.job])
    for (const [, job] of publishing) {
      expect(job).not.toMatch(/npm (?:ci|install|run|test|exec)|npx|checkout|cache/)
      expect([...job.matchAll(/uses: (.*?)@/g)].map(([, action]) => action)).toEqual(publisher?.actions)
      expect(
        [...job.matchAll(/npm publish .*/g)].filter(([line]) => !line.includes('--ignore-scripts')),
      ).toEqual([])
    }
  })

  it('grants nothing at the top but reading', () => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)\n/m)
  })
})
