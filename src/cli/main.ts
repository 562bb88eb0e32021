#!/usr/bin/env node
/** The binary `turnstream`. */
import { runCli } from './run-cli.ts'
import { processTerminal } from './terminal.ts'

process.exitCode = await runCli(process.argv.slice(2), processTerminal())
