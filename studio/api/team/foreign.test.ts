import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '../../../schemas/api/contract.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { type TestTeam, testTeam } from './team-for-tests.ts';

/** Ids of another workspace on the same machine, in every field of every call that takes one: nothing of it is told. */

const WORD = 'a-word-of-the-other-workspace';
let team: TestTeam;
let cookie: string;
let foreign: Record<string, string>;
testTeam((made) => {
  team = made;
});

beforeAll(async () => {
  cookie = (await team.member('owner', 'Owner')).cookie;
  const dir = join(team.folder, 'other');
  const { id: ws } = await team.studio.workspaces.open(dir, { create: true });
  const { workspace, jobs } = await team.studio.workspaces.get(ws);
  await addRecording({ recordingsDir: join(dir, 'recordings') }, { id: 'foreign-one', task: 'GIMP_7', goal: WORD });
  await workspace.syncIndex();
  const { id: job } = await jobs.add('archive', 'foreign-one', async () => ({ message: WORD, result: { word: WORD } }));
  await jobs.finished(job);
  foreign = {
    ws,
    job,
    // A run is a recording.
    run: 'foreign-one',
    runs: 'foreign-one',
    draft: 'foreign-one',
    candidate: 'foreign-one',
    fork: 'foreign-one',
    onFork: 'foreign-one',
    attachment: 'foreign-one',
    composition: 'foreign-one',
    recording: 'foreign-one',
    task: 'GIMP_7',
    document: 'foreign-one',
    recordings: 'foreign-one',
    id: 'foreign-one',
    left: 'foreign-one',
    right: 'foreign-one',
  };
});

type Call = { name: string; fields: Record<string, unknown> };

/** Each call with its fields made from its schema, those of a known name with the other workspace's id. */
function calls(): Call[] {
  return Object.entries(contract).flatMap(([room, all]) =>
    Object.entries(all).flatMap(([call, procedure]) => {
      const schema: unknown = Reflect.get(procedure['~orpc'], 'inputSchema');
      if (!(schema instanceof z.ZodObject) || !('ws' in schema.shape)) return [];
      const made = madeOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, '');
      return [{ name: `${room}.${call}`, fields: made as Record<string, unknown> }];
    }),
  );
}

type Schema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
};

function madeOf(schema: Schema, name: string): unknown {
  if (name in foreign) return schema.type === 'array' ? [foreign[name]] : foreign[name];
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if ('default' in schema) return schema.default;
  if (schema.anyOf?.[0]) return madeOf(schema.anyOf[0], '');
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    const wanted = fields.filter(([field]) => schema.required?.includes(field) || field in foreign);
    return Object.fromEntries(wanted.map(([field, below]) => [field, madeOf(below, field)]));
  }
  if (schema.type === 'array') return [];
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  return schema.type === 'boolean' ? false : '00000000-0000-4000-8000-000000000000';
}

test('another workspace is no workspace of this server, whatever is asked of it', async () => {
  let unknown = 0;
  for (const { name, fields } of calls()) {
    const { status, json } = await team.call(cookie, name, fields);
    expect([name, status, JSON.stringify(json).includes(WORD)]).toEqual([name, expect.any(Number), false]);
    expect([name, status < 400]).toEqual([name, false]);
    if (status === 404) unknown++;
    // Refused before it was asked: its input could not be made.
    else expect([name, [400, 403]]).toEqual([name, expect.arrayContaining([status])]);
  }
  expect(unknown).toBeGreaterThan(90);
});

test('its recordings and tasks are unknown in the workspace of this server', async () => {
  for (const { name, fields } of calls()) {
    const { json } = await team.call(cookie, name, { ...fields, ws: team.ws });
    expect([name, JSON.stringify(json).includes(WORD)]).toEqual([name, false]);
  }
  for (const path of ['page.json', 'small.jpg', 'playback.mp4', 'frames/0', 'voice']) {
    const { status } = await team.page(cookie, `/files/${team.ws}/recordings/foreign-one/${path}`);
    expect([path, status]).toEqual([path, 404]);
    expect((await team.page(cookie, `/files/${foreign.ws}/recordings/foreign-one/${path}`)).status).toBe(404);
  }
});
