import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clickAt, head, predict, predictionsHead, question, writeLines } from '../datasets/evaluate/files-for-tests.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { programOfAll, runHere } from './run-for-tests.ts';

/**
 * Every file and folder that a command takes, given as one that is not there, as a folder in place of a file or the other way
 * round, and below a file: the command says which, and what to do, in its own words.
 */

const folders = temporaryFolders();
afterAll(folders.clean);
beforeAll(() => {
  vi.stubEnv('DISPLAY', '');
  vi.stubEnv('NO_COLOR', '1');
});
afterAll(() => void vi.unstubAllEnvs());

type Wants = 'file' | 'folder' | 'either' | 'new file' | 'new folder';

/**
 * By command and the option or argument that takes it. `GIVEN` is what is wrong; W a workspace, D an empty folder, the other
 * letters files that are as they should be.
 */
const LINES: Readonly<Record<string, readonly [wants: Wants, line: string]>> = {
  'annotate apply --file': ['file', 'annotate apply rec-a --file GIVEN --person Ada --workspace W'],
  'answer --cache': [
    'new file',
    'answer --questions Q --out D/p.jsonl --cache GIVEN --endpoint http://127.0.0.1:9 --model m',
  ],
  'answer --out': ['new file', 'answer --questions Q --out GIVEN --endpoint http://127.0.0.1:9 --model m'],
  'answer --questions': ['file', 'answer --questions GIVEN --out D/p.jsonl --endpoint http://127.0.0.1:9 --model m'],
  'archive check file.tar': ['file', 'archive check GIVEN'],
  'archive export --out': ['new file', 'archive export --out GIVEN.tar --workspace W'],
  'archive import file.tar': ['file', 'archive import GIVEN --workspace W'],
  'backup place': ['new folder', 'backup GIVEN --workspace W'],
  'backups place': ['folder', 'backups GIVEN'],
  'restore place': ['folder', 'restore GIVEN --workspace D/w'],
  'check --checks': ['file', 'check GIMP_1 --home D --checks GIVEN --workspace W'],
  'check --home': ['folder', 'check GIMP_1 --home GIVEN --checks C --workspace W'],
  'compositions export --out': ['new file', 'compositions export two --out GIVEN --workspace W'],
  'compositions import file': ['file', 'compositions import GIVEN --workspace W'],
  'dataset terms --citation-file': ['file', 'dataset terms --citation-file GIVEN --workspace W'],
  'elements --text-data': ['folder', 'elements rec-a --read-texts --text-data GIVEN --workspace W'],
  'evaluate --cases': ['new file', 'evaluate click --truth Q --predictions P --cases GIVEN'],
  'evaluate --critic-cache': [
    'new file',
    'evaluate mid --truth Q --predictions P --critic http://127.0.0.1:9 --critic-model m --critic-cache GIVEN',
  ],
  'evaluate --predictions': ['file', 'evaluate click --truth Q --predictions GIVEN'],
  'evaluate --prompts': [
    'folder',
    'evaluate mid --truth Q --predictions P --critic http://127.0.0.1:9 --critic-model m --prompts GIVEN',
  ],
  'evaluate --truth': ['file', 'evaluate click --truth GIVEN --predictions P'],
  'export --out': ['new folder', 'export agentnet --out GIVEN --all --workspace W'],
  'formats --schemas': ['new folder', 'formats --schemas GIVEN'],
  'import --preview': ['new folder', 'import V.mp4 --preview GIVEN --workspace W'],
  'import --transcript': ['file', 'import V.mp4 --transcript GIVEN --app gimp --goal x --workspace W'],
  'import path': ['either', 'import GIVEN --workspace W'],
  'keyframes --out': ['new folder', 'keyframes rec-a --out GIVEN --workspace W'],
  'perform --recipe': ['file', 'perform S --task GIMP_1 --recipe GIVEN --workspace W'],
  'perform script': ['file', 'perform GIVEN --task GIMP_1 --recipe R --workspace W'],
  'run --recipe': ['file', 'run --task GIMP_1 --endpoint http://127.0.0.1:9 --model m --recipe GIVEN --workspace W'],
  'play --recipe': ['file', 'play rec-a --recipe GIVEN --workspace W'],
  'questions --aids': ['file', 'questions --level action --all --out D/q --aid som --aids GIVEN --workspace W'],
  'questions --out': ['new file', 'questions --level action --all --out GIVEN --workspace W'],
  'questions --prompts': ['folder', 'questions --level action --all --out D/q --prompts GIVEN --workspace W'],
  'questions --template': ['new file', 'questions --level action --all --out D/q --template GIVEN --workspace W'],
  'questions --truth': ['new file', 'questions --level action --all --out D/q --truth GIVEN --workspace W'],
  'recordings export --out': ['new folder', 'recordings export rec-a --out GIVEN --workspace W'],
  'recordings import path': ['either', 'recordings import GIVEN --workspace W'],
  'serve --oidc-secret-file': [
    'file',
    'serve --team --url http://127.0.0.1:1 --oidc http://127.0.0.1:9 --client x --oidc-secret-file GIVEN --workspace W',
  ],
  'stage new --recipe': ['file', 'stage new --task GIMP_1 --recipe GIVEN --workspace W'],
  'tasks attach file': ['file', 'tasks attach GIMP_1 GIVEN --workspace W'],
  'tasks import file': ['file', 'tasks import GIVEN --dry-run --workspace W'],
  'tasks import-osworld path': ['either', 'tasks import-osworld GIVEN --workspace W'],
  'tasks osworld --out': ['new file', 'tasks osworld GIMP_1 --out GIVEN --workspace W'],
  'doctor --pack': ['new file', 'doctor --log --pack GIVEN'],
  'validate dir': ['folder', 'validate agentnet GIVEN'],
  'voice transcript file': ['file', 'voice transcript rec-a GIVEN --workspace W'],
  'verify --recipe': ['file', 'verify rec-a --recipe GIVEN --workspace W'],
};

/** What `doctor --prove` writes needs a display, a pipe is no file; the workspace is looked at in its own test. */
const ELSEWHERE = ['doctor --out', 'serve --pipe'];

const folder = folders.make();
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  openWorkspace(at('W'), { create: true }).close();
  writeSample(join(at('W'), 'recordings'), sampleRecording({ id: 'rec-a' }));
  for (const name of ['D', 'a-folder', 'a-folder.tar']) mkdirSync(at(name));
  await runHere(['tasks', 'add', '--app', 'gimp', '--goal', 'x', '--id', 'GIMP_1', '--workspace', at('W')]);
  await runHere(['compositions', 'new', 'two', '--tasks', 'GIMP_1', '--workspace', at('W')]);
  // Its first bytes are those of a video.
  writeFileSync(at('V.mp4'), Buffer.from('0000001866747970697336d000000000', 'hex'));
  for (const name of ['a-file']) writeFileSync(at(name), 'x');
  writeFileSync(at('R'), JSON.stringify({ schema: 'trajectory-studio/recipe', version: 1 }));
  writeFileSync(at('S'), 'pyautogui.click(1, 2)');
  writeFileSync(
    at('C'),
    JSON.stringify({
      schema: 'trajectory-studio/checks',
      version: 1,
      checks: [{ id: 'a', kind: 'file', path: 'a.txt' }],
    }),
  );
  writeLines(folder, 'Q', [head(), question('GIMP_1/1/1', clickAt(100, 100))]);
  writeLines(folder, 'P', [predictionsHead(), predict('GIMP_1/1/1', '[160, 180]')]);
});

/** What is wrong with it: nothing there, a file or folder in its place, a file on the way to it. */
const wrongFor = (wants: Wants): string[] => {
  if (wants === 'new folder') return ['a-file', 'a-file/below'];
  if (wants === 'new file') return ['a-folder', 'a-file/below'];
  const wrong = ['none', 'no/where', 'a-file/below'];
  return wants === 'file' ? [...wrong, 'a-folder'] : wants === 'folder' ? [...wrong, 'a-file'] : wrong;
};

test('every option and argument that takes a file or a folder is among them', async () => {
  const found: string[] = [];
  const walk = (command: Command, words: readonly string[]): void => {
    const name = words.join(' ');
    for (const { long, flags } of command.options)
      if (/[<[](file|dir|folder|path)s?\b/.test(flags) && long !== '--workspace') found.push(`${name} ${long}`);
    for (const argument of command.registeredArguments)
      if (/^(file|dir|folder|path|place|script)\b/.test(argument.name())) found.push(`${name} ${argument.name()}`);
    for (const each of command.commands) walk(each, [...words, each.name()]);
  };
  walk(await programOfAll(), []);
  expect(found.filter((name) => !ELSEWHERE.includes(name)).sort()).toEqual(Object.keys(LINES).sort());
});

const wrong = Object.entries(LINES).flatMap(([name, [wants, line]]) =>
  // Where the workspace has nothing to ask, nothing is written.
  (name.startsWith('questions') && wants === 'new file' ? ['a-folder'] : wrongFor(wants)).map((given) => ({
    name,
    line,
    given,
  })),
);
test.each(wrong)('$name: $given', async ({ line, given }) => {
  const words = line
    .split(' ')
    .map((word) =>
      word.startsWith('GIVEN') ? at(word.replace('GIVEN', given)) : /^[A-Z]([./]|$)/.test(word) ? at(word) : word,
    );
  const { status, stdout } = await runHere(['--json', ...words]);
  const { error } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { error: { code: string; message: string } };
  expect(error.code).toMatch(/^(BAD_FILE|USAGE|TARGET_EXISTS)$/);
  expect(status).toBeGreaterThan(0);
  // Which one, in words of ours, as whole sentences, the last of which says what to do.
  expect(error.message).toContain(given === 'a-file/below' ? at('a-file') : at(given.split('/')[0]!));
  expect(error.message).not.toMatch(/\bE[A-Z]{4,}\b|illegal operation|\.\./);
  expect(error.message).toMatch(/[.:] [A-Z`].*\.$/s);
});
