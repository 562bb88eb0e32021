/** The records of all kinds. `npm run gen` writes `*.generated.ts` from them; at run time only schemas are read. */
import { artifactKinds } from './artifact.kinds.ts'
import { authKinds } from './auth.kinds.ts'
import { contentKinds } from './content.kinds.ts'
import { customKinds } from './custom.kinds.ts'
import { errorKinds } from './error.kinds.ts'
import type { AnyEvent } from './event.ts'
import { inputKinds } from './input.kinds.ts'
import { internalKinds } from './internal.kinds.ts'
import type { KindRecords } from './kind-record.ts'
import { subtaskKinds } from './subtask.kinds.ts'
import { taskKinds } from './task.kinds.ts'
import { thoughtKinds } from './thought.kinds.ts'
import { toolKinds } from './tool.kinds.ts'

/** The records by kind, in the order of the documentation. */
export const kindRecords: KindRecords<AnyEvent> = {
  ...taskKinds,
  ...contentKinds,
  ...toolKinds,
  ...inputKinds,
  ...authKinds,
  ...artifactKinds,
  ...subtaskKinds,
  ...thoughtKinds,
  ...errorKinds,
  ...customKinds,
  ...internalKinds,
}
