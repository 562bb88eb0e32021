/** `npm run mutants -- src/sse/*.ts`: small changes of sources, each with all tests that reach it. Lists what survives. */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/all/mutants/vitest.config.mjs' },
  plugins: ['@stryker-mutator/vitest-runner'],
  reporters: ['clear-text', 'progress'],
  cleanTempDir: 'always',
  concurrency: 2,
  // A message may be worded in any way.
  mutator: { excludedMutations: ['StringLiteral'] },
  // Tests read the sources, too.
  disableTypeChecks: false,
  ignorePatterns: ['dist', 'site', 'coverage', 'docs/.vitepress', 'docs/api'],
}
