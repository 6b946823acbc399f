import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentLine, type AgentReport, agentReportSchema } from '../../schemas/agents.ts';
import { agentHeadForTests } from '../../schemas/agents-for-tests.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import { addRecording, type WorkspaceForTests } from './workspace-for-tests.ts';

/** Runs of models as they lie in a workspace, for tests. */

const SECOND = 1_000_000;
export type MadeRun = {
  id: string;
  passed: boolean;
  how?: AgentReport['how'];
  model?: string;
  helped?: boolean;
  resumes?: string;
  answer?: string | null;
  task?: string;
  /** What the model said beside its first act. */
  thought?: string;
};

/** Clicks at seconds 1 and 3. A person has the second one where they helped. */
export async function addRun(
  workspace: WorkspaceForTests,
  {
    id,
    passed,
    how = 'done',
    model = 'm-1',
    helped = false,
    resumes,
    answer = null,
    task = 'GIMP_1',
    thought = 'The field first.',
  }: MadeRun,
): Promise<void> {
  const folder = await addRecording(workspace, { id, task, screens: [id.charCodeAt(0), 200] });
  writeRecording(folder, { ...readRecording(folder), played: { recording: id } });
  const head = agentHeadForTests({ task, model, resumes: resumes ?? null });
  const at = '2026-11-27T10:00:00.000Z';
  const acted = (n: number, t: number, thought: string): AgentLine => ({
    type: 'acted',
    t,
    end: t + SECOND,
    n,
    what: ['click'],
    thought,
    plan: '',
    problem: null,
    temporary: [],
  });
  const lines: AgentLine[] = [
    { type: 'begun', schema: 'trajectory-studio/agent-log', version: 2, recording: id, at, head },
    acted(1, 0.5 * SECOND, thought),
    ...(helped
      ? [{ type: 'person' as const, t: 2 * SECOND, what: 'took-over' as const }]
      : [acted(2, 2.5 * SECOND, 'Then save.')]),
    { type: 'ended', t: 5 * SECOND, how, why: '', answer: null },
  ];
  writeFileSync(join(folder, 'agent.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const report = agentReportSchema.parse({
    schema: 'trajectory-studio/agent',
    version: 2,
    recording: id,
    at,
    head,
    how,
    why: '',
    answer,
    rounds: 2,
    steps: 2,
    unclear: 0,
    refused: 0,
    tookMs: 1,
    tokens: { input: 1, output: 1, uncounted: 0 },
    cost: null,
    checks: [],
    passed,
    score: passed ? 1 : 0,
    weak: null,
    ...(helped && { helped: { times: 1, ms: 3000 } }),
  });
  writeFileSync(join(folder, 'agent.json'), JSON.stringify(report));
}
