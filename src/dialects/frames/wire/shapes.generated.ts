// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in the folder schemas beside it. Do not edit.
import type { Shape, ShapeFields } from '../../../validation/shape.ts'

const s0: Shape = ['int', 0]
const s1: Shape = ['maybe', ['nullable', s0]]
const s2: Shape = ['list', 'text']
const s3: Shape = ['maybe', s2]
const s4: Shape = ['maybe', ['nullable', 'any']]
const s5: Shape = ['maybe', ['nullable', 'text']]

/** The fields of each type of frame besides `type` and the envelope. */
export const frameBodyShapes: Readonly<Record<string, ShapeFields>> = {
  session_started: { input: 'text' },
  output_text_delta: { delta: 'text' },
  session_ended: { reason: 'text' },
  tool_started: { tool_id: 'id', name: 'id', args: 'any', timeout_ms: s1 },
  tool_stdout: { tool_id: 'id', chunk: 'text', artifact_refs: s3 },
  tool_stderr: { tool_id: 'id', chunk: 'text', artifact_refs: s3 },
  tool_ended: { tool_id: 'id', exit_code: ['int', -2147483648, 2147483647], duration_ms: s0, artifacts: s4, artifact_refs: s3 },
  tool_failed: { tool_id: 'id', error: 'text' },
  provider_event: { provider: 'text', status: ["of", "event", "done", "invalid_json"], event_name: s5, data: s4, raw: s5, errors: s2, response_errors: s2 },
  checkpoint_created: { checkpoint_id: 'id', label: 'text', created_at_ms: s0, files: s2, auto: 'boolean', tool_name: s5 },
  checkpoint_rewound: { checkpoint_id: 'id', label: 'text', files: s2 },
  checkpoint_failed: { action: ["of", "create", "rewind"], error: 'text' },
  tool_task_spawned: { task_id: 'id', tool_name: 'id', args: 'any', cwd: s5, title: s5, execution_mode: ["of", "pipes", "pty"], origin_session_id: ['maybe', ['nullable', 'id']], artifacts: s4 },
  tool_task_status: { task_id: 'id', status: 'text', exit_code: ['maybe', ['nullable', ['int', -2147483648, 2147483647]]], started_at_ms: s1, ended_at_ms: s1, artifacts: s4, error: s5, artifact_refs: s3 },
  tool_task_cancel_requested: { task_id: 'id', reason: 'text' },
  tool_task_cancelled: { task_id: 'id', reason: 'text', wall_time_ms: s1 },
  tool_task_output_delta: { task_id: 'id', stream: ["of", "stdout", "stderr", "pty"], chunk: 'text', artifacts: s4, artifact_refs: s3 },
  tool_task_stdin_written: { task_id: 'id', chunk_b64: 'text' },
  tool_task_resized: { task_id: 'id', rows: ['int', 0, 65535], cols: ['int', 0, 65535] },
  tool_task_signalled: { task_id: 'id', signal: 'text' },
  artifact_written: { artifact_id: 'id', kind: 'text', bytes: s0, digest: 'text', preview: ['maybe', 'text'] },
  skill_catalog_updated: { count: s0, roots: s2, collisions: ['maybe', 'any'] },
  skill_loaded: { name: 'id', path: 'text', digest: 'text', frontmatter: ['fields', {}], warnings: s3 },
  skill_invoked: { name: 'id', args: ['maybe', 'any'], mode: ["of", "manual", "auto"], effective_allowed_tools: s3 },
  skill_warning: { name: ['maybe', 'id'], kind: 'text', detail: 'text' },
}

/** The fields of the envelope of version 1. */
export const v1EnvelopeShape: ShapeFields = { id: 'id', session_id: 'id', timestamp_ms: s0, seq: s0 }

/** The fields of the envelope of version 2. */
export const v2EnvelopeShape: ShapeFields = { id: 'id', session_id: ['maybe', 'id'], stream_kind: 'id', stream_id: 'id', timestamp_ms: s0, seq: s0 }
