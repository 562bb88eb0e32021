/**
 * The lines of Markdown, as in CommonMark: the block quotes and list items that a line continues or opens, and the
 * block that it starts in them. By {@link MarkdownPosition.line}:
 *
 *     > 1. text      start ▶ quote-marker ▶ start ▶ number ▶ number-end ▶ item ▶ text
 *     # Title        start ▶ heading ▶ text
 *     * * *          start ▶ bullet ▶ item ▶ bullet ▶ item ▶ bullet, and then a thematic break after all
 */
import { isDigit, isSpaceOrTab, TAB } from '../char-codes.ts'
import type { LinePart, MarkdownPosition } from './position.ts'

/** Markers of block quotes and list items deeper than this are text. */
const MAX_DEPTH = 32

/** What a space or a tab makes of the line. */
const afterSpace: { readonly [Part in LinePart]?: LinePart } = {
  bullet: 'item',
  'number-end': 'item',
  item: 'item',
  underline: 'underline-end',
  'underline-end': 'underline-end',
}

/** Moves over a character before the text of a line. Returns `false` if the text starts with it. */
export function advanceStart(position: MarkdownPosition, unit: number): boolean {
  const { line, column } = position
  if (isSpaceOrTab(unit)) {
    position.column = unit === TAB ? column - (column % 4) + 4 : column + 1
    if (line === 'heading') return startHeading(position)
    if (line === 'number') return startText(position)
    // The first space after it belongs to the marker of a block quote.
    if (line === 'quote-marker') position.base++
    position.line = afterSpace[line] ?? 'start'
    return true
  }
  const isMarker = continueMarker(position, String.fromCharCode(unit))
  position.column++
  return isMarker
}

/** Adds a character that is no space to a marker, or starts a block with it. */
function continueMarker(position: MarkdownPosition, character: string): boolean {
  const { marker, line } = position
  switch (line) {
    case 'bullet':
      // Two or more hyphens after a paragraph may be its underline.
      if (marker !== '-' || character !== '-' || !continuesParagraph(position)) return startText(position)
      position.line = 'underline'
      return true
    case 'underline':
      return character === marker || startText(position)
    case 'number':
      if (isDigit(character.charCodeAt(0)) ? marker.length === 9 : !/[.)]/.test(character)) {
        return startText(position)
      }
      if (!isDigit(character.charCodeAt(0))) position.line = 'number-end'
      position.marker += character
      return true
    case 'heading':
      if (character !== '#' || marker.length === 6) return startText(position)
      position.marker += character
      return true
    case 'item': {
      const spaces = position.column - position.base - position.indent - marker.length
      // Within a paragraph, a number other than 1 starts no list.
      const isText =
        continuesParagraph(position) && isDigit(marker.charCodeAt(0)) && Number.parseInt(marker, 10) !== 1
      if (isText || !openItem(position, spaces > 4 ? 1 : spaces)) return startText(position)
      return startBlock(position, character)
    }
    case 'number-end':
    case 'underline-end':
      return startText(position)
    default:
      return startBlock(position, character)
  }
}

/** Starts a block, or a container, with a character that is no space. */
function startBlock(position: MarkdownPosition, character: string): boolean {
  const { containers, column } = position
  position.line = 'start'
  for (let width = containers[position.matched]; width !== undefined; width = containers[position.matched]) {
    const indent = column - position.base
    if (width === 0 ? character !== '>' || indent > 3 : indent < width) break
    position.matched++
    if (width === 0) return enterQuote(position)
    position.base += width
  }
  const indent = column - position.base
  if (position.fence > 0) {
    if (position.matched === containers.length) {
      if (indent < 4 && character === position.runOf) position.run = 1
      else position.line = 'code'
      return true
    }
    position.fence = 0
    position.block = 'none'
  }
  if (indent > 3) {
    if (position.block === 'paragraph') return startText(position)
    close(position, position.matched)
    position.line = 'code'
    return true
  }
  if (position.ruleOf === '' && /[-*_]/.test(character)) {
    position.ruleOf = character
    position.rules = 1
    position.ruleDepth = position.matched
  }
  position.marker = character
  position.indent = indent
  switch (character) {
    case '>':
      return open(position, 0) ? enterQuote(position) : startText(position)
    case '`':
    case '~':
      position.run = 1
      position.runOf = character
      return true
    case '#':
      position.line = 'heading'
      return true
    case '-':
    case '*':
    case '+':
      position.line = 'bullet'
      return true
    case '=':
      position.line = 'underline'
      return continuesParagraph(position) || startText(position)
    default:
      position.line = 'number'
      return isDigit(character.charCodeAt(0)) || startText(position)
  }
}

/** Starts or continues a paragraph. Always `false`. */
export function startText(position: MarkdownPosition): false {
  if (position.block !== 'paragraph') close(position, position.matched)
  position.block = 'paragraph'
  position.line = 'text'
  return false
}

function startHeading(position: MarkdownPosition): false {
  close(position, position.matched)
  position.line = 'text'
  return false
}

/** Ends a line. */
export function endLine(position: MarkdownPosition): void {
  if (position.ruleOf !== '' && position.rules > 2) close(position, position.ruleDepth)
  else endBlock(position)
  position.line = 'start'
  position.matched = 0
  position.base = 0
  position.column = 0
  position.ruleOf = ''
  position.span = 0
  position.escaped = false
}

function endBlock(position: MarkdownPosition): void {
  const { line, marker } = position
  switch (line) {
    case 'start':
    case 'after-cr':
    case 'quote-marker':
      endBlankLine(position)
      break
    case 'bullet':
    case 'number-end':
    case 'item':
      // Without text, it is no list item within a paragraph, and a single hyphen underlines the paragraph.
      if (!continuesParagraph(position)) {
        if (openItem(position, 1)) position.block = 'empty-item'
        else startText(position)
      } else if (marker === '-') position.block = 'none'
      break
    case 'number':
      startText(position)
      break
    case 'heading':
      startHeading(position)
      break
    case 'underline':
    case 'underline-end':
    case 'closing-fence':
      position.block = 'none'
      position.fence = 0
      break
    case 'info-string':
      close(position, position.matched)
      position.block = 'fence'
  }
}

/** A blank line ends paragraphs, block quotes whose marker it lacks, and a list item that has only its marker. */
function endBlankLine(position: MarkdownPosition): void {
  const { containers, matched, block } = position
  const quote = containers.indexOf(0, matched)
  if (quote >= 0) {
    close(position, quote)
    position.fence = 0
  } else if (block === 'empty-item') close(position, containers.length - 1)
  else if (block !== 'fence') position.block = 'none'
}

function continuesParagraph({ block, matched, containers }: MarkdownPosition): boolean {
  return block === 'paragraph' && matched === containers.length
}

function enterQuote(position: MarkdownPosition): true {
  position.base = position.column + 1
  position.line = 'quote-marker'
  return true
}

/** Opens a list item, given how many columns of space after its marker belong to it. */
function openItem(position: MarkdownPosition, spaces: number): boolean {
  const width = position.indent + position.marker.length + spaces
  if (!open(position, width)) return false
  position.base += width
  return true
}

/** Opens a container in those that the line continues. Returns `false` if it would be too deep. */
function open(position: MarkdownPosition, width: number): boolean {
  if (position.matched === MAX_DEPTH) return false
  close(position, position.matched)
  position.containers = [...position.containers, width]
  position.matched++
  return true
}

/** Closes what is open in the first `depth` containers. */
function close(position: MarkdownPosition, depth: number): void {
  if (depth < position.containers.length) position.containers = position.containers.slice(0, depth)
  position.block = 'none'
}
