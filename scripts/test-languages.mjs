/**
 * `npm run test:languages`: checks what teams in other languages get from the published schemas.
 *
 * Packs the package, generates types from the packed schemas with each language's generator, compiles
 * and runs a client that reads every example and writes it again, and compares. What a client loses
 * must be explained here; a loss without explanation fails, and so does an explanation without loss.
 * A client may also report which invalid events its classes accept: all but those of unknown kinds must be explained.
 * Python proves more: it passes the conformance kit, and reads and serves streams over connections that are cut.
 *
 *     npm run test:languages [-- python go rust java kotlin]
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CLIENTS = join(ROOT, 'test/languages')
/** Kept between runs, so that tools and dependencies are fetched once. */
const WORK = join(tmpdir(), 'turnstream-languages')
const QUICKTYPE = 'quicktype@26.0.0'

const UNKNOWN_FIELDS = 'generated classes have no place for fields they do not know'
const NULL_RESULT = 'a field of any type that is null is written as absent'

/**
 * The languages. `losses`: what of a known event does not survive reading and writing, and why. `isStrict`: its classes
 * refuse every invalid event of a known kind. `isAdapter`: without arguments, its client is an adapter of the conformance kit.
 * `prepare` makes the client, and gives the command that runs it.
 */
const languages = {
  python: {
    tools: [['python3', '--version']],
    losses: {},
    isStrict: true,
    prepare: preparePython,
  },
  go: {
    tools: [['go', 'version']],
    losses: {
      'unknown-field': UNKNOWN_FIELDS,
      'null-any': NULL_RESULT,
      empty: 'an optional list or map that is empty is written as absent',
    },
    isAdapter: true,
    prepare: prepareGo,
  },
  rust: {
    tools: [['cargo', '--version']],
    losses: {
      'unknown-field': UNKNOWN_FIELDS,
      'null-any': NULL_RESULT,
    },
    isAdapter: true,
    prepare: prepareRust,
  },
  java: {
    tools: [
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
    losses: {
      'unknown-field': UNKNOWN_FIELDS,
      'null-any': NULL_RESULT,
    },
    isAdapter: true,
    prepare: prepareJava,
  },
  kotlin: {
    tools: [
      ['java', '-version'],
      ['mvn', '--version'],
    ],
    losses: {
      'unknown-field': UNKNOWN_FIELDS,
      'null-any': NULL_RESULT,
    },
    isAdapter: true,
    prepare: prepareKotlin,
  },
}

class Unavailable extends Error {}

/** The suites that these adapters pass, all cases. */
const SUITES = ['cursor', 'resume', 'sse']
/** Those that the implementation in Python passes. */
const PYTHON_SUITES = ['decode', 'verify', 'cursor', 'resume', 'fold', 'sse', 'wire']

/** The commands of clients that are adapters of the conformance kit as well, once they are built. */
const adapters = new Map()

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28, ...options })
  if (result.status !== 0) {
    const output = `${result.error?.message ?? ''}${result.stdout ?? ''}${result.stderr ?? ''}`
    throw new Error(`${command} ${args.join(' ')} failed:\n${output.slice(-4000)}`)
  }
  return result.stdout
}

/** Fetches what a client is built from; without a registry there is nothing to test. */
function fetchTools(what, command, args, options) {
  try {
    return run(command, args, options)
  } catch (error) {
    throw new Unavailable(`${what} cannot be fetched: ${error.message}`)
  }
}

/** The package as it is published, unpacked. */
function pack() {
  const folder = join(WORK, 'package')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: ROOT })
  const [tarball] = readdirSync(folder)
  run('tar', ['-xzf', tarball], { cwd: folder })
  return join(folder, 'package')
}

function clean(language) {
  const folder = join(WORK, language)
  mkdirSync(folder, { recursive: true })
  cpSync(join(CLIENTS, language), folder, { recursive: true })
  return folder
}

function quicktype(schemas, args) {
  const folder = join(WORK, 'quicktype')
  const tool = join(folder, 'node_modules/.bin/quicktype')
  if (!existsSync(tool)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    fetchTools(QUICKTYPE, 'npm', ['install', '--silent', '--no-audit', '--no-fund', QUICKTYPE], {
      cwd: folder,
    })
  }
  return run(tool, ['--src-lang', 'schema', '--src', join(schemas, 'events.types.json'), ...args])
}

const PYTHON_PACKAGES = [
  ...['jsonschema-rs', 'pydantic', 'datamodel-code-generator'],
  ...['fastapi', 'uvicorn', 'httpx'],
]

/** A Python with these packages and nothing else. */
function python(name, packages) {
  const folder = join(WORK, name)
  const tool = join(folder, 'bin/python')
  const done = join(folder, packages.join('+'))
  if (!existsSync(done)) {
    run('python3', ['-m', 'venv', folder])
    fetchTools(packages.join(', '), tool, ['-m', 'pip', 'install', '--quiet', ...packages])
    writeFileSync(done, '')
  }
  return tool
}

function preparePython(schemas) {
  const tool = python('python-tools', PYTHON_PACKAGES)
  const folder = clean('python')
  run(tool, [
    ...['-m', 'datamodel_code_generator', '--input', join(schemas, 'events.codegen.json')],
    ...['--input-file-type', 'jsonschema', '--output', join(folder, 'events.py')],
    ...['--output-model-type', 'pydantic_v2.BaseModel', '--base-class', 'event.Event'],
    ...['--use-annotated', '--enum-field-as-literal', 'all', '--collapse-root-models'],
    ...['--use-one-literal-as-default', '--snake-case-field', '--allow-population-by-field-name'],
    ...['--disable-timestamp', '--formatters', 'builtin'],
  ])
  return [tool, join(folder, 'client.py')]
}

function prepareGo(schemas, types) {
  const folder = clean('go')
  fetchTools('Go modules', 'go', ['mod', 'tidy'], { cwd: folder })
  quicktype(schemas, [
    ...['--lang', 'go', '--package', 'main', '--omit-empty'],
    ...['--out', join(folder, 'events.go')],
  ])
  const readers = Object.entries(types).map(([kind, type]) => `\t"${kind}": read[${type}],\n`)
  const source = `package main\n\nvar readers = map[string]func([]byte) (any, error){\n${readers.join('')}}\n`
  writeFileSync(join(folder, 'readers.go'), source)
  run('go', ['build', '-o', 'client', '.'], { cwd: folder })
  return [join(folder, 'client')]
}

function prepareRust(schemas, types) {
  const folder = clean('rust')
  const file = join(folder, 'src/events.rs')
  quicktype(schemas, [
    ...['--lang', 'rust', '--visibility', 'public', '--derive-debug', '--skip-serializing-none'],
    ...['--out', file],
  ])
  // quicktype leaves the attribute out where a field may be of any type.
  const any = /\n( *)(pub \w+: Option<serde_json::Value>,)/g
  const skip = '\n$1#[serde(skip_serializing_if = "Option::is_none")]\n$1$2'
  writeFileSync(file, readFileSync(file, 'utf8').replace(any, skip))
  const readers = Object.entries(types).map(([kind, type]) => `        "${kind}" => through::<${type}>,\n`)
  writeFileSync(
    join(folder, 'src/readers.rs'),
    `use crate::{events::*, through};\n\npub fn reader(kind: &str) -> Option<fn(&str) -> serde_json::Result<String>> {\n    Some(match kind {\n${readers.join('')}        _ => return None,\n    })\n}\n`,
  )
  fetchTools('Rust crates', 'cargo', ['fetch', '--quiet'], { cwd: folder })
  run('cargo', ['build', '--quiet', '--offline'], { cwd: folder })
  return [join(folder, 'target/debug/client')]
}

function prepareJava(schemas) {
  const folder = clean('java')
  const sources = join(folder, 'src/main/java/dev/turnstream/events')
  rmSync(sources, { recursive: true, force: true })
  mkdirSync(sources, { recursive: true })
  quicktype(schemas, [
    '--lang',
    'java',
    '--package',
    'dev.turnstream.events',
    '--out',
    join(sources, 'Types.java'),
  ])
  const [jars, classes] = [join(folder, 'target/dependency/*'), join(folder, 'target/classes')]
  fetchTools('Java libraries', 'mvn', ['-q', '-B', 'dependency:copy-dependencies'], { cwd: folder })
  const files = readdirSync(sources).map((name) => join(sources, name))
  const own = ['Client', 'Conform', 'Cursor', 'Extent', 'Messages'].map((name) =>
    join(folder, `src/main/java/${name}.java`),
  )
  run('javac', ['-encoding', 'UTF-8', '-cp', jars, '-d', classes, ...own, ...files])
  return ['java', '-cp', `${classes}:${jars}`, 'Client']
}

/** The compiler comes from the same registry as the libraries. */
function prepareKotlin(schemas) {
  const folder = clean('kotlin')
  quicktype(schemas, [
    ...['--lang', 'kotlin', '--framework', 'jackson', '--package', 'dev.turnstream.events'],
    ...['--out', join(folder, 'Types.kt')],
  ])
  const [jars, classes] = [join(folder, 'target/dependency/*'), join(folder, 'target/classes')]
  fetchTools('Kotlin', 'mvn', ['-q', '-B', 'dependency:copy-dependencies'], { cwd: folder })
  const libraries = readdirSync(join(folder, 'target/dependency')).map((name) =>
    join(folder, 'target/dependency', name),
  )
  const compiler = 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler'
  const files = ['Client', 'Conform', 'Cursor', 'Extent', 'Messages', 'Types'].map((name) =>
    join(folder, `${name}.kt`),
  )
  const options = ['-nowarn', '-no-stdlib', '-no-reflect', '-cp', libraries.join(':'), '-d', classes]
  run('java', ['-cp', jars, compiler, ...options, ...files])
  return ['java', '-cp', `${classes}:${jars}`, 'ClientKt']
}

/** Every example and invalid document of a version, as text. */
function readDocuments(schemas, meta) {
  const statusOf = (path) => (path.startsWith('examples/unknown-kind/') ? 'unknown' : 'known')
  return [
    ...meta.examples.map((path) => ({
      path,
      status: statusOf(path),
      text: readFileSync(join(schemas, path), 'utf8'),
    })),
    ...meta.invalid.map((path) => {
      const { value } = JSON.parse(readFileSync(join(schemas, path), 'utf8'))
      return { path, status: 'invalid', text: JSON.stringify(value) }
    }),
  ]
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Where `out` is not what `value` was: pointer and kind of loss. Instants may be written differently. */
function* differences(value, out, known, pointer = '') {
  if (typeof value === 'string' && typeof out === 'string' && RFC3339.test(value) && RFC3339.test(out)) {
    if (Date.parse(value) !== Date.parse(out)) yield [pointer, 'changed']
  } else if (Array.isArray(value) && Array.isArray(out) && value.length === out.length) {
    for (const [i, item] of value.entries()) yield* differences(item, out[i], known, `${pointer}/${i}`)
  } else if (isObject(value) && isObject(out)) {
    for (const key of new Set([...Object.keys(value), ...Object.keys(out)])) {
      const at = `${pointer}/${key}`
      if (!(key in out)) yield [at, lossOf(key, value[key], known)]
      else if (!(key in value)) yield [at, 'added']
      else yield* differences(value[key], out[key], known, at)
    }
  } else if (value !== out) yield [pointer, 'changed']
}

function lossOf(key, value, known) {
  if (!known.has(key)) return 'unknown-field'
  if (value === null) return 'null-any'
  return typeof value === 'object' && Object.keys(value).length === 0 ? 'empty' : 'lost'
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The names of all fields the schema knows. */
function fieldNames(schema) {
  const names = new Set()
  JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value)) names.add(name)
    return value
  })
  return names
}

/** What a client made of the documents. */
function judge(language, documents, results, known, types) {
  const { losses, isStrict = false } = languages[language]
  const counts = { known: [0, 0], unknown: [0, 0], invalid: [0, 0] }
  const explained = new Map()
  const failures = []
  for (const { path, status, text } of documents) {
    const result = results.get(path)
    const wrong = []
    const lost = []
    if (result === undefined) wrong.push('no result')
    else {
      const expected = { valid: status === 'known', open: status !== 'invalid' }
      if (result.valid !== expected.valid)
        wrong.push(`the schema's verdict is ${result.valid ? 'valid' : 'invalid'}`)
      if (result.open !== expected.open)
        wrong.push(`the open schema's verdict is ${result.open ? 'valid' : 'invalid'}`)
      const isKnownKind = JSON.parse(text)?.kind in types
      if (status === 'invalid' && isStrict && isKnownKind && result.error === undefined)
        wrong.push('the generated classes accept it')
      if (result.forwarded !== undefined)
        for (const [at, loss] of differences(JSON.parse(text), JSON.parse(result.forwarded), known))
          wrong.push(`forwarded with ${loss} ${at}`)
      if (status !== 'invalid' && result.error !== undefined) wrong.push(result.error)
      else if (status !== 'invalid') {
        for (const [at, loss] of differences(JSON.parse(text), JSON.parse(result.out), known)) {
          if (loss in losses) lost.push([loss, `${path}#${at}`])
          else wrong.push(`${loss} ${at}`)
        }
      }
    }
    counts[status][1]++
    if (wrong.length > 0) failures.push(`${path}: ${wrong.join('; ')}`)
    else if (lost.length === 0) counts[status][0]++
    for (const [loss, where] of lost) explained.set(loss, [...(explained.get(loss) ?? []), where])
  }
  for (const loss of Object.keys(losses)) {
    if (!explained.has(loss))
      failures.push(`no document shows the loss ${loss} any more: delete its explanation`)
  }
  return { counts, explained, failures }
}

function test(language, schemas, meta, known) {
  const { tools, prepare } = languages[language]
  for (const [tool, flag] of tools) {
    if (spawnSync(tool, [flag]).status !== 0) throw new Unavailable(`${tool} is not installed`)
  }
  const documents = readDocuments(schemas.replace(join(WORK, 'package/package'), ROOT), meta)
  const file = join(WORK, 'documents.json')
  writeFileSync(file, JSON.stringify(documents))
  const [command, ...args] = prepare(schemas, meta.types)
  if (languages[language].isAdapter) adapters.set(language, [command, ...args])
  const output = run(command, [...args, schemas, file])
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return judge(language, documents, new Map(lines.map((line) => [line.path, line])), known, meta.types)
}

/** Runs suites of the conformance kit against an adapter, which has to pass all cases, and returns the table. */
function conformance(suites, adapter, env = process.env) {
  const options = suites.flatMap((suite) => ['--suite', suite])
  const args = ['src/cli/main.ts', 'conformance', ...options, '--', ...adapter]
  const table = run(join(ROOT, 'node_modules/.bin/tsx'), args, { cwd: ROOT, env }).trimEnd()
  const [, ...rows] = table.split('\n')
  if (!rows.every((row) => row.endsWith(' 0'))) throw new Error(`A case is unsupported:\n${table}`)
  return table
}

/** Runs the Python implementation of the examples on the packed files. */
function testConformance(unpacked) {
  const env = { ...process.env, TURNSTREAM: unpacked, TURNSTREAM_CONFORMANCE: join(ROOT, 'conformance') }
  return conformance(PYTHON_SUITES, ['python3', join(ROOT, 'examples/python/conform.py')], env)
}

/** Runs the Python client and server of the examples against those in TypeScript. */
function testLive() {
  const tool = python('python-tools', PYTHON_PACKAGES)
  const script = join(ROOT, 'test/languages/python/live.ts')
  return run(join(ROOT, 'node_modules/.bin/tsx'), [script, tool], { cwd: ROOT })
}

/** Validates with nothing but `jsonschema` and the files of the repository, which have the examples of messages one by one. */
function testValidation() {
  if (spawnSync('python3', ['--version']).status !== 0) throw new Unavailable('python3 is not installed')
  const tool = python('python-jsonschema', ['jsonschema'])
  const folders = readdirSync(join(ROOT, 'schemas'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'examples')
    .flatMap(({ name }) => readdirSync(join(ROOT, 'schemas', name)).map((version) => `${name}/${version}`))
    .filter((folder) => existsSync(join(ROOT, 'schemas', folder, 'events.schema.json')))
  const script = join(ROOT, 'test/schemas/validate.py')
  return JSON.parse(run(tool, [script, ...folders.map((folder) => join(ROOT, 'schemas', folder))]))
}

function main() {
  const wanted = process.argv.slice(2)
  const strange = wanted.filter((name) => name !== 'jsonschema' && !(name in languages))
  if (strange.length > 0) throw new TypeError(`No such language: ${strange.join(', ')}.`)
  const names = Object.keys(languages).filter((name) => wanted.length === 0 || wanted.includes(name))
  const unpacked = pack()
  const versions = readdirSync(join(unpacked, 'schemas/events')).sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  const schemas = join(unpacked, 'schemas/events', versions.at(-1))
  for (const [variant, name] of Object.entries({ open: 'open.schema', codegen: 'codegen', types: 'types' })) {
    const main = join(unpacked, 'dist/cli/main.js')
    const text = run(process.execPath, [main, 'schema', '--variant', variant])
    writeFileSync(join(schemas, `events.${name}.json`), text)
  }
  const meta = JSON.parse(readFileSync(join(schemas, 'meta.json'), 'utf8'))
  const known = fieldNames(JSON.parse(readFileSync(join(schemas, 'events.schema.json'), 'utf8')))
  const rows = [['language', 'known', 'unknown', 'invalid']]
  const remarks = []
  const total = { passed: 0, failed: 0, skipped: 0 }

  const attempt = (name, action) => {
    try {
      action()
    } catch (error) {
      const skipped = error instanceof Unavailable
      total[skipped ? 'skipped' : 'failed']++
      rows.push([name, skipped ? 'NOT RUN' : 'FAILED', '', ''])
      remarks.push(`${name}: ${skipped ? 'NOT RUN, ' : ''}${error.message}`)
    }
  }

  for (const name of names) {
    attempt(name, () => {
      const { counts, explained, failures } = test(name, schemas, meta, known)
      rows.push([name, ...Object.values(counts).map(([good, all]) => `${good}/${all}`)])
      for (const [loss, places] of explained) {
        remarks.push(`${name}: ${places.length} × ${loss}: ${languages[name].losses[loss]}`)
        remarks.push(...places.map((place) => `    ${place}`))
      }
      for (const failure of failures) remarks.push(`${name}: FAILED ${failure}`)
      const all = Object.values(counts).reduce((sum, [, count]) => sum + count, 0)
      total.failed += failures.length
      total.passed += all - failures.length
    })
  }
  for (const name of names.filter((each) => adapters.has(each))) {
    attempt(`${name}, conformance`, () => {
      remarks.push(`${name}, conformance:`, conformance(SUITES, adapters.get(name)))
      rows.push([`${name}, conformance`, 'passed', '', ''])
      total.passed++
    })
  }
  if (names.includes('python')) {
    const checks = [
      ['python, conformance', () => testConformance(unpacked)],
      ['python, live', testLive],
    ]
    for (const [name, check] of checks) {
      attempt(name, () => {
        remarks.push(`${name}:`, check().trimEnd())
        rows.push([name, 'passed', '', ''])
        total.passed++
      })
    }
  }
  if (wanted.length === 0 || wanted.includes('jsonschema')) {
    attempt('jsonschema alone', () => {
      for (const { folder, known: valid, unknown, invalid, wrong } of testValidation()) {
        const all = valid + unknown + invalid
        const path = folder.split('/').slice(-2).join('/')
        rows.push([
          `jsonschema, ${path}`,
          `${valid}/${valid}`,
          `${unknown}/${unknown}`,
          `${invalid}/${invalid}`,
        ])
        for (const failure of wrong) remarks.push(`jsonschema, ${path}: FAILED ${failure}`)
        total.failed += wrong.length
        total.passed += all - wrong.length
      }
    })
  }

  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  console.log(rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i])).join('  ')).join('\n'))
  if (remarks.length > 0) console.log(`\n${remarks.join('\n')}`)
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  if (total.failed > 0) process.exitCode = 1
}

main()
