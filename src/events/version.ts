/**
 * The version of the event vocabulary, `major.minor`.
 *
 * A minor version only adds kinds and optional fields: a reader of any 1.x can read every other 1.x, and
 * treats kinds it does not know as unknown.
 */
export const PROTOCOL_VERSION = '1.0'
