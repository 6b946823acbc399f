import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FORMATS } from '../../../core/export/formats.ts';
import { click, drag, makeTask, makeTasks } from './example-for-tests.ts';
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
    const requests = FORMATS.map(({ name, parts }) => requestOf(name, { parts: parts.map((part) => part.name) }));
    await exportFormats(sourceOf(tasks), path.join(root, 'out'), requests, { toolVersion: '0', filters: {} });
    const env = { ...process.env, HF_HUB_OFFLINE: '1', HF_HOME: path.join(root, 'home') };
    const args = ['-c', SCRIPT, path.join(root, 'out'), path.join(root, 'cache')];
    const found = JSON.parse(execFileSync(PYTHON, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
    expect(found).toMatchObject({
      'agentnet default': 3,
      'agentnetbench default': 3,
      'coco annotations': 4,
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
  },
  300_000,
);
