/** The program of the viewer page. */

import { startPage } from './ui/app.ts'
import { openEmbedded, openers } from './ui/open.ts'

const { state, opener } = startPage(openers)
openEmbedded(state, opener)
