/** Events from a view: those that repeat it, and those that close what it has open. */

export { type CloseOptions, closeDangling } from './close-dangling.ts'
export { type HistoryPage, type HistoryPageOptions, historyPage } from './history-page.ts'
export { snapshotEvents } from './snapshot-events.ts'
