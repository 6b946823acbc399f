import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  judgeAnswers,
  judgeSubmit,
  verificationOf,
  verificationStanding,
} from '../../../core/compositions/verification.ts';
import { type Composition, compositionSchema } from '../../../schemas/composition.ts';
import { type CompositionRun, compositionRunSchema } from '../../../schemas/composition-run.ts';
import type { VerificationStage } from '../../../schemas/composition-terms.ts';
import type { VerificationAct } from '../../../schemas/composition-verification.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { readTravellingRuns } from '../../documents/joined/carried-runs.ts';
import { compositionOf, keepComposition, listCompositions } from '../../documents/joined/composition-files.ts';
import { keepRun, listCompositionRuns } from '../../documents/joined/run-files.ts';
import { addingTo, readVerification, versionOfContent } from '../../documents/joined/verification-log.ts';
import { addPerson, listPeople } from '../../store/people.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { type Both, calm, take, workspacesIn, write } from './bench-for-tests.ts';
import { checkArchive } from './read-archive.ts';

/** Compositions in archives, with how people verified them. */

const folders = temporaryFolders();
const workspaces = workspacesIn(folders);
afterEach(async () => {
  await workspaces.close();
  folders.clean();
});

const NOVELS: Composition = compositionSchema.parse({
  schema: 'trajectory-studio/composition',
  version: 1,
  id: 'novels',
  kind: 'pathway',
  title: 'A novel',
  task: 'When was the author of The Trial born?',
  members: [
    {
      id: 'author',
      task: 'GIMP_1',
      instructions: { base: 'Who wrote The Trial?' },
      outputs: [{ name: 'name', value: 'Kafka' }],
    },
    {
      id: 'born',
      task: 'GIMP_2',
      instructions: { base: 'When was {{author.name}} born?' },
      outputs: [{ name: 'year', value: 1883 }],
    },
  ],
  edges: [{ kind: 'data', from: 'author', to: 'born', output: 'name' }],
});

/** A workspace with two tasks and the composition of them. */
async function filled(goals = ['Find the author', 'Find the year']): Promise<Both> {
  const both = workspaces.open();
  for (const [n, goal] of goals.entries())
    await addRecording(both.workspace, { id: `${goal.slice(-4)}-${n}`, task: `GIMP_${n + 1}`, goal });
  await both.workspace.syncIndex();
  return both;
}

/** Somebody does a stage of it, and all that they find matches. */
async function does({ workspace }: Both, name: string, stage: VerificationStage): Promise<void> {
  const known = (await listPeople(workspace.store)).find((one) => one.name === name);
  const { id: person } = known ?? (await addPerson(workspace.store, { name, email: null }));
  const composition = compositionOf(workspace, 'novels');
  const submit = {
    type: 'submit' as const,
    platform: '',
    members: [
      { member: 'author', recording: 'thor-0', answers: [{ output: 'name', text: 'Kafka' }] },
      { member: 'born', recording: 'year-1', answers: [{ output: 'year', text: '1883' }] },
    ],
  };
  const answer = { type: 'answer' as const, answers: ['1883'], recording: null };
  const acts: VerificationAct[] = [{ type: 'claim', stage }, stage === 'blind' ? answer : submit];
  for (const act of acts) {
    const judged = act.type === 'submit' ? judgeSubmit(composition, act) : null;
    const blind = act.type === 'answer' ? judgeAnswers(composition, act) : null;
    const facts = judged
      ? { facts: { judged, matches: true, seconds: 20, ends: true } }
      : blind && { facts: { ...blind, seconds: 90, ends: true } };
    const of = versionOfContent(composition);
    await addingTo(workspace, 'novels', async () => ({ id: randomUUID(), person, name, of, act, ...facts }));
  }
}

const standing = ({ workspace }: Both) => {
  const composition = compositionOf(workspace, 'novels');
  const { verified, outOfDate, stages } = verificationStanding(
    verificationOf(readVerification(workspace, 'novels')),
    composition,
    versionOfContent(composition),
  );
  return { verified, outOfDate, done: stages.map(({ done }) => done.length) };
};

/** All four people do it. */
async function verifiedOne(): Promise<Both> {
  const both = await filled();
  keepComposition(both.workspace, NOVELS);
  await does(both, 'Ada', 'design');
  await does(both, 'Ben', 'independent');
  await does(both, 'Cem', 'independent');
  await does(both, 'Dea', 'blind');
  expect(standing(both)).toEqual({ verified: true, outOfDate: false, done: [1, 2, 1] });
  return both;
}
const archiveOf = async (both: Both, more = {}): Promise<string> => {
  const out = join(folders.make(), 'a.tar');
  await write(both, out, more);
  return out;
};
const versionIn = (archive: string): number =>
  Number(/\{"schema":"trajectory-studio\/archive","version":(\d+)/.exec(readFileSync(archive, 'latin1'))?.[1]);
/** Without those of recordings, which are made without pictures here. */
const said = ({ warnings }: { warnings: readonly string[] }) => warnings.filter((one) => !one.includes('screen.mkv'));

test('a composition travels verified, with the people who did it; again it changes nothing, and gives the same bytes', async () => {
  const there = await verifiedOne();
  const out = await archiveOf(there);
  const checked = await checkArchive(out, calm);
  expect([versionIn(out), checked.recordings.length]).toEqual([3, 2]);
  const here = workspaces.open();
  // Somebody of a name is the same person, whatever their id.
  const ben = await addPerson(here.workspace.store, { name: 'Ben', email: null });
  expect(said(await take(here, out))).toEqual([]);
  expect(compositionOf(here.workspace, 'novels')).toEqual(NOVELS);
  expect(standing(here)).toEqual({ verified: true, outOfDate: false, done: [1, 2, 1] });
  const events = readVerification(here.workspace, 'novels');
  expect(events.filter(({ name }) => name === 'Ben').map(({ person }) => person)).toEqual([ben.id, ben.id]);
  expect((await listPeople(here.workspace.store)).map(({ name }) => name).sort()).toContain('Dea');
  expect(said(await take(here, out))).toEqual([]);
  expect(readVerification(here.workspace, 'novels')).toEqual(events);
  const third = workspaces.open();
  await take(third, out);
  expect(readFileSync(await archiveOf(third))).toEqual(readFileSync(out));
});

test('what goes on where it ends here is taken; what went on otherwise, or is another composition, stays as it is here', async () => {
  const there = await filled();
  keepComposition(there.workspace, NOVELS);
  await does(there, 'Ada', 'design');
  const first = await archiveOf(there);
  await does(there, 'Ben', 'independent');
  const [early, late] = [workspaces.open(), workspaces.open()];
  await take(early, first);
  await take(late, first);
  expect(said(await take(early, await archiveOf(there)))).toEqual([]);
  expect(standing(early).done).toEqual([1, 1, 0]);
  await does(late, 'Cem', 'independent');
  const { warnings } = await take(late, await archiveOf(there));
  expect(warnings).toEqual([expect.stringMatching(/the verification of “novels” stays as it is here, with 4 steps/)]);
  expect(readVerification(late.workspace, 'novels').map(({ name }) => name)).toEqual(['Ada', 'Ada', 'Cem', 'Cem']);
  keepComposition(late.workspace, { ...NOVELS, title: 'Another' }, { replace: true });
  const other = await take(late, await archiveOf(there));
  expect(other.warnings).toEqual([expect.stringMatching(/“novels” stays as it is here; .* with its verification/)]);
  expect(compositionOf(late.workspace, 'novels').title).toBe('Another');
});

test('where an id stands for another task, the members follow, and it is as verified as before', async () => {
  const there = await verifiedOne();
  const here = await filled(['Draw a tree', 'Draw a hill']);
  const came = await take(here, await archiveOf(there));
  expect(said(came).filter((one) => !/GIMP_[12]\b/.test(one))).toEqual([]);
  expect(compositionOf(here.workspace, 'novels').members.map(({ task }) => task)).toEqual(['GIMP_3', 'GIMP_4']);
  expect(standing(here)).toEqual({ verified: true, outOfDate: false, done: [1, 2, 1] });
});

test('an archive of some recordings has the compositions of their tasks alone; without any it is as older programs read it', async () => {
  const there = await verifiedOne();
  const some = await archiveOf(there, { recordings: ['year-1'] });
  expect(versionIn(some)).toBe(2);
  const here = workspaces.open();
  await take(here, some);
  expect(listCompositions(here.workspace)).toEqual([]);
  expect(versionIn(await archiveOf(there, { recordings: ['year-1', 'thor-0'] }))).toBe(3);
});

test('one that cannot be read is left out with why; an archive that says another version, or names a stray file, is refused', async () => {
  const there = await verifiedOne();
  writeFileSync(join(there.workspace.dir, 'compositions', 'torn.json'), '{');
  const out = join(folders.make(), 'b.tar');
  expect((await write(there, out)).leftOut).toEqual([
    expect.stringMatching(/the composition “torn”: .* cannot be read/),
  ]);
  const here = workspaces.open();
  const changed = (from: string, to: string): string => {
    const bytes = readFileSync(out);
    const at = bytes.indexOf(from);
    expect(at).toBeGreaterThan(0);
    bytes.write(to, at);
    const file = join(folders.make(), 'c.tar');
    writeFileSync(file, bytes);
    return file;
  };
  await expect(take(here, changed('archive","version":3', 'archive","version":5'))).rejects.toMatchObject({
    code: 'FUTURE_VERSION',
  });
  // As programs before would answer to it, and to one that claims to be theirs.
  await expect(take(here, changed('archive","version":3', 'archive","version":2'))).rejects.toThrow(
    /"compositions\/novels\.json" has no place in an archive/,
  );
  await expect(take(here, changed('"compositions/novels.json"', '"compositions/movels.json"'))).rejects.toThrow(
    /"composition-verification\/novels\.jsonl" is of no composition in it|is not among the files/,
  );
  expect(listCompositions(here.workspace)).toEqual([]);
});

/** The author's task was done, and is in a recording; the other failed, and was recorded only if `second` says so. */
function ran(both: Both, id: string, second: string | null = 'year-1'): CompositionRun {
  const result = (member: string, recording: string | null) => {
    const told = { level: 'base', instruction: 'Do it', questions: 0, cost: null, answer: null, values: [] };
    const came = recording ? { outcome: 'passed', why: '' } : { outcome: 'collapsed', why: 'it ended' };
    return {
      member,
      recording,
      score: 0,
      steps: 2,
      tookMs: 900,
      copy: recording && `copy-${member}`,
      ...came,
      ...told,
    };
  };
  const run = compositionRunSchema.parse({
    schema: 'trajectory-studio/composition-run',
    version: 1,
    id,
    at: '2026-11-28T10:00:00.000Z',
    composition: NOVELS,
    actor: { kind: 'player' },
    level: 'base',
    context: 'none',
    order: ['author', 'born'],
    kept: [],
    resumes: null,
    results: [result('author', 'thor-0'), result('born', second)],
    begun: null,
    ended: { how: 'done', why: '' },
  });
  keepRun(both.workspace, run);
  return run;
}
const runsIn = ({ workspace }: Both) => listCompositionRuns(workspace).runs;
const idsOf = (both: Both): string[] =>
  runsIn(both)
    .map(({ id }) => id)
    .sort();

test('runs of compositions go along, without the copies of homes, which stay where they were made; again it changes nothing', async () => {
  const there = await filled();
  keepComposition(there.workspace, NOVELS);
  const run = ran(there, 'abcdef012345');
  const out = await archiveOf(there);
  expect(versionIn(out)).toBe(4);
  const here = workspaces.open();
  expect(said(await take(here, out))).toEqual([]);
  const bare = { ...run, results: run.results.map((result) => ({ ...result, copy: null })) };
  expect(runsIn(here)).toEqual([bare]);
  expect(said(await take(here, out))).toEqual([]);
  // Where it was made it stays as it is, with its copies.
  expect(said(await take(there, out))).toEqual([]);
  expect(runsIn(there)).toEqual([run]);
  const third = workspaces.open();
  await take(third, out);
  expect(readFileSync(await archiveOf(third))).toEqual(readFileSync(out));
  keepRun(third.workspace, { ...bare, ended: null });
  expect(said(await take(third, out))).toEqual([
    'the run abcdef012345 of “novels” stays as it is here; the archive has another one',
  ]);
  // Of some recordings: the runs that are wholly in them.
  ran(there, 'bbbbbbbbbbbb', null);
  const other = await filled();
  await addRecording(there.workspace, { id: 'more-2', task: 'GIMP_2', goal: 'Find the year' });
  await there.workspace.syncIndex();
  await take(other, await archiveOf(there, { recordings: ['thor-0', 'more-2'] }));
  expect(idsOf(other)).toEqual(['bbbbbbbbbbbb']);
});

test('where an id stands for another task, a run follows; one that cannot be read is left out, or refused, with why', async () => {
  const there = await filled();
  keepComposition(there.workspace, NOVELS);
  ran(there, 'abcdef012345');
  const out = await archiveOf(there);
  const here = await filled(['Draw a tree', 'Draw a hill']);
  await take(here, out);
  expect(runsIn(here)[0]?.composition.members.map(({ task }) => task)).toEqual(['GIMP_3', 'GIMP_4']);
  const folder = join(there.workspace.dir, 'composition-runs');
  renameSync(join(folder, 'abcdef012345.json'), join(folder, 'cccccccccccc.json'));
  expect(() => readTravellingRuns(there.workspace.dir, ['cccccccccccc'])).toThrow(
    /its run of a composition cccccccccccc says that it is abcdef012345\. Nothing was kept/,
  );
  writeFileSync(join(folder, 'cccccccccccc.json'), '{');
  expect((await write(there, join(folders.make(), 'e.tar'))).leftOut).toEqual([
    expect.stringMatching(/the run cccccccccccc of a composition: .* cannot be read/),
  ]);
});
