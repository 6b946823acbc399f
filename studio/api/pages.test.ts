import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

const folders = temporaryFolders();
let server: TestServer;
let pages: string;

beforeAll(async () => {
  const folder = folders.make();
  server = await startTestServer(folder);
  pages = join(folder, 'pages');
  writeFileSync(
    join(pages, 'page-files.json'),
    JSON.stringify([
      ['/', ['assets/welcome-1.js']],
      ['/w/:ws/recordings/:recording', ['assets/annotate-1.js', 'assets/shared-1.css']],
      ['/w/:ws/dataset/:view?', ['assets/dataset-1.js']],
    ]),
  );
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

const linksOf = async (path: string): Promise<string[]> => {
  const html = await (await server.fetch(path, { headers: { accept: 'text/html' } })).text();
  return html.match(/<link [^>]*>(?=.*<\/head>)/g) ?? [];
};

test('the page names the code of the address that was asked, and of no other', async () => {
  const annotate = [
    '<link rel="modulepreload" crossorigin href="/assets/annotate-1.js">',
    '<link rel="preload" as="style" crossorigin href="/assets/shared-1.css">',
  ];
  expect(await linksOf('/w/a1/recordings/2026.05')).toEqual(annotate);
  expect(await linksOf('/w/a1/recordings/%22%3E?step=3')).toEqual(annotate);
  expect(await linksOf('/')).toEqual(['<link rel="modulepreload" crossorigin href="/assets/welcome-1.js">']);
  expect(await linksOf('/w/a1/dataset')).toEqual(await linksOf('/w/a1/dataset/rows'));
  expect(await linksOf('/w/a1/recordings')).toEqual([]);
});

test('pages that were built without the list are served all the same', async () => {
  rmSync(join(pages, 'page-files.json'));
  expect(await linksOf('/')).toEqual([]);
});

test('a file whose name tells what is in it is read once; another one each time', async () => {
  mkdirSync(join(pages, 'assets'), { recursive: true });
  const text = async (path: string) => (await server.fetch(path)).text();
  writeFileSync(join(pages, 'assets', 'a-1.js'), 'one');
  writeFileSync(join(pages, 'icon.svg'), 'one');
  expect([await text('/assets/a-1.js'), await text('/icon.svg')]).toEqual(['one', 'one']);
  rmSync(join(pages, 'assets', 'a-1.js'));
  writeFileSync(join(pages, 'icon.svg'), 'other');
  utimesSync(join(pages, 'icon.svg'), 1, 1);
  expect([await text('/assets/a-1.js'), await text('/icon.svg')]).toEqual(['one', 'other']);
  // A file that was missing is looked for again.
  expect((await server.fetch('/assets/b-1.js')).status).toBe(404);
  writeFileSync(join(pages, 'assets', 'b-1.js'), '');
  expect([(await server.fetch('/assets/b-1.js')).status, await text('/assets/b-1.js')]).toEqual([200, '']);
});

test('a file that is kept answers as one on the disk does: ranges, tags, heads', async () => {
  writeFileSync(join(pages, 'assets', 'long-1.js'), '0123456789');
  const whole = await server.fetch('/assets/long-1.js');
  expect([whole.headers.get('content-length'), whole.headers.get('cache-control'), await whole.text()]).toEqual([
    '10',
    'private, max-age=31536000, immutable',
    '0123456789',
  ]);
  const tag = whole.headers.get('etag') ?? '';
  const again = await server.fetch('/assets/long-1.js', { headers: { 'if-none-match': tag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const part = await server.fetch('/assets/long-1.js', { headers: { range: 'bytes=2-4' } });
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234']);
  expect((await server.fetch('/assets/long-1.js', { headers: { range: 'bytes=10-' } })).status).toBe(416);
  const head = await server.fetch('/assets/long-1.js', { method: 'HEAD' });
  expect([head.headers.get('content-length'), await head.text()]).toEqual(['10', '']);
});
