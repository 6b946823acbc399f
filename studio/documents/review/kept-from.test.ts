import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { emptyMember, newComposition, newOutput } from '../../../core/compositions/edit.ts';
import { contract } from '../../../schemas/api/contract.ts';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import type { VerificationAct } from '../../../schemas/composition-verification.ts';
import { startTestServer, type TestServer } from '../../api/server-for-tests.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { blindRecording, SECRETS } from './blind-for-tests.ts';
import { refusal } from './people-for-tests.ts';

/**
 * Every route of the API, as the contract lists them, asked by somebody from whom a blind annotation is kept (RV6): nothing
 * that its person wrote stands in any answer, error, stream or job. A route that is added is asked as well, with input made
 * from its own schema; one whose input cannot be made so fails here until `KNOWN` has what it wants.
 */

const folders = temporaryFolders();
let server: TestServer;
let ws: string;
let known: Record<string, unknown>;

beforeAll(async () => {
  const folder = folders.make();
  const out = join(folder, 'out');
  mkdirSync(out);
  server = await startTestServer(folder);
  const work = join(folder, 'work');
  const { ben, own, action, ...made } = await blindRecording(server, work);
  ws = made.ws;
  known = {
    ws,
    recording: 'shared',
    task: (await server.client.recordings.list({ ws }))[0]!.task,
    action,
    person: ben,
    since: 0,
    document: own,
    software: 'gimp',
    attachment: 'none',
    job: 'none',
    limit: 100,
    out: join(out, 'anything'),
    path: out,
    dir: work,
    sets: [],
    id: '00000000-0000-4000-8000-000000000000',
    ada: made.ada,
    composition: 'done-blind',
  };
  await blindComposition(work, made.ada, ben);
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

/** Words of a composition that Ben does blind: he is told its top-level task alone (CV3). */
const OF_COMPOSITION = ['a-question-kept', 'a-value-kept', 'a-goal-kept', 'hidden-one'];

async function blindComposition(work: string, ada: string, ben: string): Promise<void> {
  const { client } = server;
  const { id: task } = await client.tasks.create({ ws, software: 'gimp', goal: 'a-goal-kept' });
  await addRecording({ recordingsDir: join(work, 'recordings') }, { id: 'hidden-one', task, goal: 'a-goal-kept' });
  await client.recordings.list({ ws });
  const composition = 'done-blind';
  const content = {
    ...newComposition({ id: composition, kind: 'pathway', title: 'Blind' }),
    task: 'Find it.',
    members: [
      {
        ...emptyMember('pathway'),
        id: 'first',
        task,
        instructions: { base: 'a-question-kept' },
        outputs: [{ ...newOutput('answer'), value: 'a-value-kept' }],
      },
    ],
  };
  await client.compositions.save({ ws, composition, content, version: null });
  const answers = [{ output: 'answer', text: 'a-value-kept' }];
  const acts: [string, VerificationAct][] = [
    [ada, { type: 'claim', stage: 'design' }],
    [ada, { type: 'submit', platform: '', members: [{ member: 'first', recording: 'hidden-one', answers }] }],
    [ben, { type: 'claim', stage: 'blind' }],
  ];
  for (const [n, [person, act]] of acts.entries()) {
    const event = `00000000-0000-4000-8000-00000000010${n}`;
    await client.compositions.verify({ ws, composition, person, event, act });
  }
}

type Route = { path: string[]; method: string; input: z.ZodType | undefined };

/** The contract's own list: a node with a definition is a route, any other holds more of them. */
function routesIn(node: object, path: string[] = []): Route[] {
  if ('~orpc' in node) {
    const { inputSchema, route } = node['~orpc'] as { inputSchema?: z.ZodType; route: { method?: string } }; // oRPC's own form.
    return [{ path, method: route.method ?? 'POST', input: inputSchema }];
  }
  return Object.entries(node).flatMap(([name, below]) => routesIn(below as object, [...path, name])); // Routers in routers.
}

type Schema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  minimum?: number;
  pattern?: string;
};

const SINCE = { since: '' };
const goal = (text: string) => ({ kind: 'goal', id: 'goal', text });
const GUESS = { op: 'change', before: goal('a guess'), after: goal('another') };
const WISHES = { source: { kind: 'filter', filter: {} }, all: true, formats: [{ name: 'videogui' }] };
const CHECK = { id: 'note', kind: 'file', path: 'note.txt' };
const CHECKS = { checks: { schema: 'trajectory-studio/checks', version: 1, checks: [CHECK] } };
/** Also that of the composition which is done blind. */
const TASKS = ['GIMP_1', 'GIMP_2', 'GIMP_3'];
const COMPOSITION = {
  ...newComposition({ id: 'x', kind: 'pathway', title: 'x' }),
  members: [{ ...emptyMember('pathway'), id: 'first', task: 'GIMP_1', instructions: { base: 'x' }, outputs: [] }],
};
/** Where a schema alone does not say what would be taken: fields of one route. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'review.get': SINCE,
  'review.watch': SINCE,
  'review.send': { ...SINCE, act: { type: 'claim' } },
  'annotation.apply': { transaction: { id: '00000000-0000-4000-8000-000000000001', label: 'Guess', changes: [GUESS] } },
  'dataset.findDuplicates': { wishes: {} },
  'exports.preview': { wishes: WISHES },
  'exports.start': { wishes: WISHES },
  'compositions.save': { composition: 'x', content: COMPOSITION, version: null },
  'compositions.members': { tasks: TASKS },
  'compositions.contents': { tasks: TASKS },
  'compositions.verify': { event: '00000000-0000-4000-8000-000000000009' },
  'setup.saveChecks': CHECKS,
  'setup.tryChecks': CHECKS,
  'setup.look': { check: CHECK },
};

/** Something that the schema takes; fields of a name that is known have their value, optional ones as well. */
function madeFor(schema: Schema, name = ''): unknown {
  if (name !== '' && name in known) return known[name];
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if ('default' in schema) return schema.default;
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice) return madeFor(choice, '');
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    const wanted = fields.filter(([field]) => schema.required?.includes(field) || field in known);
    return Object.fromEntries(wanted.map(([field, below]) => [field, madeFor(below, field)]));
  }
  if (schema.type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => madeFor(schema.items ?? {}));
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (schema.type === 'boolean') return false;
  return schema.pattern?.includes('0-9a-f') ? '0'.repeat(64) : 'x';
}

/** A route's words: its answer, the first lines of a stream, or its refusal. */
async function said({ path }: Route, input: unknown): Promise<string> {
  let call: unknown = server.client;
  for (const name of path) call = Reflect.get(call as object, name);
  const control = new AbortController();
  try {
    const answer = await (call as (input: unknown, more: object) => Promise<unknown>)(input, {
      signal: control.signal,
    });
    if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer))
      return JSON.stringify(answer) ?? '';
    const lines: unknown[] = [];
    const stream = (answer as AsyncIterable<unknown>)[Symbol.asyncIterator](); // Looked at above.
    // What is known when somebody begins to listen comes at once.
    const quiet = () => new Promise<null>((done) => setTimeout(() => done(null), 200));
    for (let line = await Promise.race([stream.next(), quiet()]); line !== null && !line.done; ) {
      lines.push(line.value);
      line = await Promise.race([stream.next(), quiet()]);
    }
    return JSON.stringify(lines);
  } catch (error) {
    return JSON.stringify(await refusal(Promise.reject(error)));
  } finally {
    control.abort();
  }
}

/** They end the workspace, or want a display; none of them says anything of an annotation. */
const LEFT_OUT = new Set(['workspaces.forget', 'recorder.start', 'recorder.preflight', 'recordings.remove']);
/**
 * A whole recording or workspace, with every history, for whoever runs it elsewhere: files on the machine of the person who
 * has the workspace's own files as well. Nothing of them is in the answer, which is asked like any other.
 */
const WHOLE = new Set(['recordings.export', 'archives.make']);

test('no route tells somebody what is kept from them', { timeout: 240_000 }, async () => {
  const routes = routesIn(contract);
  expect(routes.length).toBeGreaterThan(60);
  // Questions first, so that nothing which is changed hides what they would say.
  const order = routes.toSorted((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'));
  const told: string[] = [];
  const unmade: string[] = [];
  for (const route of order) {
    const name = route.path.join('.');
    if (LEFT_OUT.has(name)) continue;
    const schema = route.input
      ? (z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' }) as Schema) // Of the same form.
      : null;
    const made = schema === null ? undefined : madeFor(schema);
    const whole = typeof made === 'object' ? { ...made, ...FIELDS[name] } : made;
    const inputs: unknown[] = [whole];
    if (typeof whole === 'object' && whole !== null) {
      // The main document, and somebody who says nothing of themselves.
      const { document: _document, ...main } = whole as Record<string, unknown>;
      const { person: _person, ...nobody } = whole as Record<string, unknown>;
      inputs.push(main, nobody);
    }
    if (route.input && !route.input.safeParse(whole).success) unmade.push(`${name} ${JSON.stringify(whole)}`);
    for (const input of inputs) {
      const words = await said(route, input);
      for (const secret of [...SECRETS, ...OF_COMPOSITION])
        if (words.includes(secret)) told.push(`${name} ${JSON.stringify(input)}: ${secret}`);
      if (WHOLE.has(name)) break;
    }
  }
  // Nor do the plain routes that answer in JSON.
  const question = { method: 'POST', body: JSON.stringify({ wishes: WISHES, person: known.person }) };
  for (const [path, init] of [
    [FILE_ROUTES.page(ws, 'shared'), {}],
    [FILE_ROUTES.preview(ws), question],
  ] as const) {
    const answer = await server.fetch(path, init);
    expect(answer.status).toBe(200);
    const words = await answer.text();
    for (const secret of SECRETS) if (words.includes(secret)) told.push(`${path}: ${secret}`);
  }
  expect(unmade).toEqual([]);
  expect(told).toEqual([]);
  // Asked by their author the same routes tell them: nothing was kept by a question that could not be answered.
  const asAda = { ws, recording: 'shared', document: known.document, person: known.ada, limit: 100, since: '' };
  const own = await Promise.all(
    routes
      .filter(({ path }) => ['annotation.get', 'annotation.history', 'review.get'].includes(path.join('.')))
      .map((route) => said(route, asAda)),
  );
  expect(SECRETS.filter((secret) => !own.some((words) => words.includes(secret)))).toEqual([]);
  // Nor do the jobs that were begun.
  const { jobs } = await server.studio.workspaces.get(ws);
  for (const { id, state } of await jobs.list()) if (state !== 'failed') await jobs.finished(id);
  const listed = JSON.stringify(await jobs.list());
  expect(SECRETS.filter((secret) => listed.includes(secret))).toEqual([]);
});
