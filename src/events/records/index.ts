/** The records of all kinds. `npm run gen` writes `*.generated.ts` from them; at run time only schemas are read. */

import type { AnyEvent } from '../event.ts'
import { artifactKinds } from './artifact.ts'
import { authKinds } from './auth.ts'
import { contentKinds } from './content.ts'
import { customKinds } from './custom.ts'
import { errorKinds } from './error.ts'
import { inputKinds } from './input.ts'
import { internalKinds } from './internal.ts'
import type { KindRecords } from './kind-record.ts'
import { subtaskKinds } from './subtask.ts'
import { taskKinds } from './task.ts'
import { thoughtKinds } from './thought.ts'
import { toolKinds } from './tool.ts'

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
