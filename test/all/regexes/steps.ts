/** No regular expression of the library takes more than linear time, whatever the text. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'
import { sourceFiles, walk } from '../../support/sources.ts'
import type { Lab } from '../lab.ts'
import { Skipped, type Step } from '../step.ts'

/** What the checker says of a regular expression. */
interface Verdict {
  readonly status: 'safe' | 'vulnerable' | 'unknown'
  /** `automaton` proves, `fuzz` searches for a slow text. */
  readonly checker?: string
  readonly complexity?: { readonly summary: string }
  readonly attack?: { readonly pattern: string }
  readonly error?: { readonly kind: string }
}

type Check = (source: string, flags: string, params: { readonly timeout: number }) => Verdict

/** For the slowest of them, many times over. */
const TIMEOUT_MS = 120_000

export const regexSteps: readonly Step[] = [{ name: 'regular expressions take linear time', run: checkAll }]

async function checkAll(lab: Lab): Promise<string> {
  const check = checker(lab)
  const { literals, faults } = regexes()
  let searched = 0
  for (const [literal, places] of literals) {
    const verdict = verdictOf(check, literal)
    if (verdict.status !== 'safe') faults.push(`${describe(literal, verdict)}: ${places.join(', ')}`)
    if (verdict.checker === 'fuzz') searched++
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return `${literals.size} regular expressions, ${searched} of them by fuzzing`
}

/** The checker. Throws if it misses an expression that is known to be slow. */
function checker({ root }: Lab): Check {
  const folder = join(root, 'test/all/regexes')
  if (!existsSync(join(folder, 'node_modules/recheck'))) {
    throw new Skipped('recheck is not installed: run `npm install` in test/all/regexes')
  }
  // JavaScript: the other backends are binaries.
  process.env.RECHECK_BACKEND = 'pure'
  const { checkSync } = createRequire(join(folder, 'package.json'))('recheck') as { checkSync: Check }
  for (const slow of ['/^(a+)+$/', '/a+$/']) {
    if (verdictOf(checkSync, slow).status !== 'vulnerable') throw new Error(`recheck misses ${slow}`)
  }
  return checkSync
}

/** Each literal of the library, with the places where it is; a fault for each expression that is built at run time. */
function regexes(): { literals: Map<string, string[]>; faults: string[] } {
  const literals = new Map<string, string[]>()
  const faults: string[] = []
  for (const file of sourceFiles()) {
    walk(file, (node) => {
      const line = (): number => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1
      if (ts.isRegularExpressionLiteral(node)) {
        const places = literals.get(node.text) ?? []
        literals.set(node.text, [...places, `src/${file.path}:${line()}`])
      } else if (ts.isIdentifier(node) && node.text === 'RegExp' && !ts.isTypeReferenceNode(node.parent)) {
        faults.push(`src/${file.path}:${line()}: expected a literal, which can be checked, got RegExp`)
      }
    })
  }
  return { literals, faults }
}

function verdictOf(check: Check, literal: string): Verdict {
  const end = literal.lastIndexOf('/')
  return check(literal.slice(1, end), literal.slice(end + 1), { timeout: TIMEOUT_MS })
}

function describe(literal: string, { status, complexity, attack, error }: Verdict): string {
  const reasons = [complexity?.summary, attack && `slow for ${attack.pattern.slice(0, 80)}`, error?.kind]
  return [`${literal} is ${status}`, ...reasons.filter((reason) => reason !== undefined)].join(', ')
}
