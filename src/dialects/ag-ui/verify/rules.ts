/** The rules of AG-UI streams. Their ids are those of the public conformance corpus. */

import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  OFF,
  type Rule,
  type Rules,
  rulesOf,
  WARN,
  WARN_STRICT_ONLY,
} from '../../../rules/rule.ts'

/** The name of a rule in {@link agUiRules}. */
export type AgUiRuleName =
  | 'run-started-first'
  | 'run-started-once'
  | 'run-ends'
  | 'nothing-after-end'
  | 'one-end'
  | 'step-started'
  | 'step-ends'
  | 'run-ids'
  | 'text-started'
  | 'text-end-started'
  | 'text-ends'
  | 'text-id-once'
  | 'text-not-empty'
  | 'text-not-reopened'
  | 'call-started'
  | 'call-end-started'
  | 'call-ends'
  | 'arguments-json'
  | 'call-id-once'
  | 'result-after-end'
  | 'result-of-call'
  | 'known-parent'
  | 'snapshot-first'
  | 'delta-applies'
  | 'delta-is-patch'
  | 'snapshot-keeps-deltas'
  | 'state-established'
  | 'reasoning-started'
  | 'reasoning-ends'
  | 'sse-framing'
  | 'payload-json'
  | 'known-type'
  | 'well-formed'
  | 'content-type'
  | 'keepalive'
  | 'unbuffered'
  | 'connection-ends'
  | 'raw-untyped'
  | 'timestamps'
  | 'custom-namespace'

/** The rules by name. */
export const agUiRuleMeta: Rules<AgUiRuleName> = {
  'run-started-first': defineRule(
    'AGUI001',
    'stated',
    ERROR,
    'A run begins with `RUN_STARTED`; one that cannot begin is only a `RUN_ERROR`.',
  ),
  'run-started-once': defineRule('AGUI002', 'stated', ERROR, 'A run ends before the next `RUN_STARTED`.'),
  'run-ends': defineRule('AGUI003', 'stated', ERROR, 'A run ends with `RUN_FINISHED` or `RUN_ERROR`.'),
  'nothing-after-end': defineRule('AGUI004', 'stated', ERROR, 'Only `RUN_STARTED` follows the end of a run.'),
  'one-end': defineRule('AGUI005', 'stated', ERROR, 'A run has one end: `RUN_FINISHED` or `RUN_ERROR`.'),
  'step-started': defineRule('AGUI006', 'stated', ERROR, 'A `STEP_FINISHED` ends a step that has started.'),
  'step-ends': defineRule('AGUI007', 'stated', ERROR, 'Steps end before their run.'),
  'run-ids': defineRule('AGUI008', 'inferred', WARN, '`RUN_FINISHED` repeats the ids of `RUN_STARTED`.'),
  'text-started': defineRule(
    'AGUI101',
    'stated',
    ERROR,
    'The content of a text follows its `TEXT_MESSAGE_START`.',
  ),
  'text-end-started': defineRule(
    'AGUI102',
    'stated',
    ERROR,
    'A `TEXT_MESSAGE_END` ends a text that is open.',
  ),
  'text-ends': defineRule('AGUI103', 'stated', ERROR, 'Texts end before their run.'),
  'text-id-once': defineRule('AGUI104', 'stated', ERROR, 'A `messageId` belongs to one text of a run.'),
  'text-not-empty': defineRule('AGUI105', 'stated', WARN, 'The `delta` of a text is not empty.'),
  'text-not-reopened': defineRule('AGUI106', 'inferred', ERROR, 'A text that is open does not start again.'),
  'call-started': defineRule(
    'AGUI201',
    'stated',
    ERROR,
    'The arguments of a call follow its `TOOL_CALL_START`.',
  ),
  'call-end-started': defineRule('AGUI202', 'stated', ERROR, 'A `TOOL_CALL_END` ends a call that is open.'),
  'call-ends': defineRule('AGUI203', 'stated', ERROR, 'The arguments of calls end before their run.'),
  'arguments-json': defineRule(
    'AGUI204',
    'inferred',
    ERROR_LENIENT_WARN,
    'The joined arguments of a call are JSON, unless its end states `metadata.complete: false`.',
  ),
  'call-id-once': defineRule('AGUI205', 'stated', ERROR, 'A `toolCallId` belongs to one call of a run.'),
  'result-after-end': defineRule(
    'AGUI206',
    'inferred',
    WARN,
    'The result of a call follows its `TOOL_CALL_END`.',
  ),
  'result-of-call': defineRule(
    'AGUI207',
    'stated',
    ERROR,
    'A `TOOL_CALL_RESULT` belongs to a call that has started.',
  ),
  'known-parent': defineRule(
    'AGUI208',
    'inferred',
    WARN_STRICT_ONLY,
    'A `parentMessageId` is a message of the stream.',
  ),
  'snapshot-first': defineRule(
    'AGUI301',
    'inferred',
    WARN_STRICT_ONLY,
    'A `STATE_SNAPSHOT` comes before the first `STATE_DELTA`.',
  ),
  'delta-applies': defineRule('AGUI302', 'stated', ERROR, 'A `STATE_DELTA` can be applied to the state.'),
  'delta-is-patch': defineRule('AGUI303', 'stated', ERROR, 'A `STATE_DELTA` is a JSON Patch (RFC 6902).'),
  'snapshot-keeps-deltas': defineRule(
    'AGUI304',
    'inferred',
    WARN_STRICT_ONLY,
    'A later `STATE_SNAPSHOT` replaces no deltas.',
  ),
  'state-established': defineRule(
    'AGUI305',
    'inferred',
    WARN,
    'A stream of a server with shared state has a `STATE_SNAPSHOT`.',
    'option',
  ),
  'reasoning-started': defineRule(
    'AGUI401',
    'stated',
    ERROR,
    'The content of a reasoning message follows its `REASONING_MESSAGE_START`.',
  ),
  'reasoning-ends': defineRule('AGUI402', 'inferred', WARN, 'Reasoning ends before its run.'),
  'sse-framing': defineRule('AGUI501', 'stated', ERROR, 'The stream is well-formed SSE.', 'none'),
  'payload-json': defineRule('AGUI502', 'stated', ERROR, 'The data of each message is JSON.'),
  'known-type': defineRule('AGUI503', 'stated', ERROR_LENIENT_WARN, 'Each event has a type of the protocol.'),
  'well-formed': defineRule('AGUI504', 'stated', ERROR, 'Each event has the fields of its type.'),
  'content-type': defineRule(
    'AGUI505',
    'stated',
    OFF,
    'The response has the content type `text/event-stream`.',
    'none',
  ),
  keepalive: defineRule(
    'AGUI506',
    'inferred',
    OFF,
    'Something is sent before the connection times out.',
    'none',
  ),
  unbuffered: defineRule('AGUI507', 'inferred', OFF, 'Events are sent as they occur.', 'none'),
  'connection-ends': defineRule(
    'AGUI508',
    'inferred',
    OFF,
    'The connection ends after the run. Reported as `run-ends`.',
    'none',
  ),
  'raw-untyped': defineRule(
    'AGUI901',
    'inferred',
    WARN_STRICT_ONLY,
    'A `RAW` event does not wrap an event that has a type of its own.',
  ),
  timestamps: defineRule('AGUI902', 'inferred', WARN_STRICT_ONLY, 'Events have a `timestamp`.'),
  'custom-namespace': defineRule(
    'AGUI903',
    'inferred',
    WARN_STRICT_ONLY,
    'The `name` of a `CUSTOM` event has a namespace.',
  ),
}

/** The rules of {@link agUiVerifier}, in the order of their ids. */
export const agUiRules: readonly Rule<AgUiRuleName>[] = rulesOf(agUiRuleMeta)
