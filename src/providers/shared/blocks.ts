/** The content blocks of a response, for providers that number them. */

import { endCall } from './calls.ts'
import { countOf } from './fields.ts'
import { contentOf } from './growing.ts'
import type { ModelWriter } from './model-writer.ts'
import { findOpen, MAX_ITEMS } from './state.ts'
import { endText } from './texts.ts'
import { endThought } from './thoughts.ts'

/** A block that is open. */
export interface Block {
  /** Its number. A response that is spliced together has several blocks with the same one. */
  readonly index: number
  /** The key of its text, thought or call: no other block of the response has it. */
  readonly key: string
  readonly type: string
  /** Whether the start of the block had all of it, so that deltas only repeat it. */
  readonly isWhole: boolean
}

/** The blocks of a response. */
export interface Blocks {
  /** How many there were. */
  readonly count: number
  readonly open: readonly Block[]
  /** The key of a call without arguments whose block has ended: it is complete unless the token limit was reached. */
  readonly waiting: string
}

export const noBlocks: Blocks = { count: 0, open: [], waiting: '' }

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
  endWaiting(writer)
  const { count, open, waiting } = writer.state.own.blocks
  const block: Block = { index: at, key: `block ${count}`, type, isWhole }
  putBlocks(writer, { count: count + 1, open: [...open, block].slice(-MAX_ITEMS), waiting })
  return block
}

/** Ends the text, the thought or the call of a block. */
export function closeBlock(writer: Writer, { key }: Block): void {
  const { calls, own } = writer.state
  const { count, open, waiting } = own.blocks
  const call = calls[findOpen(calls, key, 'writing')]
  const isWaiting = call !== undefined && contentOf(call.text) === ''
  putBlocks(writer, {
    count,
    open: open.filter((block) => block.key !== key),
    waiting: isWaiting ? key : waiting,
  })
  endText(writer, key)
  endThought(writer, key)
  if (!isWaiting) endCall(writer, key)
}

/** Ends the call that waits, as the token limit was not reached. */
export function endWaiting(writer: Writer): void {
  const { count, open, waiting } = writer.state.own.blocks
  if (waiting === '') return
  putBlocks(writer, { count, open, waiting: '' })
  endCall(writer, waiting)
}

function putBlocks(writer: Writer, blocks: Blocks): void {
  writer.state.own = { ...writer.state.own, blocks }
}
