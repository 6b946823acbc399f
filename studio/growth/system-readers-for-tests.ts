import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isTooDeep } from '../../core/json-depth.ts';
import { parseVariant } from '../../native/bus/gvariant.ts';
import { parseNames, parseVersion } from '../../native/ffmpeg/find.ts';
import { layoutId } from '../../native/linux/xkb.ts';
import { parseXSettings } from '../../native/linux/xsettings.ts';
import { parseShowinfo } from '../../native/screen/by-ffmpeg/showinfo.ts';
import { readObject } from '../../native/wayland/pod.ts';
import { VERSION_SCHEMA, VERSION_VERSION } from '../../schemas/dataset.ts';
import { type HostileReader, hostile } from '../../test/support/growth.ts';
import { frontJudge } from '../capture/front.ts';
import { parseShortcut } from '../capture/shortcuts.ts';
import { visibleLine } from '../cli/visible.ts';
import { checkCard } from '../datasets/export/validate/files.ts';
import { checkWebdataset } from '../datasets/export/validate/formats/webdataset.ts';
import { readParquet } from '../datasets/export/validate/parquet.ts';
import { checkRawLog } from '../datasets/export/validate/raw-log.ts';
import { eachLine, readJson } from '../datasets/export/validate/reading.ts';
import { readSequence } from '../datasets/export/validate/rows.ts';
import { readVersion } from '../datasets/versions.ts';
import { firstBytes } from '../files/first-bytes.ts';
import { parseHolder } from '../files/process-id.ts';
import { tarHeader } from '../files/tar.ts';
import { readRecipe } from '../play/recipe.ts';
import { isWholePng } from '../recordings/whole-png.ts';
import { openRecent } from '../session/recent.ts';
import { openSettings } from '../session/settings.ts';

/** The desktop, other programs, the user's own files and exports of others. */

const words = (what: string, make: (n: number) => string, read: (text: string) => unknown): HostileReader =>
  hostile(what, make, read, { upTo: 400_000 });

const file = (what: string, name: string, make: (n: number) => string | Buffer, read: (path: string) => unknown) =>
  hostile(
    what,
    (n, place) => {
      const path = join(place, name);
      writeFileSync(path, make(n));
      return path;
    },
    read,
    { upTo: 400_000 },
  );

/** Answers of the desktop's own services: what is none of theirs is thrown, and told where they are asked. */
const plain =
  <T>(read: (input: T) => unknown) =>
  (input: T): void => {
    try {
      read(input);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  };
const nothing = () => undefined;
/** An export that is validated: one file of it. */
const checkOf = (dir: string, name: string) => ({
  dir,
  found: [name],
  has: (one: string) => one === name,
  report: nothing,
  manifest: null,
  split: null,
  inSplit: () => undefined,
  signal: undefined,
  explained: () => false,
  pictures: { look: async () => null, count: () => 0, named: () => false },
});
const anything = z.unknown();
const RAW = 'videogui-raw/GIMP/GIMP_1/keylog/2024-05-01_09-30-00-125000/';

/** A property of the X server: byte order, serial, count, then settings of one byte's name. */
function xsettings(count: number, settings: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(count, 8);
  const setting = Buffer.from([0, 0, 1, 0, 0x61, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
  return Buffer.concat([head, Buffer.alloc(settings * setting.length, setting)]);
}

/** A frozen version as somebody handed it over. */
const version = (what: string, lines: (n: number) => string): HostileReader =>
  hostile(
    `frozen version: ${what}`,
    (n, place) => {
      const folder = join(place, 'versions', 'v1');
      mkdirSync(folder, { recursive: true });
      const info = {
        schema: VERSION_SCHEMA,
        version: VERSION_VERSION,
        name: 'v1',
        changelog: '',
        filter: {},
        createdAt: '2026-01-01T00:00:00.000Z',
        tool: { name: 't', version: '1' },
        hash: '0'.repeat(64),
        counts: { tasks: 1, recordings: 1, subtasks: 0, actions: 0 },
      };
      writeFileSync(join(folder, 'version.json'), JSON.stringify(info));
      writeFileSync(join(folder, 'snapshot.jsonl'), lines(n));
      return place;
    },
    (dir) => readVersion({ dir }, 'v1'),
    { upTo: 400_000 },
  );

export const systemReaders: HostileReader[] = [
  file(
    'settings.json: keys without end',
    'settings.json',
    (n) => JSON.stringify(keys(n / 12)),
    (path) => openSettings(path).get(),
  ),
  file(
    'settings.json: one deep value',
    'settings.json',
    (n) => `${'{"a":'.repeat(n / 6)}`,
    (path) => openSettings(path).get(),
  ),
  file(
    'settings.json: changed while it is full of keys',
    'settings.json',
    (n) => JSON.stringify(keys(n / 12)),
    (path) => openSettings(path).set({ 'library.new': ['N'] }),
  ),
  file(
    'workspaces that were open: without end',
    'recent.json',
    (n) => `[${'{"dir":"a"},'.repeat(n / 12)}{}]`,
    (path) => openRecent(path).list(),
  ),
  words('a shortcut: plus signs', (n) => '+'.repeat(n), parseShortcut),
  words('a shortcut: blanks', (n) => `Ctrl+${' '.repeat(n)}`, parseShortcut),
  words('a shortcut: modifiers', (n) => `${'Ctrl+'.repeat(n / 5)}F12`, parseShortcut),
  words('a lock: a holder', (n) => `{"pid":${'1'.repeat(n)}`, parseHolder),
  words(
    'a JSON text: brackets in texts',
    (n) => `"${'[\\"'.repeat(n / 3)}`,
    (text) => isTooDeep(text),
  ),
  words('what the terminal is told: signs that it obeys', (n) => '\u001b'.repeat(n), visibleLine),
  words(
    'a window: a title without an end',
    (n) => 'Aa '.repeat(n / 3),
    (title) => {
      const judge = frontJudge({ exclude: ['keepass', 'bank'], only: [] });
      return judge(0, { active: { title, app: '' }, focused: null, topmost: null });
    },
  ),
  hostile(
    'X settings: more than there are',
    (n) => xsettings(0xffff_ffff, n / 16),
    (bytes) => parseXSettings(bytes),
    { upTo: 1_000_000 },
  ),
  hostile(
    'keyboard: layouts without end',
    (n) => Buffer.from(`a\0b\0${'us,'.repeat(n / 3)}\0`),
    (names) => layoutId(names, 3),
  ),
  hostile(
    'keyboard: names without end',
    (n) => Buffer.alloc(n),
    (names) => layoutId(names, 0),
  ),
  words('portal: lists in lists', (n) => '['.repeat(n), plain(parseVariant)),
  words('portal: a text without an end', (n) => `'${'a'.repeat(n)}`, plain(parseVariant)),
  words('portal: numbers', (n) => `[${'1, '.repeat(n / 3)}1]`, plain(parseVariant)),
  hostile('PipeWire: an object of nothing', (n) => Buffer.alloc(n), plain(readObject)),
  hostile('PipeWire: an object of ones', (n) => Buffer.alloc(n, 1), plain(readObject)),
  file('a recipe: one deep value', 'a.json', (n) => '{"a":'.repeat(n / 5), readRecipe),
  file('a recipe: steps without end', 'a.json', (n) => `{"steps":[${'{},'.repeat(n / 3)}{}]}`, readRecipe),
  words('ffmpeg: its version', (n) => `ffmpeg version ${'1.'.repeat(n / 2)}`, parseVersion),
  words('ffmpeg: its list of encoders', (n) => ' V..... a\n'.repeat(n / 10), parseNames),
  words('ffmpeg: one line of its list with blanks', (n) => ` V.....${' '.repeat(n)}`, parseNames),
  words('ffmpeg: a shown frame with blanks', (n) => `[Parsed_showinfo_0 @ 0x1] n:${' '.repeat(n)}`, parseShowinfo),
  words('ffmpeg: a shown frame of digits', (n) => `[Parsed_showinfo_0 @ 0x1] n: 1 pts:${'1'.repeat(n)}`, parseShowinfo),
  file('a still: bytes without an end', 'a.png', (n) => Buffer.alloc(n), isWholePng),
  file(
    'an attachment: bytes without an end',
    'a',
    (n) => Buffer.alloc(n),
    (path) => firstBytes(path, 4096),
  ),
  file(
    'a shard: files of nothing',
    'shard-000000.tar',
    (n) =>
      Buffer.concat(
        Array.from({ length: n / 512 }, (_, at) => tarHeader({ path: `K_${at}.json`, size: 0, kind: 'file' })),
      ),
    (path) => checkWebdataset(checkOf(dirname(path), 'shard-000000.tar')),
  ),
  file(
    'a shard: files of one sample',
    'shard-000000.tar',
    (n) => Buffer.concat(Array.from({ length: n / 512 }, () => tarHeader({ path: 'K_1.json', size: 0, kind: 'file' }))),
    (path) => checkWebdataset(checkOf(dirname(path), 'shard-000000.tar')),
  ),
  file(
    'Parquet: no footer',
    'a.parquet',
    (n) => Buffer.alloc(n, 'PAR1'),
    (path) => readParquet(path, 'a.parquet', { columns: {}, features: false }, nothing, async () => undefined),
  ),
  file(
    'Parquet: a footer of nothing',
    'a.parquet',
    (n) => parquet(Buffer.alloc(n)),
    (path) => readParquet(path, 'a.parquet', { columns: {}, features: false }, nothing, async () => undefined),
  ),
  file(
    'Parquet: a footer of lists in lists',
    'a.parquet',
    (n) => parquet(Buffer.alloc(n, 0x19)),
    (path) => readParquet(path, 'a.parquet', { columns: {}, features: false }, nothing, async () => undefined),
  ),
  file(
    'JSON Lines of an export: no JSON',
    'a.jsonl',
    (n) => '{"a"\n'.repeat(n / 5),
    (path) => eachLine(checkOf(join(path, '..'), 'a.jsonl'), 'a.jsonl', anything, async () => undefined),
  ),
  file(
    'JSON Lines of an export: one line without an end',
    'a.jsonl',
    (n) => 'x'.repeat(n),
    (path) => eachLine(checkOf(join(path, '..'), 'a.jsonl'), 'a.jsonl', anything, async () => undefined),
  ),
  file(
    'JSON of an export: deep values',
    'a.json',
    (n) => `${'['.repeat(n)}${']'.repeat(n)}`,
    (path) => readJson(checkOf(join(path, '..'), 'a.json'), 'a.json', anything),
  ),
  version('lines that are none', (n) => '{}\n'.repeat(n / 3)),
  version('one line without an end', (n) => 'x'.repeat(n)),
  words('plan of an export: lines without numbers', (n) => '1. a\n'.repeat(n / 5), readSequence),
  words('plan of an export: digits', (n) => '1'.repeat(n), readSequence),
  hostile(
    'raw log of an export: names of files without end',
    (n) => Array.from({ length: n }, (_, i) => `${RAW}${i}.png`),
    (found) => checkRawLog('/nowhere', found, nothing),
    { upTo: 100_000 },
  ),
  file(
    'card of an export: heads without end',
    'README.md',
    (n) => `---\n${'configs:\n- '.repeat(n / 11)}`,
    (path) => checkCard(join(path, '..'), 'README.md', ['README.md'], nothing),
  ),
];

const keys = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));

function parquet(footer: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')]);
}
