import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { subjectForTests } from '../../core/agents/judge/judge-for-tests.ts';
import { JUDGE_SCHEMA, type JudgeLine, type JudgeOpinion, type OutcomeSaid } from '../../schemas/judge.ts';
import { aboutJudging } from '../recordings/judge-log.ts';
import { ownMark } from '../store/own-mark.ts';
import type { Workspace } from '../store/workspace.ts';

/** Logs of judges as they lie in a recording's folder, for tests. */

type Made = { verdict: OutcomeSaid; models?: string[]; at?: string; own?: boolean; met?: (boolean | null)[] };

/** A judging that came to an end; each model has the same opinion, with a criterion for each of `met`. */
export async function addJudging(
  workspace: Pick<Workspace, 'getRecording' | 'store'>,
  recording: string,
  { verdict, models = ['m-1'], at = '2026-11-28T10:00:00.000Z', own = true, met = [true, false] }: Made,
): Promise<void> {
  const { folder } = await workspace.getRecording(recording);
  const opinion: JudgeOpinion = {
    outcome: verdict,
    process: null,
    criteria: met.map((one, n) => ({ about: 'outcome', text: `Criterion ${n + 1}`, met: one, why: 'As shown.' })),
    why: `It ${verdict}.`,
  };
  const head = {
    subject: subjectForTests({ recording }),
    protocol: 'openai' as const,
    endpoint: 'http://127.0.0.1:9/v1',
    models,
    prompts: 1,
    rules: 1,
    maxTokens: null,
    budget: null,
    prices: null,
  };
  const lines: JudgeLine[] = [
    { type: 'begun', schema: JUDGE_SCHEMA, version: 1, at, head },
    ...models.map((model): JudgeLine => ({ type: 'said', judge: { model, prompt: 1 }, opinion })),
    { type: 'ended', how: 'judged', why: '', verdict, cost: null, mark: '' },
  ];
  const mark = own ? await ownMark(workspace.store, aboutJudging(lines)) : 'made elsewhere';
  const place = join(folder, 'judgements');
  mkdirSync(place, { recursive: true });
  const marked = lines.map((line) => (line.type === 'ended' ? { ...line, mark } : line));
  const name = `${String(readdirSync(place).length + 1).padStart(4, '0')}.jsonl`;
  writeFileSync(join(place, name), marked.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
