import path from 'node:path';
import { makeRecording } from './studio-recording.ts';
import type { StudioServer } from './studio-server.ts';
import { until } from './until.ts';

/** A small data set: tasks in two software, two of them nearly the same, with recordings of a few seconds. */

const GOALS = [
  ['gimp', 'GIMP', 'Crop the portrait to a square and save it as a copy'],
  ['gimp', 'GIMP', 'Crop the portrait to a square and save it as one copy'],
  ['gimp', 'GIMP', 'Write the date below the mountains'],
  ['powerpoint', 'PowerPoint', 'Make the title of the first slide blue'],
  ['powerpoint', 'PowerPoint', 'Animate the chart so that its bars grow one after another'],
  ['powerpoint', 'PowerPoint', 'Align the three pictures of the last slide'],
] as const;

export type SmallDataset = { ws: string; recordings: { id: string; task: string }[] };

/** Makes the workspace in `dir`, with as many recordings as there are tasks. */
export async function makeDataset({ api }: Pick<StudioServer, 'api'>, dir: string): Promise<SmallDataset> {
  const ws = (await api.workspaces.open({ dir, create: true })).id;
  const recordings: SmallDataset['recordings'] = [];
  for (const [n, [software, name, goal]] of GOALS.entries()) {
    const task = await api.tasks.create({ ws, software, goal, platform: 'Linux', notes: '', sourceUrl: '' });
    const id = `made-${n + 1}`;
    await makeRecording(path.join(dir, 'recordings'), {
      id,
      steps: 4 + n,
      pictures: 'plain',
      width: 640,
      height: 360,
      marks: [2],
      task: { id: task.id, goal },
      app: { id: software, name },
    });
    recordings.push({ id, task: task.id });
  }
  // Folders that came from outside are looked for every few seconds.
  await until('the recordings to be known', async () => (await api.recordings.list({ ws })).length === GOALS.length);
  return { ws, recordings };
}
