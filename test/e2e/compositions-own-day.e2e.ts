import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { timeText } from '../../core/compositions/day.ts';
import { type CompositionRun, compositionRunSchema } from '../../schemas/composition-run.ts';
import { hasTextReader } from '../../studio/recordings/texts/languages.ts';
import { readRecording } from '../../studio/store/recording-folder.ts';
import { doAll } from '../demo/day/show.ts';
import { newWorkspace, startRecorder, studio, studioMust } from '../support/cli.ts';
import { chord, press, type Step, type } from '../support/person.ts';
import type { NoteStage } from '../support/played-note.ts';
import { stageDisplay } from '../support/stage-display.ts';
import { until } from '../support/until.ts';

/**
 * A laboratory's own day, made as docs/compositions.md says (A day of your own) and by nothing but the command line, in programs that
 * the day that ships does not have: readings in vim, a table in sqlite3, a journal in pluma, a notebook in zim.
 */

const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
afterAll(() => workspace.remove());

const SCREEN = { width: 1280, height: 800 };
const PLACE = { x: 0, y: 0, width: 1200, height: 720 };
const recipe = (files: object[], program: object) => ({
  schema: 'trajectory-studio/recipe',
  version: 3,
  screen: SCREEN,
  layout: { layout: 'us', variant: '' },
  files,
  programs: [{ place: PLACE, ...program }],
});
const inTerminal = (title: string, ...words: string[]) => ({
  command: 'xterm',
  args: ['-T', title, '-fa', 'DejaVu Sans Mono', '-fs', '12', '-xrm', '*cursorBlink: false', '-e', ...words],
  window: title,
});
const checks = (...all: object[]) => ({ schema: 'trajectory-studio/checks', version: 1, checks: all });

const READINGS = 'Sample  Reading\nA3      38.9\nB7      41.2\nC1      40.0\n';
const PAGE = 'Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n\n====== Home ======\nTo do\n';
const TASKS = [
  {
    id: 'SAMPLE_1',
    software: 'vim',
    goal: 'Say which sample has the highest reading.',
    answer: 'B7',
    recipe: recipe(
      [{ text: READINGS, to: 'readings.txt' }],
      inTerminal('Readings', 'vim', '-u', 'NONE', '-i', 'NONE', '-n', 'readings.txt'),
    ),
    checks: null,
  },
  {
    id: 'SAMPLE_2',
    software: 'sqlite3',
    goal: 'Put the sample that is to be repeated into the table repeats.',
    answer: '',
    recipe: recipe(
      [{ text: 'create table if not exists repeats (sample text);\n', to: 'lab.sql' }],
      inTerminal('Lab table', 'sqlite3', '-init', 'lab.sql', 'lab.db'),
    ),
    checks: checks({ id: 'there', kind: 'sqlite', path: 'lab.db', query: 'select sample from repeats', equals: 'B7' }),
  },
  {
    id: 'SAMPLE_3',
    software: 'pluma',
    goal: 'Write into the journal which sample is repeated.',
    answer: '',
    recipe: recipe([{ text: 'Monday\n', to: 'journal.txt' }], {
      command: 'pluma',
      args: ['~/journal.txt'],
      window: 'journal.txt',
    }),
    checks: checks({ id: 'written', kind: 'text', path: 'journal.txt', contains: ['Monday\nRepeat B7 in Lab 305'] }),
  },
  {
    id: 'SAMPLE_4',
    software: 'zim',
    goal: 'Write onto the page Home where the sample is repeated.',
    answer: '',
    recipe: recipe(
      [
        { text: '[Notebook]\nversion=0.4\nname=Notes\ninterwiki=\nhome=Home\nicon=\n', to: 'Notes/notebook.zim' },
        { text: PAGE, to: 'Notes/Home.txt' },
      ],
      { command: 'zim', args: ['~/Notes'], window: 'Home' },
    ),
    checks: checks({ id: 'noted', kind: 'text', path: 'Notes/Home.txt', contains: ['To do: Lab 305 for B7'] }),
  },
];

const DAY = {
  schema: 'trajectory-studio/composition',
  version: 2,
  id: 'sample-monday',
  kind: 'scenario',
  title: 'The sample of a Monday',
  context: {
    begins: '2026-03-02',
    persona: 'Ada measures samples and repeats the one that is furthest off.',
    given: [{ name: 'room', value: 'Lab 305' }],
  },
  members: [
    {
      id: 'highest',
      task: 'SAMPLE_1',
      window: { from: '08:30', to: '09:00' },
      place: 'Desk',
      instructions: {
        base: 'Which sample has the highest reading?',
        L0: 'Look at Readings, and say which sample has the highest reading.',
        L1: 'Which sample has the highest reading?',
        L2: 'Which one stands out?',
      },
      outputs: [{ name: 'sample', value: 'B7' }],
    },
    {
      id: 'table',
      task: 'SAMPLE_2',
      window: { from: '09:00', to: '10:00' },
      place: 'Desk',
      instructions: {
        base: 'Put {{highest.sample}} into the table of repeats.',
        L0: 'In Lab table, insert {{highest.sample}} into the table repeats.',
        L1: 'Put the sample into the table of repeats.',
        L2: 'Do not let it be forgotten.',
      },
    },
    {
      id: 'journal',
      task: 'SAMPLE_3',
      window: { from: '10:00', to: '11:00' },
      place: 'Lab',
      instructions: {
        base: 'Write into the journal that {{highest.sample}} is repeated in {{given.room}}.',
        L0: 'In journal.txt, add this line and save it: Repeat {{highest.sample}} in {{given.room}}',
        L1: 'Write into the journal that the sample is repeated in {{given.room}}.',
        L2: 'Write it into the journal.',
      },
    },
    {
      id: 'notebook',
      task: 'SAMPLE_4',
      window: { from: '11:00', to: '12:00' },
      place: 'Lab',
      instructions: {
        base: 'Note {{given.room}} for {{highest.sample}} in the notebook.',
        L0: 'On the page Home of the notebook, add “: {{given.room}} for {{highest.sample}}” to the last line, and save it.',
        L1: 'Note {{given.room}} for the sample in the notebook.',
        L2: 'Keep the room free.',
      },
    },
  ],
  edges: [
    { kind: 'data', from: 'highest', to: 'table', output: 'sample' },
    { kind: 'data', from: 'highest', to: 'journal', output: 'sample' },
    { kind: 'data', from: 'highest', to: 'notebook', output: 'sample' },
    { kind: 'hard', from: 'table', to: 'journal' },
  ],
  events: [
    { id: 'sheet', at: { from: '09:05', to: '09:55' }, happens: [{ kind: 'file', to: 'sheet.txt', text: 'D4' }] },
    { id: 'note', at: { after: 'journal' }, happens: [{ kind: 'file', to: 'note.txt', text: 'Thank you' }] },
  ],
  tasks: TASKS,
};

const STEPS: Readonly<Record<string, readonly Step[]>> = {
  SAMPLE_1: [type('/41'), press('Enter')],
  // It says the time, in the demonstration by the machine's clock and in the run by that of the day.
  SAMPLE_2: [type("insert into repeats values ('B7'); select 'saved ' || time();"), press('Enter')],
  // Editors of Gtk show no empty line after the last line break of a file, so that the caret is at the end of “Monday”.
  SAMPLE_3: [chord('ctrl', 'End'), press('Enter'), type('Repeat B7 in Lab 305'), chord('ctrl', 's')],
  SAMPLE_4: [chord('ctrl', 'End'), press('Backspace'), type(': Lab 305 for B7'), chord('ctrl', 's')],
};

/** Agrees to what the recipe starts, as somebody does who took a file from elsewhere. */
async function trust(task: string): Promise<void> {
  const { json } = await studio(['tasks', 'trust', task, '--json', ...where]);
  const hashes = (json as { asked: { hash: string }[] }).asked.map(({ hash }) => hash);
  if (hashes.length > 0) await studioMust(['tasks', 'trust', task, ...hashes, ...where]);
}

/** Large programs, and a reader of texts for the time that sqlite3 says, which a machine for tests may lack. */
const isThere = hasTextReader() && spawnSync('which', ['vim', 'sqlite3', 'pluma', 'zim', 'faketime']).status === 0;

const played = async (): Promise<CompositionRun> => {
  const { json, stderr } = await studio(['run', '--composition', DAY.id, '--seed', '5', '--json', ...where]);
  expect(json, stderr).not.toBeNull();
  return compositionRunSchema.parse(json);
};

/** Each needs what the ones before it made. */
describe.runIf(isThere)('a day in other programs, made by following the page', () => {
  let first: CompositionRun | null = null;

  it('is written, taken in, and breaks no law', async () => {
    await studioMust(['init', ...where]);
    const file = path.join(path.dirname(workspace.path), 'sample-monday.json');
    fs.writeFileSync(file, JSON.stringify(DAY));
    await studioMust(['compositions', 'import', file, ...where]);
    expect((await studioMust(['compositions', 'check', DAY.id, ...where])).stdout).not.toMatch(/ CP\d+ (?!note)/);
  });

  it.each(TASKS)('is shown in $software, on a stage of its own', async ({ id, software, goal, checks: own }) => {
    await trust(id);
    const { json } = await studioMust(['stage', 'new', '--task', id, '--json', ...where]);
    const { stage, display, home, authority } = json as NoteStage; // As it prints it.
    const env = { ...process.env, DISPLAY: display, XAUTHORITY: authority };
    const shown = stageDisplay(env, { name: display, home, ...SCREEN });
    const args = ['--app', software, '--goal', goal, '--task', id, '--stage', stage];
    const recorder = await startRecorder(shown, { workspace: workspace.path, args });
    await doAll(shown, env, STEPS[id] ?? []);
    // A person who shows a task sees that it is done before they stop.
    if (own)
      await until(`${id} to be done`, async () => {
        const { json: report } = await studio(['check', id, '--json', ...where]);
        return (report as { passed: boolean }).passed || null;
      });
    const { line } = await recorder.stop();
    expect(line.checks?.passed).toBe(own ? true : undefined);
    await studioMust(['stage', 'end', stage]);
  });

  it('is played on one stage, by the day’s clock', async () => {
    const begun = Date.now();
    const run = await played();
    first = run;
    expect(run.results.map(({ member, outcome, why }) => [member, outcome, why])).toEqual(
      DAY.members.map(({ id }) => [id, 'passed', '']),
    );
    expect(run.results.map(({ clock }) => clock?.from.slice(11, 16))).toEqual(['08:30', '09:00', '10:00', '11:00']);
    // The recordings have the machine's time, and how far the day's was from it.
    for (const { recording, clock } of run.results) {
      const { clock: own, stageClock } = readRecording(path.join(workspace.path, 'recordings', recording ?? ''));
      const startedAt = Date.parse(own.startedAt);
      expect(startedAt).toBeGreaterThanOrEqual(begun);
      const shown = timeText(startedAt + (stageClock?.at(-1)?.ahead ?? 0));
      expect([clock?.from, shown, clock?.to].toSorted()).toEqual([clock?.from, shown, clock?.to]);
    }
  });

  it('reads the same and has the same events in the same order, played with the same seed once more', async () => {
    const again = await played();
    const read = (run: CompositionRun | null) =>
      run?.results.map(({ outcome, score, answer, values }) => [outcome, score, answer, values]);
    const happened = (run: CompositionRun | null) =>
      run?.events?.map(({ id, at, before, after, failed }) => {
        return [id, before === null ? null : at?.slice(0, 16), before, after, failed];
      });
    expect(read(again)).toEqual(read(first));
    expect(happened(again)).toEqual(happened(first));
    expect(again.events?.map(({ id, before, after, failed }) => [id, before, after, failed])).toEqual([
      ['sheet', 'journal', null, null],
      ['note', null, 'journal', null],
    ]);
  });
});
