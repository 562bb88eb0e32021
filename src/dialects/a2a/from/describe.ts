/** What describes an artifact: as fields of events, or carried in their metadata. */

import type { Metadata } from '../../../events/metadata.ts'
import { withoutExtension } from '../wire/extension.ts'
import type { Artifact } from '../wire/model.ts'
import { present } from './carry.ts'
import { jsonOf } from './slot.ts'
import type { Descriptor } from './state.ts'

/** The fields of events that describe an artifact. */
interface DescriptorFields {
  readonly name?: string
  readonly description?: string
  readonly metadata?: Metadata
}

/** Fields of an event, and what it carries in addition. */
interface Described {
  readonly fields: DescriptorFields
  readonly carried: Metadata | undefined
}

/** The description of an artifact during one update. */
export class Description {
  /** All that is known of it. */
  readonly descriptor: Descriptor
  /** What the update states and was not known, until an event has it. */
  #given: Descriptor | undefined

  constructor(artifact: Artifact, known: Descriptor | undefined) {
    const { name, description, extensions } = artifact
    const metadata = withoutExtension(artifact.metadata)
    const given = present({ name, description, metadata, extensions }) as Descriptor | undefined
    const all = given === undefined ? known : { ...known, ...given }
    const isNew = given !== undefined && jsonOf(all) !== jsonOf(known)
    this.descriptor = (isNew ? all : known) ?? {}
    this.#given = isNew ? given : undefined
  }

  /** What is new; `undefined` if nothing is, or an event has it. */
  take(): Descriptor | undefined {
    const given = this.#given
    this.#given = undefined
    return given
  }

  /** What the first event of an output has. A file has the name of its part, if that has one. */
  ofFirst(fileName: string | undefined, part: Metadata | undefined): Described {
    this.take()
    const { name: ownName, description, metadata, extensions } = this.descriptor
    const name = fileName ?? ownName
    const artifact = present({ name: ownName === name ? undefined : ownName, extensions })
    return {
      fields: {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(metadata !== undefined && { metadata }),
      },
      carried: present({ artifact, part }),
    }
  }

  /** What a later event has: only what is new. */
  ofLater(part: Metadata | undefined): Described {
    return { fields: {}, carried: present({ artifact: this.take(), part }) }
  }
}
