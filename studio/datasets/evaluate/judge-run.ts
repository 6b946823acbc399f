import { rm } from 'node:fs/promises';
import type { GivenCritic, Run } from '../../../schemas/api/evaluate.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { placeIn } from '../../files/inside.ts';
import { endpointUrl } from '../../models/chat.ts';
import { givenKey } from '../../models/given-key.ts';
import type { Critic, CriticOptions } from './critic.ts';
import { EVALUATIONS_FOLDER } from './question-sets.ts';
import { givenFile, listRuns, putRun, type RunTools, renamed, runFile } from './runs.ts';
import { readVerdicts } from './verdicts.ts';

/** A critic's scores for the plans of a run: from a file, or asked of a model now (M16). */

type Place = Parameters<typeof listRuns>[0];

const TIMEOUT_MS = 120_000;
const TRIES = 6;
const BACKOFF_MS = 1000;

/** Checks made before the work. Throws UNKNOWN_FILE, USAGE (no plans, an address that cannot be taken, no key). */
export function checkJudging(workspace: Place, run: string, from: GivenCritic): Run {
  runFile(workspace, run, 'run.json');
  const found = listRuns(workspace).find(({ id }) => id === run);
  if (!found) throw new StudioError('BAD_FILE', `The run "${run}" cannot be read: its run.json is damaged.`, { run });
  const plans = found.evaluation.rows[0]?.metrics.some(({ metric }) => /^(?:mid|high)\./.test(metric)) ?? false;
  if (!plans) {
    throw new StudioError('USAGE', `"${found.name}" holds no plans, and only plans are judged.`, { run });
  }
  if (from.from === 'file') givenFile(workspace, from.file);
  else {
    endpointUrl(from.endpoint, { field: 'The endpoint', key: 'in its own field' });
    givenKey(from.key);
  }
  return found;
}

/**
 * Scores the run again with the critic's scores, which then count as its plans' (`planScore=critic`). The new run takes the
 * old one's place and name. What a model answered is kept and never paid for twice; a key is kept nowhere.
 * Throws BAD_FILE with every wrong line, ENDPOINT_FAILED, CANCELLED; the old run is untouched then.
 */
export async function judgeRun(workspace: Place, id: string, from: GivenCritic, tools: RunTools = {}): Promise<Run> {
  const instead = checkJudging(workspace, id, from);
  const { name, set, files, predictions, evaluation } = instead;
  const given = from.from === 'file' ? givenFile(workspace, from.file) : null;
  try {
    const critic = given ? verdictsOf(workspace, id, given) : criticOptions(workspace, from, tools);
    return await putRun(
      workspace,
      {
        name,
        set,
        files,
        shown: predictions,
        source: runFile(workspace, id, 'predictions.jsonl'),
        critic,
        instead,
        options: { ...evaluation.options, planScore: 'critic' },
      },
      tools,
    );
  } finally {
    if (given && from.from === 'file' && from.file.from === 'upload') await rm(given.source, { force: true });
  }
}

function verdictsOf(workspace: Place, run: string, { source, shown }: { source: string; shown: string }): Critic {
  try {
    return readVerdicts(source, runFile(workspace, run, 'cases.jsonl'));
  } catch (error) {
    throw renamed(error, [[source, shown]]);
  }
}

function criticOptions(workspace: Place, from: GivenCritic, { signal }: RunTools): CriticOptions {
  if (from.from !== 'endpoint') throw new StudioError('INTERNAL', 'This critic is a file.', {});
  const { endpoint, model, prices, concurrency, rate } = from;
  return {
    endpoint,
    model,
    prices,
    concurrency,
    rate,
    key: givenKey(from.key),
    timeoutMs: TIMEOUT_MS,
    tries: TRIES,
    backoffMs: BACKOFF_MS,
    maxTokens: null,
    stream: false,
    cache: placeIn(workspace.dir, `${EVALUATIONS_FOLDER}/judge-answers.jsonl`),
    ...(signal && { signal }),
  };
}
