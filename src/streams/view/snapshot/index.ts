/** Events from a view: those that repeat it, and those that close what it has open. */

export { closeDangling } from './close-dangling.ts'
export { type HistoryPage, historyPage } from './history-page.ts'
export { snapshotEvents } from './snapshot-events.ts'
