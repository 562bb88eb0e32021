/** Wrong arguments: the message is shown to the user, without a stack. */
export class UsageError extends Error {}
