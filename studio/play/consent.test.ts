import { appendFileSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { askedLines } from '../../core/play/asked.ts';
import { attach } from '../store/attachments.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { createTask } from '../store/task-rows.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Asker } from './agreed.ts';
import { agreeTo, askedOf, byOwnHand, needAgreed } from './consent.ts';

let workspace: Workspace;
const folders = freshWorkspaces((fresh) => {
  workspace = fresh;
});
const TASK = 'GIMP_1';
const RECIPE = {
  schema: 'trajectory-studio/recipe',
  version: 1,
  files: [{ attachment: 'setup.sh', to: 'setup.sh' }],
  programs: [{ command: 'sh', args: ['~/setup.sh'] }],
  network: true,
};
const CHECKS = {
  schema: 'trajectory-studio/checks',
  version: 1,
  checks: [{ id: 'done', kind: 'file', path: 'done.txt' }],
};

const account = (): Asker => ({ config: join(folders.make(), 'config'), person: null, isLocal: true });

async function put(role: 'recipe' | 'checks' | 'material', name: string, content: object | string): Promise<void> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await attach(workspace, { task: TASK, role, name, body: Readable.from([Buffer.from(text)]) });
}

/** A task whose recipe, script and checks somebody else made. */
async function foreignTask(): Promise<void> {
  await createTask(workspace, { software: 'gimp', goal: 'Crop', id: TASK, platform: '', sourceUrl: '', notes: '' });
  await put('material', 'setup.sh', 'echo hello');
  await put('recipe', 'recipe.json', RECIPE);
  await put('checks', 'checks.json', CHECKS);
}

const kinds = async (asker: Asker): Promise<string[]> =>
  (await askedOf(workspace, TASK, asker)).map(({ kind }) => kind);

test('what somebody else made is asked about with all that it runs, and an answer is remembered', async () => {
  await foreignTask();
  const ada = account();
  const asked = await askedOf(workspace, TASK, ada);
  expect(asked).toMatchObject([
    {
      kind: 'recipe',
      programs: [{ command: 'sh', args: ['~/setup.sh'] }],
      files: [{ to: 'setup.sh', from: 'setup.sh', bytes: 10 }],
      network: true,
    },
    { kind: 'checks', checks: [{ id: 'done', kind: 'file', at: 'path: done.txt, is: there' }] },
  ]);
  const refusal = await needAgreed(workspace, TASK, ada).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'NOT_AGREED', details: { task: TASK, asked } });
  expect(String(refusal)).toContain(`--trust ${asked[0]!.hash.slice(0, 16)}`);
  expect(String(refusal)).toContain('The recipe starts sh ~/setup.sh, puts 1 file into its home, may use the network.');
  await agreeTo(workspace, TASK, ada, [asked[0]!.hash.slice(0, 16)]);
  expect(await kinds(ada)).toEqual(['checks']);
  await agreeTo(workspace, TASK, ada, [asked[1]!.hash]);
  expect(await kinds(ada)).toEqual([]);
  await needAgreed(workspace, TASK, ada);
  // Another account of the same workspace is asked for itself.
  expect(await kinds(account())).toEqual(['recipe', 'checks']);
});

test('an archive that is unpacked and an empty folder are shown as what they are, and the archive is part of the question', async () => {
  await foreignTask();
  const files = [
    { attachment: 'setup.sh', to: '.', unpack: true },
    { folder: true, to: 'notes' },
  ];
  await put('recipe', 'recipe.json', { ...RECIPE, version: 2, files });
  const [asked] = await askedOf(workspace, TASK, account());
  expect(asked?.files).toEqual([
    { to: '.', from: 'setup.sh', bytes: 10, text: null, as: 'unpacked' },
    { to: 'notes', from: null, bytes: null, text: null, as: 'folder' },
  ]);
  expect(askedLines(asked!).join('\n')).toContain('unpacks “setup.sh” in ~/. (10 bytes)\n  makes the folder ~/notes');
  await put('material', 'setup.sh', 'another');
  const [changed] = await askedOf(workspace, TASK, account());
  expect(changed?.hash).not.toBe(asked?.hash);
});

test('it is asked again when anything of it changes: its text, or a file that it puts on the stage', async () => {
  await foreignTask();
  const ada = account();
  const agreeToAll = async (): Promise<void> => {
    const asked = await askedOf(workspace, TASK, ada);
    await agreeTo(
      workspace,
      TASK,
      ada,
      asked.map(({ hash }) => hash),
    );
  };
  await agreeToAll();
  const before = await askedOf(workspace, TASK, account());
  await put('material', 'other.txt', 'not of the recipe');
  expect(await kinds(ada)).toEqual([]);
  await put('material', 'setup.sh', 'cat ~/.ssh/id_rsa');
  expect(await kinds(ada)).toEqual(['recipe']);
  await expect(agreeTo(workspace, TASK, ada, [before[0]!.hash])).rejects.toMatchObject({ code: 'USAGE' });
  await agreeToAll();
  await put('recipe', 'recipe.json', { ...RECIPE, network: false });
  expect(await kinds(ada)).toEqual(['recipe']);
  await put('checks', 'checks.json', { ...CHECKS, pass: 0.5 });
  expect(await kinds(ada)).toEqual(['recipe', 'checks']);
  // One whose bytes were changed in place, too.
  await agreeToAll();
  const folder = join(workspace.dir, 'attachments', TASK);
  const script = readdirSync(folder).find((name) => readFileSync(join(folder, name), 'utf8').includes('id_rsa'))!;
  writeFileSync(join(folder, script), 'cat ~/.ssh/id_ecd');
  expect(await kinds(ada)).toEqual(['recipe']);
});

test('what a person makes by their own hand is theirs; what lies beside it stays somebody else’s', async () => {
  await foreignTask();
  const ada = account();
  await byOwnHand(workspace, TASK, ada, 'recipe', () => put('recipe', 'mine.json', RECIPE));
  expect(await kinds(ada)).toEqual(['checks']);
  // A file of the recipe that they change is still theirs; another's is not.
  await byOwnHand(workspace, TASK, ada, null, () => put('material', 'setup.sh', 'echo mine'));
  expect(await kinds(ada)).toEqual(['checks']);
  await put('material', 'setup.sh', 'echo theirs');
  expect(await kinds(ada)).toEqual(['recipe', 'checks']);
  // A file of theirs beside what they never agreed to does not make it theirs.
  await byOwnHand(workspace, TASK, ada, null, () => put('material', 'setup.sh', 'echo mine again'));
  expect(await kinds(ada)).toEqual(['recipe', 'checks']);
  // Somebody else stores a recipe in the middle of it.
  const mine = () => put('recipe', 'mine.json', RECIPE);
  await byOwnHand(workspace, TASK, ada, 'recipe', mine);
  await byOwnHand(workspace, TASK, ada, null, async () => {
    await put('material', 'picture.png', 'x');
    await put('recipe', 'theirs.json', { ...RECIPE, programs: [{ command: 'rm' }] });
  });
  expect(await kinds(ada)).toEqual(['recipe', 'checks']);
});

test('an answer counts for who gave it: people of a page each for themselves, the account for its own pages', async () => {
  await foreignTask();
  const { config } = account();
  const as = (person: string | null, isLocal = true): Asker => ({ config, person, isLocal });
  const [recipe, checks] = await askedOf(workspace, TASK, as(null));
  await agreeTo(workspace, TASK, as('ada'), [recipe!.hash]);
  expect(await kinds(as('ada'))).toEqual(['checks']);
  expect(await kinds(as('ben'))).toEqual(['recipe', 'checks']);
  // The page is on this machine: its answer is the account's.
  expect(await kinds(as(null))).toEqual(['checks']);
  await agreeTo(workspace, TASK, as(null), [checks!.hash]);
  expect(await kinds(as('ben'))).toEqual(['recipe']);
  // From another machine nobody's answer counts but one's own.
  expect(await kinds(as('ben', false))).toEqual(['recipe', 'checks']);
  expect(await kinds(as(null, false))).toEqual(['recipe', 'checks']);
  await agreeTo(workspace, TASK, as('cleo', false), [recipe!.hash, checks!.hash]);
  expect(await kinds(as('cleo', false))).toEqual([]);
  expect(await kinds(as('dan', false))).toEqual(['recipe', 'checks']);
});

test('an agreement that lies in the workspace counts for nothing, and a damaged file only means that it is asked again', async () => {
  await foreignTask();
  const ada = account();
  const asked = await askedOf(workspace, TASK, ada);
  const line = {
    workspace: workspace.dir,
    hash: asked[0]!.hash,
    person: null,
    local: true,
    at: new Date().toISOString(),
  };
  writeFileSync(join(workspace.dir, 'agreed.jsonl'), `${JSON.stringify(line)}\n`);
  expect(await kinds(ada)).toEqual(['recipe', 'checks']);
  mkdirSync(ada.config, { recursive: true });
  writeFileSync(join(ada.config, 'agreed.jsonl'), '{"workspace":"x","ha');
  expect(await kinds(ada)).toEqual(['recipe', 'checks']);
  await agreeTo(workspace, TASK, ada, [asked[0]!.hash]);
  expect(await kinds(ada)).toEqual(['checks']);
  appendFileSync(join(ada.config, 'agreed.jsonl'), 'null\n[]\n{}\n');
  expect(await kinds(ada)).toEqual(['checks']);
});

test('nobody takes a task’s recipe past the question', () => {
  const root = join(import.meta.dirname, '..');
  const users = globSync('**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts') && /\brecipeOfTask\(/.test(readFileSync(join(root, file), 'utf8')));
  // They show it, or write it out; the others ask first: `needAgreed`, `askFirst`.
  const showing = [
    'play/compositions.ts',
    'play/consent.ts',
    'play/osworld-tasks.ts',
    'play/ready.ts',
    'play/recipe.ts',
    'play/setup.ts',
    'play/task-contents.ts',
  ];
  const asking = ['api/routes/play.ts', 'api/routes/runs.ts', 'cli/commands/on-stage.ts'];
  expect(users.sort()).toEqual([...showing, ...asking].sort());
  const commands = globSync('cli/commands/*.ts', { cwd: root }).filter((file) =>
    /\b(?:needRecipe|recipeFor)\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  for (const file of commands) expect(readFileSync(join(root, file), 'utf8'), file).toMatch(/\baskFirst\(/);
});
