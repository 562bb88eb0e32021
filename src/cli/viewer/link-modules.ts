/**
 * Links ES modules into one script, so that a page that loads nothing runs the files that the package has for everybody.
 *
 * Each module becomes a function that returns its exports, run when it is first imported. Only files of the build are linked,
 * and these have one form: imports of names, one list of exports at the end, no circle, and no exported variable that changes.
 */

const IMPORT = /\bimport\s*(?:\{([^{}]*)\}\s*from\s*)?"([^"]+)";?/g
const EXPORTS = /export\s*\{([^{}]*)\};?\s*$/
const DYNAMIC_IMPORT = /\bimport\("([^"]+)"\)/g

/** A module that is linked. */
interface LinkedModule {
  /** Its place among all modules. */
  readonly place: number
  readonly exports: ReadonlySet<string>
}

/**
 * Links a module and all that it imports.
 *
 * @param entry - The module that runs.
 * @param read - Reads the text of a module.
 * @throws TypeError if a module is not a file of the build, or lacks a name that is imported from it.
 */
export async function linkModules(entry: URL, read: (module: URL) => Promise<string>): Promise<string> {
  const bodies: string[] = []
  const linked = new Map<string, Promise<LinkedModule>>()

  function link(module: URL): Promise<LinkedModule> {
    const known = linked.get(module.href)
    if (known !== undefined) return known
    const added = add(module, bodies.push('') - 1)
    linked.set(module.href, added)
    return added
  }

  async function add(module: URL, place: number): Promise<LinkedModule> {
    const text = await read(module)
    const [exportList = '', names = ''] = EXPORTS.exec(text) ?? []
    const exported = pairsOf(names)
    const result = { place, exports: new Set(exported.map(([name, as = name]) => as)) }
    const imports: string[] = []
    for (const [, names = '', path = ''] of text.matchAll(IMPORT)) {
      imports.push(await importOf(module, path, pairsOf(names)))
    }
    let body = text.slice(0, text.length - exportList.length).replace(IMPORT, '')
    for (const [call, path = ''] of body.matchAll(DYNAMIC_IMPORT)) {
      const { place } = await link(urlOf(module, path))
      body = body.replace(call, `Promise.resolve().then(() => load(${place}))`)
    }
    const object = exported.map(([name, as = name]) => `${as}: ${name}`)
    bodies[place] = `${imports.join('')}${body}\nreturn { ${object.join(', ')} };`
    return result
  }

  /** The statement that imports names of another module. */
  async function importOf(module: URL, path: string, names: readonly Pair[]): Promise<string> {
    const { place, exports } = await link(urlOf(module, path))
    const missing = names.find(([name]) => !exports.has(name))
    if (missing !== undefined) throw new TypeError(`${path} must export ${missing[0]} for ${module}.`)
    if (names.length === 0) return `load(${place});\n`
    return `const { ${names.map(([name, as = name]) => `${name}: ${as}`).join(', ')} } = load(${place});\n`
  }

  const { place } = await link(entry)
  const functions = bodies.map((body) => `() => {\n${body}\n}`).join(',\n')
  return inElement(
    `"use strict";(() => {\nconst done = [], modules = [${functions}];\n` +
      `const load = (place) => (done[place] ??= modules[place]());\nload(${place});\n})();`,
  )
}

/** A name, and another one for it. */
type Pair = readonly [name: string, as?: string]

/** The names of a list of imports or exports. */
function pairsOf(list: string): Pair[] {
  const names = list.split(',').map((each) => each.trim())
  return names.filter((each) => each !== '').map((each) => each.split(/\sas\s/) as unknown as Pair)
}

function urlOf(module: URL, path: string): URL {
  if (!path.startsWith('.')) throw new TypeError(`${module} must import files alone, got ${path}.`)
  return new URL(path, module)
}

/** A script in which nothing ends its element. Both are parts of texts and expressions, never of operators: those have a space. */
function inElement(script: string): string {
  return script.replace(/<(?=!--|\/script)/gi, '\\x3c')
}
