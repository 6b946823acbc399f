import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { emptyLabel } from '../../../core/annotate/label.ts';
import { ABOUT_A_PERSON, ROLE_RIGHTS, ROUTE_RIGHTS, type RouteName } from '../../../core/team/rights.ts';
import { contract } from '../../../schemas/api/contract.ts';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import type { TeamRole } from '../../../schemas/team-terms.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { type TestTeam, testTeam } from './team-for-tests.ts';

/** Ids of what another member of the same workspace has, in every field of every call that takes one. */

let team: TestTeam;
testTeam((made) => {
  team = made;
});

const RECORDING = 'blind-one';
const WORD = 'a-word-of-the-other-member';
type Member = Awaited<ReturnType<TestTeam['member']>>;
let owner: Member;
let ada: Member;
/** Those who ask: by the first of them whose role may call it. */
let askers: (Member & { role: TeamRole })[];
/** The things that Ada has, by the names of the fields that they stand in. */
let hers: Record<string, unknown>;

/** Fields that name what is one member's alone. */
const PERSONAL = ['person', 'member', 'document', 'documents', 'upload', 'token', 'invitation', 'job', 'candidate'];
/** All others: what the workspace shares (a run is everybody's who may see runs), and plain values. */
const SHARED = new Set(
  [
    'act action acts add again aids aliases answer attachment bytes call category changelog check checks client code columns',
    'composition content count critic days dismissed draft dryRun due duplicates email encoding endpoint event everyState',
    'executables export files filter frames from goal goals group hashes header help id instances key kind labelled language levels',
    'limit look manifest model n name notes number onFork options order out outcome pace path paths patience people platform platforms',
    'played policy predictions prefix recipe recording recordings rejected remove right role rule run scopes screens seed separator set',
    'since software source sourceUrl split state step table task tasks terms text times to transaction untimed url values version',
    'versionAs voice what when wishes with withoutFaults words work ws x y',
  ].flatMap((line) => line.split(' ')),
);

/** The outcome of naming Ada's: no such thing, refused, kept from somebody who annotates the same blind, or a manager's work. */
type Outcome = 'none' | 'nothing' | 'refused' | 'kept' | 'managers';
const OUTCOMES: Partial<Record<RouteName, Record<string, Outcome>>> = {
  'people.find': { person: 'managers' },
  'team.invite': { person: 'managers' },
  'review.compare': { documents: 'kept' },
  'annotation.get': { document: 'kept' },
  'annotation.missing': { document: 'kept' },
  'annotation.apply': { document: 'kept' },
  // They have done nothing in it that could be undone.
  'annotation.undo': { document: 'nothing' },
  'annotation.redo': { document: 'nothing' },
  'annotation.history': { document: 'kept' },
  'annotation.watch': { document: 'kept' },
  'annotation.proposals': { document: 'kept' },
  'annotation.grow': { document: 'kept' },
  'drafts.of': { document: 'kept' },
  'drafts.reject': { document: 'kept' },
  'candidates.say': { candidate: 'none' },
  'jobs.get': { job: 'managers' },
  'jobs.cancel': { job: 'managers' },
  'jobs.again': { job: 'managers' },
  'jobs.failure': { job: 'managers' },
  'jobs.result': { job: 'managers' },
  'team.setRole': { member: 'managers' },
  'team.remove': { member: 'managers' },
  'team.signOut': { member: 'refused' },
  'team.uninvite': { invitation: 'managers' },
  'team.makeToken': { member: 'refused' },
  'team.revokeToken': { token: 'none' },
  'uploads.receipt': { upload: 'none' },
};
const STATUS: Record<Exclude<Outcome, 'managers'>, number[]> = {
  none: [400, 404],
  nothing: [200],
  refused: [403],
  kept: [409],
};

const ok = async ({ cookie }: Member, name: RouteName, input: object): Promise<unknown> => {
  const { status, json } = await team.call(cookie, name, { ws: team.ws, ...input });
  expect([name, status, JSON.stringify(json).slice(0, 300)]).toEqual([name, 200, expect.any(String)]);
  return json;
};
const idIn = (json: unknown): string => String(Reflect.get(Object(json), 'id'));
const named = (n: number, element: string) => ({ ...emptyLabel(`${RECORDING}:${n}`), element, elementSource: 'hand' });
const adding = (record: object) => ({ id: randomUUID(), label: 'Name', changes: [{ op: 'add', record }] });
const tus = { 'tus-resumable': '1.0.0' };

beforeAll(async () => {
  owner = await team.member('owner', 'Owner');
  ada = await team.member('recorder', 'Ada');
  askers = [];
  for (const role of ['annotator', 'recorder', 'viewer'] as const)
    askers.push({ ...(await team.member(role, `Asks as ${role}`)), role });
  await addRecording({ recordingsDir: join(team.dir, 'recordings') }, { id: RECORDING, task: 'GIMP_1' });
  await team.open.workspace.syncIndex();
  const headers = { ...tus, 'upload-length': '10' };
  const begun = await team.page(ada.cookie, FILE_ROUTES.uploads(team.ws), { method: 'POST', headers });
  await ok(owner, 'team.setRole', { member: ada.id, role: 'annotator' });
  const review = (who: Member, act: object) => ok(who, 'review.send', { recording: RECORDING, id: randomUUID(), act });
  await review(owner, { type: 'plan', replicas: 2 });
  await review(ada, { type: 'begin' });
  const document = `${RECORDING}~${ada.id}`;
  await ok(ada, 'annotation.apply', { recording: RECORDING, document, transaction: adding(named(0, WORD)) });
  const token = idIn(await ok(ada, 'team.makeToken', { name: WORD, scopes: ['see'], days: 1 }));
  await ok(ada, 'settings.set', { values: { pageLanguage: 'de' } });
  hers = {
    upload: String(begun.headers.location).split('/').at(-1),
    document,
    documents: [document, RECORDING],
    member: ada.id,
    person: ada.id,
    token,
    candidate: randomUUID(),
  };
});

const ROUTES = Object.entries(contract).flatMap(([room, all]) =>
  Object.entries(all).map(([call, procedure]) => {
    const schema: unknown = Reflect.get(procedure['~orpc'], 'inputSchema');
    return {
      name: `${room}.${call}` as RouteName,
      fields: Object.keys(schema instanceof z.ZodObject ? schema.shape : {}),
    };
  }),
);
/** Those that a member may be let in to. */
const OPEN = ROUTES.filter(({ name }) => ROUTE_RIGHTS[name] !== 'nobody');

test('every field of the contract is one member’s, or shared; the table has every route that takes one that is', () => {
  const fields = OPEN.flatMap((route) => route.fields);
  expect(fields.filter((field) => !PERSONAL.includes(field) && !SHARED.has(field))).toEqual([]);
  const wanted = OPEN.flatMap(({ name, fields: own }) =>
    own.filter((field) => PERSONAL.includes(field) && field !== 'person').map((field) => `${name} ${field}`),
  );
  const about = [...ABOUT_A_PERSON].map((name) => `${name} person`);
  const said = Object.entries(OUTCOMES).flatMap(([name, own]) => Object.keys(own).map((field) => `${name} ${field}`));
  expect(said.toSorted()).toEqual([...wanted, ...about].toSorted());
});

test('whoever names what is another member’s is told nothing of it, and changes nothing', async () => {
  const before = await ok(ada, 'annotation.get', { recording: RECORDING, document: hers.document });
  let asked = 0;
  for (const { name, fields } of OPEN) {
    const needed = ROUTE_RIGHTS[name];
    const asker = askers.find(({ role }) => needed !== 'nobody' && ROLE_RIGHTS[role].includes(needed));
    for (const field of fields.filter((one) => PERSONAL.includes(one))) {
      const outcome = OUTCOMES[name]?.[field] ?? 'refused';
      if (outcome === 'managers' || !asker) continue;
      const rest = {
        scopes: ['see'],
        days: 1,
        name: 'x',
        action: `${RECORDING}:0`,
        x: 1,
        y: 1,
        draft: 'x',
        rejected: true,
        right: true,
        since: 0,
      };
      const transaction = adding(named(1, 'Of another'));
      const input = { ws: team.ws, recording: RECORDING, ...rest, transaction, [field]: hers[field] };
      const { status, json } = await team.call(asker.cookie, name, input);
      expect([name, field, asker.role, status]).toEqual([name, field, asker.role, expect.toBeOneOf(STATUS[outcome])]);
      if (outcome === 'nothing') expect([name, json]).toEqual([name, { json: null }]);
      expect([name, field, JSON.stringify(json).includes(WORD)]).toEqual([name, field, false]);
      asked++;
    }
  }
  expect(asked).toBeGreaterThan(60);
  expect(await ok(ada, 'annotation.get', { recording: RECORDING, document: hers.document })).toEqual(before);
  expect(await ok(ada, 'team.tokens', {})).toMatchObject([{ id: hers.token }]);
  expect(await ok(ada, 'settings.get', {})).toMatchObject({ pageLanguage: 'de' });
});

test('lists, histories and files tell nothing of it to who annotates the same blind', async () => {
  const [ben] = askers;
  for (const { name, fields } of OPEN) {
    const needed = ROUTE_RIGHTS[name];
    if (needed !== 'see' || fields.includes('values')) continue;
    const { json } = await team.call(ben!.cookie, name, {
      ws: team.ws,
      recording: RECORDING,
      software: 'gimp',
      task: 'GIMP_1',
    });
    expect([name, JSON.stringify(json).includes(WORD)]).toEqual([name, false]);
    expect([name, JSON.stringify(json).includes(String(hers.document))]).toEqual([name, false]);
  }
  const path = FILE_ROUTES.uploads(team.ws, String(hers.upload));
  for (const method of ['HEAD', 'PATCH', 'DELETE']) {
    const headers = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    expect([method, (await team.page(askers[1]!.cookie, path, { method, headers })).status]).toEqual([method, 404]);
  }
});
