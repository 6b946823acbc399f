import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ExportTask } from '../../core/export/model.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { click, makeTask, pressed, typed } from './example-for-tests.ts';
import { collectedSample, sourceOf } from './export-for-tests.ts';
import { exportSkills, type SkillWishes } from './skill.ts';
import { validateSkills } from './validate/skill.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

async function written(tasks: readonly ExportTask[], more: Partial<SkillWishes> = {}) {
  const out = join(folders.make(), 'skills');
  const recordings = tasks.flatMap((task) => task.recordings.map(({ id }) => id));
  const skills = await exportSkills(sourceOf(tasks), out, { recordings, progress: () => undefined, ...more });
  const read = (file: string): string => readFileSync(join(out, skills[0]!.name, file), 'utf8');
  return { out, skills, read, pictures: readdirSync(join(out, skills[0]!.name, 'assets')) };
}

/** A form: a name, a password and a note are typed. `other`: another recording of it. */
async function form(name: string, password: string, other = false): Promise<ExportTask> {
  const steps = [click(3, 4), typed(name), click(9, 9), typed(password), click(5, 5), pressed('Enter')];
  const folder = folders.make();
  const made = await makeTask(folder, other ? 'PPT_1-2' : 'PPT_1', [{ query: 'Sign in', actions: steps }]);
  const names = ['User', 'User', 'Password', 'Password', 'Note', ''];
  const [subtask] = made.subtasks;
  const actions = subtask!.actions.map((one, n) => ({
    ...one,
    narration: `${one.narration} as ${password}`,
    element: one.element && { ...one.element, name: names[n]! },
  }));
  return {
    ...made,
    ...(other && { another: 'PPT_1' }),
    goal: `Sign in with ${password}`,
    recordings: [{ id: other ? 'rec2' : 'rec1', startedAt: '2026-11-27T00:00:00.000Z', video: null }],
    subtasks: [{ ...subtask!, actions }],
  };
}

describe('a skill', () => {
  test('of the sample recording is sound, and its pictures are those of its steps', async () => {
    const tasks = await collectedSample(folders.make());
    const { out, skills, read, pictures } = await written(tasks);
    expect(validateSkills(out)).toMatchObject({ ok: true, problems: [] });
    const [skill] = skills;
    expect(skill).toMatchObject({ task: tasks[0]!.id, proof: 'untried', withheld: [] });
    expect(skill!.steps).toBeGreaterThan(5);
    expect(pictures).toHaveLength(skill!.pictures);
    expect(read('SKILL.md')).toContain('Not proven');
    expect(read('references/steps.md').match(/^## Step /gm)).toHaveLength(skill!.steps);
  });

  test('of two recordings: what differs is an input, and no secret stands in a text, a name, a file or a picture', async () => {
    const two = [await form('ada', 'hunter2'), await form('grace', 'letmein9', true)];
    const recipe = join(folders.make(), 'recipe.json');
    writeFileSync(recipe, JSON.stringify({ schema: 'trajectory-studio/recipe', version: 1, note: 'hunter2' }));
    two[0] = { ...two[0]!, attachments: [{ path: recipe, role: 'recipe' }] };
    const { out, skills, read, pictures } = await written(two);
    expect(skills).toMatchObject([
      {
        name: 'sign-in-with-secret-password',
        recordings: ['rec1', 'rec2'],
        inputs: [
          { name: 'user', kind: 'text' },
          { name: 'password', kind: 'secret' },
        ],
      },
    ]);
    const words = `${read('SKILL.md')}${read('references/steps.md')}`;
    expect(words).not.toMatch(/hunter2|letmein9/);
    expect(words).toContain('| `{user}` | text | ada, grace |');
    expect(words).toContain('{SECRET:password}');
    // The screen may show it from then on.
    expect(pictures).toEqual(
      [
        '001-before.png',
        '001-after.png',
        '002-before.png',
        '002-after.png',
        '003-before.png',
        '003-after.png',
        '004-before.png',
      ].sort(),
    );
    expect(existsSync(join(out, skills[0]!.name, 'recipe.json'))).toBe(false);
    expect(skills[0]!.withheld).toEqual([
      expect.stringMatching(/^No pictures from the end of step 4 on/),
      expect.stringMatching(/^The recipe of the task is left out/),
    ]);
    expect(validateSkills(out)).toMatchObject({ ok: true });
  });

  test('a secret that JSON writes otherwise keeps a recipe out all the same; a missing picture is said', async () => {
    const task = await form('ada', 'a"b\\c7');
    const recipe = join(folders.make(), 'recipe.json');
    writeFileSync(recipe, JSON.stringify({ note: 'a"b\\c7' }));
    const { out, skills } = await written([{ ...task, attachments: [{ path: recipe, role: 'recipe' }] }]);
    expect(skills[0]!.withheld.join()).toContain('it names a secret');
    const folder = join(out, skills[0]!.name);
    expect(existsSync(join(folder, 'recipe.json'))).toBe(false);
    rmSync(task.subtasks[0]!.actions[2]!.beforeImage!.path);
    await expect(written([task])).rejects.toMatchObject({ code: 'BAD_FILE' });
  });

  test('links in somebody else’s skill are not followed', async () => {
    const { out, skills } = await written([await form('ada', 'hunter2')]);
    const folder = join(out, skills[0]!.name);
    const elsewhere = join(folders.make(), 'x.png');
    writeFileSync(elsewhere, 'x');
    rmSync(join(folder, 'assets', '001-before.png'));
    symlinkSync(elsewhere, join(folder, 'assets', '001-before.png'));
    expect(validateSkills(out).problems).toMatchObject([{ message: expect.stringContaining('001-before.png') }]);
  });

  test('a damaged one is found, and where there is none it is said', async () => {
    const { out, skills } = await written([await form('ada', 'hunter2')]);
    const folder = join(out, skills[0]!.name);
    rmSync(join(folder, 'assets', '001-before.png'));
    writeFileSync(join(folder, 'checks.json'), '{"schema": 1');
    expect(validateSkills(out).problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/001-before\.png, which is not there/),
      expect.any(String),
    ]);
    expect(() => validateSkills(folders.make())).toThrow(/holds no skill/);
    expect(() => validateSkills(join(folder, 'none'))).toThrow(/cannot be read/);
  });

  test('a name that is none, a taken folder and nothing to show are refused, and nothing is left', async () => {
    const task = await form('ada', 'hunter2');
    const out = folders.make();
    for (const name of ['../up', 'A b', '']) {
      const wishes = { recordings: ['rec1'], name, progress: () => undefined };
      await expect(exportSkills(sourceOf([task]), join(out, 'x'), wishes)).rejects.toMatchObject({ code: 'USAGE' });
    }
    const wishes = { recordings: ['rec1'], progress: () => undefined };
    writeFileSync(join(out, 'taken'), 'x');
    await expect(exportSkills(sourceOf([task]), join(out, 'taken'), wishes)).rejects.toMatchObject({
      code: 'TARGET_EXISTS',
    });
    const empty = { ...task, subtasks: [] };
    await expect(exportSkills(sourceOf([empty]), join(out, 'y'), wishes)).rejects.toMatchObject({
      code: 'NOTHING_TO_EXPORT',
    });
    await expect(exportSkills(sourceOf([]), join(out, 'z'), wishes)).rejects.toMatchObject({
      code: 'NOTHING_TO_EXPORT',
    });
    expect(readdirSync(out)).toEqual(['taken']);
  });
});
