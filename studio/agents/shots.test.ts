import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { NOVELS } from '../../core/compositions/novels-for-tests.ts';
import { agentHeadForTests } from '../../schemas/agents-for-tests.ts';
import { MOST_SHOT_STEPS } from '../../schemas/limits.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { filmOfRun, keepFilm } from './film.ts';
import { chosenShots, loadedShots, refuseShots, type ShotWishes } from './shots.ts';

/** Which demonstrations an agent is shown before its task. */

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});

const wishes: ShotWishes = { task: 'GIMP_1', software: 'gimp', wanted: 2, sameTask: false };
const chosen = async (more: Partial<ShotWishes>): Promise<string[]> =>
  (await chosenShots(workspace, { ...wishes, ...more })).map(({ recording }) => recording);
const WORD = { id: 'word', name: 'Word', prefix: 'WORD' };

describe('of a number, the nearest demonstrations of other tasks', () => {
  beforeEach(async () => {
    await addRecording(workspace, { id: 'own', task: 'GIMP_1' });
    await addRecording(workspace, { id: 'elsewhere', task: 'WORD_1', app: WORD });
    await addRecording(workspace, { id: 'near', task: 'GIMP_2' });
    await addRecording(workspace, { id: 'near-again', task: 'GIMP_2' });
  });

  test('one a task, of the same software first, never of the task itself', async () => {
    expect(await chosen({ wanted: 1 })).toEqual([expect.stringMatching(/^near/)]);
    expect(await chosen({})).toEqual([expect.stringMatching(/^near/), 'elsewhere']);
    expect(await chosen({ wanted: 0 })).toEqual([]);
  });

  test('of the task itself where that was asked for', async () => {
    expect((await chosen({ wanted: 3, sameTask: true })).sort()).toEqual([
      'elsewhere',
      expect.stringMatching(/^near/),
      'own',
    ]);
  });

  test('where there are not so many, that is said with how many there are', async () => {
    await expect(chosen({ wanted: 3 })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('3 demonstrations of other tasks were asked for, and 2 can be shown here'),
    });
  });

  test('one that is too long for what is left gives way to the next', async () => {
    const screens = Array.from({ length: MOST_SHOT_STEPS + 1 }, () => 40);
    await addRecording(workspace, { id: 'long', task: 'GIMP_3', screens });
    expect(await chosen({})).toEqual([expect.stringMatching(/^near/), 'elsewhere']);
    await expect(chosen({ wanted: ['long'] })).rejects.toMatchObject({ message: expect.stringContaining('61 steps') });
  });

  test('by name, in that order; the task’s own only where that is said', async () => {
    expect(await chosen({ wanted: ['elsewhere', 'near-again'] })).toEqual(['elsewhere', 'near-again']);
    await expect(chosen({ wanted: ['own'] })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('--same-task'),
    });
    expect(await chosen({ wanted: ['own'], sameTask: true })).toEqual(['own']);
    await expect(chosen({ wanted: ['nobody'] })).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
  });

  test('nor of a task that came from the same template, which only those who ask for the task’s own are shown', async () => {
    const file = (id: string, task: string, more: object): void =>
      writeFileSync(
        join(workspace.dir, 'compositions', `${id}.json`),
        JSON.stringify({ ...NOVELS, id, members: [{ ...NOVELS.members[0], task }], edges: [], ...more }),
      );
    mkdirSync(join(workspace.dir, 'compositions'), { recursive: true });
    const origin = { template: 'family', seed: 1, number: 1, values: [{ name: 'year', value: '1900' }] };
    file('family', 'GIMP_1', {});
    file('family-1-1', 'GIMP_2', { version: 4, origin });
    expect(await chosen({ wanted: 1 })).toEqual(['elsewhere']);
    await expect(chosen({ wanted: ['near'] })).rejects.toMatchObject({
      message: expect.stringContaining('--same-task'),
    });
    expect(await chosen({ wanted: 1, sameTask: true })).not.toEqual(['elsewhere']);
  });

  test('their pictures are kept with the run, and found again', async () => {
    const { shots, pictures } = await loadedShots(await chosenShots(workspace, wishes));
    expect(shots.map(({ goal, steps }) => [goal, steps.map(({ calls }) => calls[0]?.name)])).toEqual([
      ['Goal of GIMP_2', ['click', 'click']],
      ['Goal of WORD_1', ['click', 'click']],
    ]);
    const folder = folders.make();
    await keepFilm(folder, pictures);
    const again = filmOfRun(folder, agentHeadForTests({ shots }));
    expect([...again].map(([sha256, png]) => png.equals(pictures.get(sha256)!))).toEqual([true, true]);
  });
});

test('agents that are shown none are named with why', () => {
  expect(() => refuseShots('video-guided', 1)).toThrow('follows the film');
  expect(() => refuseShots('human', ['r'])).toThrow('no model is asked');
  expect(() => refuseShots('direct', 2)).not.toThrow();
  expect(() => refuseShots('video-guided', 0)).not.toThrow();
});
