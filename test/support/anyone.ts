/** Rules of ledgers and stores whose tests are not about who answers. */
export const anyone = { mayAccess: () => true, mayAnswer: () => true }
