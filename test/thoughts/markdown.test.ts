// Proves that tags are extracted from Markdown exactly where CommonMark sees no code, but for the listed exceptions.

import { type Node, Parser } from 'commonmark'
import fc from 'fast-check'
import { extractThoughts } from 'turnstream/thoughts'
import { describe, expect, test } from 'vitest'
import { runs, someOf } from '../support/runs.ts'
import { feed } from './support.ts'

const TAG = '<thinking thought="t"/>'
/** Stands for the tag in what the CommonMark parser reads, where it must not look like HTML. */
const WORD = 'QXQ'

interface Reading {
  /** Whether the word is in code, or in the info string of a fenced code block. */
  readonly isCode: boolean
  /** The lines of the paragraph or heading that holds the word, up to the word. Empty in other blocks. */
  readonly lines: readonly string[]
  readonly nodes: readonly Node[]
}

function readCommonMark(markdown: string): Reading {
  const nodes: Node[] = []
  const walker = new Parser().parse(markdown).walker()
  for (let event = walker.next(); event !== null; event = walker.next())
    if (event.entering) nodes.push(event.node)
  const isCode = nodes.some(
    ({ type, literal, info }) =>
      (type === 'code' && literal?.includes(WORD)) ||
      (type === 'code_block' && `${info ?? ''}\n${literal ?? ''}`.includes(WORD)),
  )
  const all = markdown.split(/\r\n|\n|\r/)
  const at = all.findIndex((line) => line.includes(WORD)) + 1
  const block = nodes.find(
    ({ type, sourcepos }) =>
      (type === 'paragraph' || type === 'heading') && sourcepos[0][0] <= at && sourcepos[1][0] >= at,
  )
  const lines = block === undefined ? [] : all.slice(block.sourcepos[0][0] - 1, at)
  return { isCode, lines, nodes }
}

/** Whether a line has a backtick string that nothing on the line closes. */
function hasOpenSpan(line: string): boolean {
  for (let rest = line; ; ) {
    const start = /^(?:[^`\\]|\\[\s\S]|\\$)*?(`+)/.exec(rest)
    const string = start?.[1]
    if (start === null || string === undefined) return false
    rest = rest.slice(start[0].length)
    const end = new RegExp(`(?<!\`)${string}(?!\`)`).exec(rest)
    if (end === null) return true
    rest = rest.slice(end.index + string.length)
  }
}

interface Exception {
  readonly what: string
  /** A tag in Markdown that shows the exception. */
  readonly example: string
  readonly applies: (markdown: string, reading: Reading) => boolean
}

/** All differences from CommonMark. The documentation of `codeAware` names them. */
const exceptions: readonly Exception[] = [
  {
    what: 'a code span never outlasts its line, and a backtick string without an end opens one',
    example: 'a ` b\n TAG `',
    applies: (_, { lines }) => lines.some(hasOpenSpan),
  },
  {
    what: 'HTML and autolinks are text',
    example: '<div>\n```\nTAG',
    applies: (markdown, { nodes }) =>
      /<[\w.+-]+[:@][^\s>]*>/.test(markdown) || nodes.some(({ type }) => type.startsWith('html_')),
  },
  {
    what: 'the destinations and titles of links are text',
    example: '[a](`) TAG `',
    applies: (_, { nodes }) =>
      nodes.some(
        ({ type, destination, title }) =>
          (type === 'link' || type === 'image') && /`|%60/.test(`${destination} ${title}`),
      ),
  },
  {
    what: 'link reference definitions are paragraphs',
    example: '[a]: /b\n===\n    TAG',
    applies: (markdown) => /\[[^\]]*\]:/.test(markdown),
  },
  {
    what: 'block quotes and lists deeper than 32 are text',
    example: `${'> '.repeat(33)}    TAG`,
    applies: (markdown) => /^(?:[ \t]*(?:>|[-*+]|\d+[.)])){33}/m.test(markdown),
  },
]

function differenceAt(markdown: string, at: number): string | undefined {
  const cut = (middle: string): string => markdown.slice(0, at) + middle + markdown.slice(at)
  const reading = readCommonMark(cut(WORD))
  const { thoughts } = extractThoughts(cut(TAG))
  if ((thoughts.length === 0) === reading.isCode) return undefined
  if (exceptions.some(({ applies }) => applies(cut(WORD), reading))) return undefined
  return `${JSON.stringify(cut('TAG'))} is ${reading.isCode ? '' : 'not '}in code`
}

const blocks = [
  '```',
  '~~~',
  '````',
  '    ',
  '  ',
  ' ',
  '\t',
  '> ',
  '>',
  '- ',
  '* ',
  '+ ',
  '-',
  '1. ',
  '2) ',
  '12. ',
]
const lines = ['# ', '#', '***', '---', '===', '--', '=', '- - -', '_', '**', '**```**', '0', '.', ')']
const inline = [
  '`',
  '``',
  '\\',
  '\\`',
  '`x`',
  '`` ` ``',
  'word',
  'a b',
  '&#96;',
  '*',
  '~',
  '[a](b)',
  '[',
  ']',
  '(',
  ')',
]
const html = ['<div>\n', '<a:b`>']
const breaks = ['\n', '\n', '\n\n', '\r\n', '\r', '\n    ', '\n  ', '\n> ', '\n- ', '\n```', '\n   ```\n']
const markdown = fc
  .array(fc.constantFrom(...blocks, ...blocks, ...lines, ...inline, ...breaks, ...breaks, ...html), {
    maxLength: 14,
  })
  .map((parts) => parts.join(''))

describe('tags in Markdown', () => {
  test('are extracted if and only if CommonMark sees no code', () => {
    fc.assert(
      fc.property(markdown, fc.nat(), (text, place) => {
        expect(differenceAt(text, place % (text.length + 1))).toBeUndefined()
      }),
      { numRuns: runs(5000) },
    )
  })

  test('are so after any three lines', () => {
    const starts = [
      '',
      'a',
      '    a',
      '> a',
      '>',
      '- a',
      '-',
      '2. a',
      '  a',
      '```',
      '> ~~~',
      '- ```',
      '## a',
      '---',
    ]
    const ends = ['TAG', '  TAG', '    TAG', '      TAG', '> TAG', '>     TAG']
    const documents = starts.flatMap((one) =>
      starts.flatMap((two) =>
        starts.flatMap((three) => ends.map((end) => [one, two, three, end].join('\n'))),
      ),
    )
    const differences = someOf(documents).flatMap((text) => {
      const at = text.indexOf('TAG')
      return differenceAt(text.slice(0, at), at) ?? []
    })
    expect(differences).toEqual([])
  })

  test.each([
    ['an escaped backtick', 'a \\` TAG `', false],
    ['an escaped backslash before a backtick', 'a \\\\` TAG `', true],
    ['a fence that its block quote ends', '> ```\n> a\n\nTAG', false],
    ['a fence that its list item ends', '- ```\n  a\nTAG', false],
    ['a fence in a list item, after a blank line', '- ```\n\n  TAG', true],
    ['indented code', 'a\n\n    TAG', true],
    ['an indented line of a paragraph', 'a\n    TAG', false],
    ['indented code in a list item', '1. a\n\n       TAG', true],
    ['an indented paragraph of a list item', '1. a\n\n   TAG', false],
    ['indented code after a heading of six signs', '###### a\n    TAG', true],
    ['an indented line after seven signs, which are text', '####### a\n    TAG', false],
    ['an indented paragraph of an item with nine digits', '123456789. a\n\n           TAG', false],
    ['indented code after ten digits, which are text', '1234567890. a\n\n    TAG', true],
    ['indented code after a number with a colon, which is text', '1:. a\n\n    TAG', true],
    ['indented code after a number with a slash, which is text', '1/. a\n\n    TAG', true],
    ['an indented paragraph of an item with the number 0', '0. a\n\n    TAG', false],
    ['a fence in emphasis', '**```**\nTAG', false],
    ['a fence after CRLF', '```\r\nTAG\r\n```', true],
  ])('%s', (_, text, isCode) => {
    expect(readCommonMark(text.replace('TAG', WORD)).isCode).toBe(isCode)
    for (const deltas of [[text.replace('TAG', TAG)], text.replace('TAG', TAG).split('')]) {
      expect(feed(deltas).thoughts).toHaveLength(isCode ? 0 : 1)
    }
  })

  test.each(exceptions)('differ where $what', ({ example, applies }) => {
    const text = example.replace('TAG', WORD)
    const reading = readCommonMark(text)
    expect(extractThoughts(example.replace('TAG', TAG)).thoughts.length === 0).toBe(!reading.isCode)
    expect(exceptions.filter((one) => one.applies(text, reading)).map(({ what }) => what)).toHaveLength(1)
    expect(applies(text, reading)).toBe(true)
  })
})
