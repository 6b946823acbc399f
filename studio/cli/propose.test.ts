import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Proposal } from '../../schemas/annotation.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

async function run(line: string) {
  const { status, stdout } = await runHere(line.split(' '));
  return { status, stdout };
}

test('propose gives for every step what annotation offers for it, and shows the best', async () => {
  const dir = join(folders.make(), 'studio');
  const workspace = openWorkspace(dir, { create: true });
  await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop the picture', screens: [40, 200] });
  workspace.close();
  const at = `--workspace ${dir}`;
  const { status, stdout } = await run(`propose aa ${at} --json`);
  expect(status).toBe(0);
  const { recording, actions } = JSON.parse(stdout) as {
    recording: string;
    actions: { action: string; kind: string; t: number; proposals: Proposal[] }[];
  };
  expect(recording).toBe('aaaa');
  expect(actions.map(({ kind }) => kind)).toEqual(['click', 'click']);
  for (const { action, proposals } of actions) {
    const alone = await run(`annotate proposals aaaa ${action} ${at} --json`);
    expect(proposals).toEqual(JSON.parse(alone.stdout).proposals);
  }
  const table = (await run(`propose aaaa ${at}`)).stdout;
  expect(table).toMatch(/^ *# +TIME +KIND +NAME +BOX +SOURCE +CHANCE\n/);
  const some = actions.filter(({ proposals }) => proposals.length > 0);
  expect(table).toContain(`${some.length} of 2 steps have a proposal.`);
  for (const { proposals } of some) {
    expect(table).toContain(proposals[0]!.source);
    expect(table).toContain(`${Math.round(100 * proposals[0]!.confidence)} %`);
  }
  expect((await run(`propose none ${at}`)).status).not.toBe(0);
});
