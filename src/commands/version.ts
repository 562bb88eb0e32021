/**
 * The version of the commands, `major.minor`. A minor version only adds kinds and optional fields: receivers treat
 * kinds they do not know as unknown.
 */
export const COMMANDS_VERSION = '1.0'
