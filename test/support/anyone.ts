/** Rules of ledgers and stores whose tests are not about who answers, and with what right. */
export const anyone = {
  mayAccess: (): boolean => true,
  mayAnswer: (): boolean => true,
  verifyAuth: async (): Promise<{ status: 'completed' }> => ({ status: 'completed' }),
}
