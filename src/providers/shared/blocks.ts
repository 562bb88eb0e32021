/** The content blocks of a response, for providers that number them. */

import { addArguments, dropArguments, endCall } from './calls.ts'
import { countOf } from './fields.ts'
import type { ModelWriter } from './model-writer.ts'
import { findOpen, MAX_ITEMS, MAX_NAME } from './state.ts'
import { endText } from './texts.ts'
import { endThought } from './thoughts.ts'

/** A block that is open. */
export interface Block {
  /** Its number. A response that is spliced together has several blocks with the same one. */
  readonly index: number
  /** The key of its text, thought or call: no other block of the response has it. */
  readonly key: string
  readonly type: string
  /** Whether all of the block is known, so that deltas only repeat it. */
  readonly isWhole: boolean
}

/** The blocks of a response. */
export interface Blocks {
  /** How many there were. */
  readonly count: number
  readonly open: readonly Block[]
  /** The calls whose blocks have ended. */
  readonly ended: readonly Pick<Block, 'index' | 'key'>[]
}

export const noBlocks: Blocks = { count: 0, open: [], ended: [] }

type Writer = ModelWriter<{ readonly blocks: Blocks }>

/** The open block with an index; without one, the last that is open. */
export function blockAt({ state }: Writer, index: unknown): Block | undefined {
  const { open } = state.own.blocks
  const at = countOf(index)
  return at === undefined ? open.at(-1) : open.find((block) => block.index === at)
}

/** Opens a block. An open one with the same index ends. */
export function openBlock(writer: Writer, index: unknown, type: string, isWhole = false): Block {
  const at = countOf(index) ?? writer.state.own.blocks.count
  const before = blockAt(writer, at)
  if (before !== undefined) closeBlock(writer, before)
  const { count, open, ended } = writer.state.own.blocks
  const block: Block = { index: at, key: `block ${count}`, type: type.slice(0, MAX_NAME), isWhole }
  putBlocks(writer, { count: count + 1, open: [...open, block].slice(-MAX_ITEMS), ended })
  return block
}

/**
 * Whether the start of a block repeats that of a call, which continues. After the end of the call, a block is opened
 * whose arguments are dropped.
 */
export function isRepeatedCall(writer: Writer, index: unknown, toolCallId: string): boolean {
  const at = countOf(index)
  if (at === undefined || toolCallId === '') return false
  const { open, ended } = writer.state.own.blocks
  const isSame = (block: Pick<Block, 'index' | 'key'>): boolean =>
    block.index === at &&
    writer.state.calls.some((call) => call.key === block.key && call.toolCallId === toolCallId)
  const isOpen = open.some(isSame)
  if (!isOpen && !ended.some(isSame)) return false
  writer.dropped('call', 'repeated', `Expected call ${toolCallId} to start once, got it again.`)
  if (!isOpen) openBlock(writer, index, '', true)
  return true
}

/** Appends arguments to the call of a block. */
export function addBlockArguments(writer: Writer, { key, isWhole }: Block, piece: string): void {
  if (!isWhole) addArguments(writer, key, piece)
  else if (piece !== '') dropArguments(writer)
}

/** Ends the text, the thought or the call of a block. */
export function closeBlock(writer: Writer, block: Block): void {
  const { index, key } = block
  const { count, open, ended } = writer.state.own.blocks
  const isCall = findOpen(writer.state.calls, key, 'writing') !== undefined
  putBlocks(writer, {
    count,
    open: open.filter((other) => other.key !== key),
    ended: isCall ? [...ended, { index, key }].slice(-MAX_ITEMS) : ended,
  })
  endText(writer, key)
  endThought(writer, key)
  endCall(writer, key)
}

function putBlocks(writer: Writer, blocks: Blocks): void {
  writer.state.own = { ...writer.state.own, blocks }
}
