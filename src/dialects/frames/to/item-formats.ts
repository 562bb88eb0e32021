/** How frames have texts and calls. */

import type { ItemFormat, ItemFormats } from '../../engine/write-item.ts'
import { embeddedFrame } from '../wire/embedded-frame.ts'
import type { FrameWriter } from './frame-writer.ts'
import { writeToolStart } from './write-tool.ts'

/** Frames do not state where a text ends: a tool and the end of the session do. */
const text: ItemFormat<FrameWriter, 'text'> = {
  isAlone: true,
  open({ state }) {
    state.isSegmentWhole = state.readIndex === 0
  },
  append(writer, _, delta, event) {
    if (event.kind === 'content-delta') {
      if (event.index === writer.state.readIndex) writer.kept.push('index')
      const embedded = event.delta === delta ? embeddedFrame(event) : undefined
      if (embedded !== undefined) {
        writer.emitWhole(embedded)
        return
      }
    }
    writer.emitFrame({ type: 'output_text_delta', delta })
  },
  close(writer, { phase }, event, isOther) {
    const isEmpty = phase === 'new' && event.content === ''
    const isSeen = writer.state.isSegmentWhole && !isEmpty
    if (!isSeen && !isOther) writer.lossy('content', 'Readers cannot see where the text begins and ends.')
    // Another one that is open is joined with it.
    writer.state.isSegmentWhole = false
  },
}

export const formats: ItemFormats<FrameWriter> = {
  text,
  // Frames have none.
  thought: {},
  call: { closesWithWhole: true, close: (writer, _, event) => writeToolStart(writer, event) },
}
