import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ExportTask } from '../../../core/export/model.ts';
import { inputsInSkill, readSkill } from '../../../test/support/skill-actor.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { click, drag, makeTask, pressed, scroll, typed } from './example-for-tests.ts';
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

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

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

  test('50 planted secrets: none is left in a text, a name of a file or a picture', async () => {
    const left: string[] = [];
    const planted = JSON.stringify(await form('ada', 'PLANTED'));
    for (let n = 0; n < 50; n++) {
      const secret = `${['hunter', 'pw<', 'a"b\\c', '{user}', 'päss', '50 % '][n % 6]}${n * 7919}x`;
      const task: ExportTask = JSON.parse(planted.replaceAll('PLANTED', () => JSON.stringify(secret).slice(1, -1)));
      const [subtask] = task.subtasks;
      const folder = folders.make();
      const attachments = (['recipe', 'checks'] as const).map((role) => {
        const file = join(folder, `${role}.json`);
        const contains = n % 2 === 0 ? secret : 'nothing';
        writeFileSync(file, JSON.stringify({ schema: `trajectory-studio/${role}`, version: 1, contains }));
        return { path: file, role };
      });
      const actions = subtask!.actions.map((one) => ({
        ...one,
        element: one.element && {
          ...one.element,
          name: one.element.name === 'Note' ? `Note ${secret}` : one.element.name,
        },
        action: { ...one.action, window: { app: 'a', title: `${secret} - mail`, id: '1' } as never },
      }));
      const all = { ...task, attachments, subtasks: [{ ...subtask!, query: `With ${secret}`, actions }] };
      const { out, skills, pictures } = await written([all]);
      const skill = join(out, skills[0]!.name);
      // Any screen after the secret was typed may show it.
      const shows = new Set(
        actions
          .flatMap((one, at) => (at >= 3 ? [one.afterImage] : []).concat(at > 3 ? [one.beforeImage] : []))
          .map((one) => hashOf(one!.path)),
      );
      for (const picture of pictures)
        if (shows.has(hashOf(join(skill, 'assets', picture)))) left.push(`${n}: ${picture}`);
      const files = (readdirSync(skill, { recursive: true }) as string[]).filter((file) => /\.(md|json)$/.test(file));
      for (const file of [...files, skills[0]!.name]) {
        const text = file === skills[0]!.name ? file : readFileSync(join(skill, file), 'utf8');
        if ([secret, JSON.stringify(secret).slice(1, -1)].some((words) => text.includes(words)))
          left.push(`${n}: ${file}`);
      }
    }
    expect(left).toEqual([]);
  });

  test('somebody who reads the folder alone knows each step, with other values, to the letter and the pixel', async () => {
    const values = [
      ['  Ada, "L"\nLovelace ', ' Emmy'],
      ['{user} is {none}', '{user} is {none}'],
      ['7', '8'],
      ['Line 7', 'Line 7'],
      ['|x|', 'y'],
    ];
    const path: [number, number, number][] = [
      [101, 52, 0],
      [110, 60, 1],
      [130, 70, 2],
    ];
    const made = async (which: 0 | 1) => {
      const specs = values.flatMap((pair, at) => [click(at + 1, 4), typed(pair[which]!)]);
      const rest = [
        click(9, 9, { count: 2, button: 'right', modifiers: ['ctrl', 'shift'] }),
        { ...drag([1, 2], [30, 20]), path },
        scroll(0, -3),
        pressed('ctrl', '+'),
        pressed('`'),
      ];
      const task = await makeTask(folders.make(), which ? 'PPT_1-2' : 'PPT_1', [
        { query: 'q', actions: [...specs, ...rest] },
      ]);
      const [subtask] = task.subtasks;
      const actions = subtask!.actions.map((one, at) => ({
        ...one,
        element: one.element && { ...one.element, name: `Field ${at}` },
      }));
      const recordings = [{ id: which ? 'rec2' : 'rec1', startedAt: '2026-11-27T00:00:00.000Z', video: null }];
      return { ...task, ...(which && { another: 'PPT_1' }), recordings, subtasks: [{ ...subtask!, actions }] };
    };
    const { out, skills } = await written([await made(0), await made(1)]);
    expect(validateSkills(out)).toMatchObject({ problems: [] });
    const folder = join(out, skills[0]!.name);
    const inputs = inputsInSkill(folder);
    expect([...inputs.values()]).toEqual(['Ada, "L"\nLovelace', '7', '|x|']);
    const names = [...inputs.keys()];
    const acts = readSkill(folder, new Map(names.map((name, at) => [name, ['Grace\n"', '42', 'z|'][at]!])));
    expect(acts.flatMap(({ does }) => (does.do === 'type' ? [does.text] : []))).toEqual([
      '  Grace\n" ',
      '{user} is {none}',
      '42',
      'Line 7',
      'z|',
    ]);
    expect(acts.slice(10).map(({ at, does }) => [at, does])).toEqual([
      [
        { x: 9, y: 9 },
        { do: 'click', button: 'right', count: 2, holdMs: 0, holding: ['ctrl', 'shift'] },
      ],
      [
        { x: 1, y: 2 },
        { do: 'drag', button: 'left', way: path.map(([x, y]) => ({ x: x - 100, y: y - 50 })), holding: [] },
      ],
      [
        { x: 5, y: 6 },
        { do: 'scroll', dx: 0, dy: -3, holding: [] },
      ],
      [null, { do: 'press', keys: ['ctrl', '+'], count: 1 }],
      [null, { do: 'press', keys: ['`'], count: 1 }],
    ]);
    expect(acts[0]).toMatchObject({
      name: 'Field 0',
      before: join(folder, 'assets', '001-before.png'),
      at: { x: 1, y: 4 },
    });
  });

  test.each([
    ['proven', 'Proven: played again'],
    ['failed', 'did not pass these checks each time'],
    ['said', 'somebody else says that it is'],
    ['untried', 'nobody has played it again'],
  ] as const)('a proof that is %s is told so', async (proof, words) => {
    const checks = join(folders.make(), 'checks.json');
    const check = { id: 'a', kind: 'file', path: 'a.txt' };
    writeFileSync(checks, JSON.stringify({ schema: 'trajectory-studio/checks', version: 1, checks: [check] }));
    const { read } = await written([
      { ...(await form('ada', 'x')), proof, attachments: [{ path: checks, role: 'checks' }] },
    ]);
    expect(read('SKILL.md')).toContain(words);
    expect(read('SKILL.md').includes('\nProven')).toBe(proof === 'proven');
    expect(read('checks.json')).toBe(readFileSync(checks, 'utf8'));
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

  test('pictures end where the recorder withheld what a field may have shown, and go on where it hides its letters', async () => {
    for (const why of ['program', 'was-field', 'unanswered', 'field', 'echo'] as const) {
      const task = await form('ada', 'hunter2');
      const [subtask] = task.subtasks;
      const actions = subtask!.actions.map((one) =>
        one.action.text === 'hunter2'
          ? { ...one, action: { ...one.action, text: '', withheld: true as const, withheldWhy: [why] } }
          : one,
      );
      const { pictures, skills } = await written([{ ...task, subtasks: [{ ...subtask!, actions }] }]);
      const isShown = why === 'field' || why === 'echo';
      expect(pictures.includes('004-after.png'), why).toBe(isShown);
      expect(pictures.includes('005-before.png'), why).toBe(isShown);
      expect(
        skills[0]!.withheld.some((one) => one.startsWith('No pictures from')),
        why,
      ).toBe(!isShown);
    }
  });

  test('what the recorder withheld and the goal names goes out in no text, name or file; its pictures stay', async () => {
    const task = await form('ada', 'Hunter2');
    const [subtask] = task.subtasks;
    const actions = subtask!.actions.map((one) =>
      one.action.text === 'Hunter2'
        ? {
            ...one,
            action: {
              ...one.action,
              text: '',
              withheld: true as const,
              withheldKeys: 7,
              withheldWhy: ['field' as const],
            },
          }
        : one,
    );
    const recipe = join(folders.make(), 'recipe.json');
    writeFileSync(recipe, JSON.stringify({ note: 'Hunter2' }));
    const all = {
      ...task,
      attachments: [{ path: recipe, role: 'recipe' as const }],
      subtasks: [{ ...subtask!, query: 'With Hunter2', actions }],
    };
    const { out, skills, read, pictures } = await written([all]);
    expect(skills[0]!.name).toBe('sign-in-with-secret-password');
    expect(`${read('SKILL.md')}${read('references/steps.md')}`).not.toMatch(/hunter2/i);
    expect(skills[0]!.withheld).toEqual(['The recipe of the task is left out: it names a secret.']);
    expect(existsSync(join(out, skills[0]!.name, 'recipe.json'))).toBe(false);
    expect(pictures).toHaveLength(12);
    await expect(written([all], { name: 'use-hunter2' })).rejects.toMatchObject({ code: 'USAGE' });
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

  test('tasks whose goals make the same name get folders of their own, and one name for two is refused', async () => {
    const one = await form('ada', 'hunter2');
    const tasks = ['PPT_1', 'PPT_2', 'PPT_3'].map((id) => ({
      ...one,
      id,
      goal: `Sign in, at once and for ever, with all that belongs to it ${'!'.repeat(Number(id.at(-1)))}`,
      recordings: [{ ...one.recordings[0]!, id: `of ${id}` }],
    }));
    const { out, skills } = await written(tasks);
    const names = skills.map(({ name }) => name);
    expect(names.slice(1)).toEqual([2, 3].map((n) => `${names[0]!.slice(0, 60)}-${n}`));
    expect(readdirSync(out).toSorted()).toEqual(names.toSorted());
    expect(validateSkills(out)).toMatchObject({ ok: true, problems: [] });
    await expect(written(tasks, { name: 'sign-in' })).rejects.toMatchObject({ code: 'USAGE' });
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
