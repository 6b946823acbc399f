import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { FORMATS } from '../../core/export/formats.ts';
import type { DatasetTerms } from '../../schemas/dataset-terms.ts';
import { servedWorkspace, type TestServer } from '../api/server-for-tests.ts';
import { runHere } from '../cli/run-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { runExport } from './export/exports.ts';
import { writeTerms } from './terms.ts';
import { addRecording } from './workspace-for-tests.ts';

/** Licence, citation and sources are set once and stand on every card and in every archive. */

let server: TestServer;
let folder: string;
let ws: string;
let workspace: Workspace;
servedWorkspace((made) => {
  ({ server, ws, folder } = made);
});
beforeAll(async () => {
  const open = await server.studio.workspaces.get(ws);
  ({ workspace } = open);
  await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop the picture' });
  await open.refresh({ now: true });
});

const NONE: DatasetTerms = { licence: '', citation: '', sources: [] };
const CITATION = '@misc{crops,\n  title = {Crops of ``` pictures}\n}';
const SOURCE = { name: 'Tutorials of A | B', url: 'https://example.org/how', licence: 'cc0 1.0' };

async function finished(job: Promise<{ id: string }>, of = ws) {
  const { jobs } = await server.studio.workspaces.get(of);
  return jobs.finished((await job).id);
}

let count = 0;
async function exported(version?: string): Promise<string> {
  const out = join(folder, `out-${++count}`);
  const wishes = {
    formats: FORMATS.map(({ name, parts }) => ({ name, parts: parts.map((part) => part.name) })),
    source: version ? { kind: 'version' as const, name: version } : { kind: 'filter' as const, filter: {} },
    all: true,
  };
  await runExport(workspace, wishes, out, { toolVersion: '1' });
  return out;
}

const cards = (out: string): string[] =>
  readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('README.md'))
    .map((name) => readFileSync(join(out, name), 'utf8'));

test('nothing is set at first, and no card claims a licence', async () => {
  expect(await server.client.dataset.terms({ ws })).toEqual(NONE);
  expect(await finished(server.client.dataset.freeze({ ws, name: 'before' }))).toMatchObject({ state: 'done' });
  for (const card of cards(await exported())) expect(card).not.toMatch(/^license/m);
});

test('a licence by its SPDX identifier stands in the front matter of every card, with citation and sources', async () => {
  const kept = await server.client.dataset.setTerms({
    ws,
    terms: { licence: 'cc by 4.0', citation: CITATION, sources: [SOURCE] },
  });
  expect(kept).toEqual({ licence: 'CC-BY-4.0', citation: CITATION, sources: [{ ...SOURCE, licence: 'CC0-1.0' }] });
  const out = await exported();
  const all = cards(out);
  expect(all.length).toBeGreaterThan(FORMATS.length);
  for (const card of all) expect(card.split('---')[1]).toContain('\nlicense: cc-by-4.0\n');
  const card = readFileSync(join(out, 'agentnet', 'README.md'), 'utf8');
  expect(card).toContain('Creative Commons Attribution 4.0 (SPDX: CC-BY-4.0).');
  expect(card).toContain(`\n\`\`\`\`\n${CITATION}\n\`\`\`\`\n`);
  expect(card).toContain('- Tutorials of A \\| B, https://example.org/how, licence: CC0-1.0');
  expect(JSON.parse(readFileSync(join(out, 'agentnet', 'manifest.json'), 'utf8')).terms).toEqual(kept);
  expect(JSON.parse(readFileSync(join(out, 'coco', 'annotations', 'instances.json'), 'utf8')).licenses).toEqual([
    { id: 1, name: 'CC-BY-4.0', url: 'https://spdx.org/licenses/CC-BY-4.0.html' },
  ]);
});

test('a version keeps those that it was frozen with', async () => {
  expect(await finished(server.client.dataset.freeze({ ws, name: 'after' }))).toMatchObject({ state: 'done' });
  await server.client.dataset.setTerms({ ws, terms: { ...NONE, licence: 'Our own: ask us' } });
  for (const card of cards(await exported('before'))) expect(card).not.toMatch(/^license/m);
  for (const card of cards(await exported('after'))) expect(card).toContain('\nlicense: cc-by-4.0\n');
  const now = readFileSync(join(await exported(), 'agentnet', 'README.md'), 'utf8');
  expect(now).toContain('\nlicense: other\nlicense_name: "Our own: ask us"\n');
});

test('an archive brings them to a workspace that has none, and leaves those of another alone', async () => {
  const file = join(folder, 'all.tar');
  expect(await finished(server.client.archives.make({ ws, out: file, version: null }))).toMatchObject({
    state: 'done',
  });
  const open = async (name: string) =>
    (await server.client.workspaces.open({ dir: join(folder, name), create: true })).id;
  const empty = await open('empty');
  expect(await finished(server.client.archives.take({ ws: empty, path: file }), empty)).toMatchObject({
    state: 'done',
  });
  expect((await server.client.dataset.terms({ ws: empty })).licence).toBe('Our own: ask us');

  const other = await open('other');
  await server.client.dataset.setTerms({ ws: other, terms: { ...NONE, licence: 'MIT' } });
  await finished(server.client.archives.take({ ws: other, path: file }), other);
  expect((await server.client.dataset.terms({ ws: other })).licence).toBe('MIT');
  const [report] = await server.client.archives.list({ ws: other });
  expect(report!.notes.join()).toContain('licence, citation and sources stay as they are here');
});

test('the command line sets what is given and leaves the rest', async () => {
  const cite = join(folder, 'cite.bib');
  writeFileSync(cite, CITATION);
  const dir = join(folder, 'by-command');
  const cli = async (...words: string[]) => {
    const { status, stdout: out } = await runHere([...words, '-w', dir, '--json']);
    return { status, json: out === '' ? null : JSON.parse(out) };
  };
  expect((await cli('init')).status).toBe(0);
  const set = await cli(
    'dataset',
    'terms',
    '--licence',
    'mit',
    '--citation-file',
    cite,
    '--source',
    'A | https://a.org',
  );
  expect(set.json).toEqual({
    licence: 'MIT',
    citation: CITATION,
    sources: [{ name: 'A', url: 'https://a.org', licence: '' }],
  });
  expect((await cli('dataset', 'terms', '--source', '')).json).toMatchObject({ licence: 'MIT', sources: [] });
  expect((await cli('dataset', 'terms', '--source', 'a|b|c|d')).status).not.toBe(0);
});

test('what could break a card is refused', async () => {
  await expect(writeTerms(workspace.store, { ...NONE, licence: 'MIT\nlicense: gpl' })).rejects.toMatchObject({
    code: 'USAGE',
  });
  await expect(writeTerms(workspace.store, { ...NONE, sources: [{ name: ' ' }] })).rejects.toMatchObject({
    code: 'USAGE',
  });
});
