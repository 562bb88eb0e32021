/** The tests that mutants run: those of the sources, and not those of the project's files. */
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import project from '../../../vitest.config.ts'

const exclude = [
  ...configDefaults.exclude,
  'test/*.test.ts',
  'test/cli/**',
  'test/examples/**',
  'test/schemas/**',
  'test/viewer/**',
]

export default mergeConfig(project, defineConfig({ test: { exclude } }))
