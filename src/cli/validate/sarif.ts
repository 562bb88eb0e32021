/** Findings as SARIF 2.1.0, for code scanning. */
import { pathToFileURL } from 'node:url'
import type { Finding, Severity } from '../../inspect/check/finding.ts'
import type { Rule } from '../../rules/rule.ts'
import { messageText, placeText } from '../recording/words.ts'
import { type Findings, omittedOf } from './findings.ts'

const levels: Readonly<Record<Severity, string>> = { error: 'error', warn: 'warning', info: 'note' }

/** The log of one run. */
export function sarifLog(found: Findings, rules: readonly Rule[], version: string): object {
  const { name, listed } = found
  const broken = [...new Set(listed.map(idOf))]
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'turnstream',
            version,
            rules: broken.map((id) => {
              const summary = rules.find(({ rule }) => rule === id)?.summary
              return { id, ...(summary !== undefined && { shortDescription: { text: summary } }) }
            }),
          },
        },
        properties: { omittedResults: omittedOf(found) },
        results: listed.map((finding) => ({
          ruleId: idOf(finding),
          ruleIndex: broken.indexOf(idOf(finding)),
          level: levels[finding.severity],
          message: { text: messageOf(finding) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(name) },
                region: { startLine: Math.max(1, finding.line) },
              },
              ...(finding.path !== undefined && { logicalLocations: [{ fullyQualifiedName: finding.path }] }),
            },
          ],
        })),
      },
    ],
  }
}

function idOf({ rule, code = '' }: Finding): string {
  return rule ?? code
}

/** The message with the field; in a HAR file with the place in it. */
function messageOf(finding: Finding): string {
  return finding.entry === undefined
    ? messageText(finding)
    : `Line ${placeText(finding)}: ${messageText(finding)}`
}

/** A relative path stays relative, so that the log fits any checkout. */
function uriOf(name: string): string {
  if (/^(?:[A-Za-z]:)?[\\/]/.test(name)) return pathToFileURL(name).href
  return name.split(/[\\/]/).map(encodeURIComponent).join('/')
}
