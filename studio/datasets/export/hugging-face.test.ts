import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FORMATS } from '../../../core/export/formats.ts';
import { click, drag, makeTask, makeTasks, saidForTests } from './example-for-tests.ts';
import { sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { PYTHON, pythonHas } from './python-for-tests.ts';
import { exportFormats } from './run.ts';

/** Hugging Face's own reader, where Python has it (`pip install datasets`, or scripts/trainers.mjs); elsewhere the validator's rules stand for it. */

const SCRIPT = `
import json, os, sys
import datasets
datasets.disable_progress_bars()
root, cache = sys.argv[1:]
found = {}
for name in sorted(os.listdir(root)):
    folder = os.path.join(root, name)
    for config in datasets.get_dataset_config_names(folder):
        splits = datasets.load_dataset(folder, config, cache_dir=cache)
        for rows in splits.values(): rows[0]
        found[name + ' ' + config] = sum(len(rows) for rows in splits.values())
print(json.dumps(found))
`;

/** The columns of CUAVerifierBench as its maker's builder declares them; a column of ours behind them. */
const VERIFIER = `
import json, os, sys
import datasets
from datasets import Features, Image, Sequence, Value
datasets.disable_progress_bars()
root, cache = sys.argv[1:]
texts = lambda *names: {name: Value('string') for name in names}
wholes = lambda *names: {name: Value('int32') for name in names}
trajectories = Features({
    **texts('task_id', 'instruction', 'init_url', 'start_timestamp', 'end_timestamp', 'final_answer'),
    'is_aborted': Value('bool'),
    **texts('web_surfer_log'),
    'screenshots': Sequence(Image()),
    **wholes('n_screenshots'),
    **texts('gpt_eval_json'),
    'uv_rubric_score': Value('float32'),
    **wholes('uv_outcome_success', 'mm_is_success', 'verifier_is_success', 'final_human_outcome_label', 'final_human_process_label'),
    'median_human_rubric_score_agnostic': Value('float32'),
    **wholes('majority_human_outcome_vote'),
    **texts('trajectory_studio'),
})
annotations = Features({
    **texts('task_id', 'annotator', 'human_judgement_outcome', 'human_judgement_process'),
    'human_process_score': Value('float32'),
    **texts('outcome_comment', 'process_comment', 'informed_outcome_agreement', 'informed_process_agreement',
            'informed_outcome_comment', 'informed_process_comment'),
})
folder = os.path.join(root, 'cua-verifier-bench')
found = []
for split in ('train', 'test'):
    rows = datasets.load_dataset(folder, 'trajectories', split=split, cache_dir=cache)
    people = datasets.load_dataset(folder, 'annotations', split=split, cache_dir=cache)
    assert rows.features == trajectories, rows.features
    assert people.features == annotations, people.features
    by_id = {row['task_id']: row for row in rows}
    for person in people:
        row = by_id[person['task_id']]
        assert len(row['screenshots']) == row['n_screenshots']
        inner = json.loads(json.loads(row['gpt_eval_json'])['gpt_response_text'])
        success = inner['rubric_outcome_verification']['output_success']
        found.append([split, row['task_id'], person['annotator'], list(row['screenshots'][0].size), success])
print(json.dumps(sorted(found)))
`;

/** The output of a script that reads the exports in `out`. */
function python(script: string): unknown {
  const env = { ...process.env, HF_HUB_OFFLINE: '1', HF_HOME: path.join(root, 'home') };
  const args = ['-c', script, path.join(root, 'out'), path.join(root, 'cache')];
  return JSON.parse(execFileSync(PYTHON, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
}

const root = await mkdtemp(path.join(tmpdir(), 'hugging-face-'));
afterAll(() => rm(root, { recursive: true, force: true }));

test.skipIf(!pythonHas('datasets'))(
  'load_dataset(folder) gives the rows of every format with one line',
  async () => {
    const stills = path.join(root, 'stills');
    // A task that says nothing of the platform, and one that alone has an answer: columns that are null in one file.
    const quiet = await makeTask(stills, 'DV_3', [{ query: 'q', actions: [click(3, 4), drag([1, 2], [30, 20])] }], {
      platform: null,
      source: null,
      answer: '42',
    });
    const tasks = [...(await makeTasks(stills)), quiet].map((task, at) => ({ ...task, split: at ? 'test' : 'train' }));
    for (const task of tasks) task.said = saidForTests(task);
    const requests = FORMATS.map(({ name, parts }) => requestOf(name, { parts: parts.map((part) => part.name) }));
    await exportFormats(sourceOf(tasks), path.join(root, 'out'), requests, { toolVersion: '0', filters: {} });
    expect(python(SCRIPT)).toMatchObject({
      'agentnet default': 3,
      'agentnetbench default': 3,
      'coco annotations': 4,
      'cua-verifier-bench annotations': 6,
      'cua-verifier-bench trajectories': 3,
      'groundcua elements': 4,
      'groundcua instructions': 4,
      'imagefolder default': 10,
      'lerobot default': 13,
      'llamafactory default': 3,
      'ms-swift trajectory': 3,
      'opencua default': 3,
      'screenspot default': 4,
      'screenspot-pro default': 4,
      'videocua default': 3,
      'videogui high_plan': 1,
      'webdataset default': 10,
      'videogui mid_plan': 4,
      'videogui action': 10,
    });
    // A person has the same number in both splits.
    expect(python(VERIFIER)).toEqual(
      [
        ['test', 'AE_2'],
        ['test', 'DV_3'],
        ['train', 'PPT_15'],
      ].flatMap(([split, id]) => ['Judge1', 'Judge2'].map((annotator) => [split, id, annotator, [64, 40], true])),
    );
  },
  300_000,
);
