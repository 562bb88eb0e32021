/** Where either side carries what the other has no place for, in metadata. */

/** In the metadata of session events: the fields of the core event that the session event does not state. */
export const EXTENSION = 'core'

/** In the metadata of core events: the fields of the session event that the core event does not state. */
export const REST = 'session'
