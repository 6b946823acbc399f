import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freezeVersion } from '../../datasets/freeze.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../../store/recording-for-tests.ts';
import { exportRecording } from '../export-recording.ts';
import { calm, take, workspacesIn, write } from './bench-for-tests.ts';

const folders = temporaryFolders();
const workspaces = workspacesIn(folders);
let elsewhere = '';
beforeEach(() => {
  elsewhere = folders.make();
});
afterEach(async () => {
  await workspaces.close();
  folders.clean();
});

const line = (name: string, text: string) => (folder: string) => appendFileSync(join(folder, name), `${text}\n`);

/** Closed recordings with damaged files, as after a copy by hand or a failing disk. */
const FAULTS = [
  { what: 'an event that is none', harm: line('events.jsonl', '{"type":"down"}'), says: /events\.jsonl line 1: / },
  { what: 'zeros', harm: line('events.jsonl', '\0'.repeat(100)), says: /events\.jsonl line 1: it is not JSON/ },
  {
    what: 'a line of more values than any of ours',
    harm: line('events.jsonl', `{"type":"mark","t":1,"kind":"subtask","x":[${'[],'.repeat(200_000)}0]}`),
    says: /events\.jsonl line 1: it holds more than 200000 values/,
  },
  { what: 'a torn end', harm: line('frames.jsonl', '{"i":42,"t"'), says: /frames\.jsonl line \d+: it is not JSON/ },
  { what: 'a wrong window', harm: line('windows.jsonl', '{"t":1}'), says: /windows\.jsonl line \d+: / },
  { what: 'a wrong element', harm: line('elements.jsonl', '{}'), says: /elements\.jsonl line 1: / },
  {
    what: 'a list of stills that is none',
    harm: (folder: string) => {
      mkdirSync(join(folder, 'keyframes'), { recursive: true });
      writeFileSync(join(folder, 'keyframes', 'index.json'), '[]');
    },
    says: /keyframes\/index\.json: /,
  },
];

describe('what no import would take is not put into an archive', () => {
  test.each(FAULTS)('$what: its recording is left out, and which file and line it is is said', async (fault) => {
    const from = workspaces.open();
    const { workspace } = from;
    const sound = writeSample(workspace.recordingsDir, sampleRecording({ id: 'rec-b' }));
    const folder = writeSample(workspace.recordingsDir, sampleRecording({ id: 'rec-a' }));
    await workspace.syncIndex();
    fault.harm(folder);
    const out = join(elsewhere, 'w.tar');
    const { recordings, leftOut } = await write(from, out);
    expect(recordings).toEqual(['rec-b']);
    expect(leftOut).toEqual([expect.stringMatching(/^rec-a: .*, which no import takes; .*from a copy/)]);
    expect(leftOut[0]).toMatch(fault.says);
    expect((await take(workspaces.open(), out)).recordings).toEqual(['rec-b']);

    const alone = join(elsewhere, 'a.tar');
    await expect(write(from, alone, { recordings: ['rec-a'] })).rejects.toMatchObject({
      code: 'NOTHING_TO_EXPORT',
      message: expect.stringMatching(fault.says),
    });
    const single = exportRecording(workspace, 'rec-a', alone, { ...calm, carried: [] });
    await expect(single).rejects.toMatchObject({ code: 'BAD_FILE', message: expect.stringMatching(fault.says) });
    expect(existsSync(sound)).toBe(true);
    expect(readdirSync(elsewhere)).toEqual(['w.tar']);
  });

  test('what was said of it, when it does not fit', async () => {
    const from = workspaces.open();
    for (const id of ['rec-a', 'rec-b']) writeSample(from.workspace.recordingsDir, sampleRecording({ id }));
    await from.workspace.syncIndex();
    const carried = async (id: string) => (id === 'rec-a' ? [{ name: 'annotation.json', text: '{}' }] : []);
    const { recordings, leftOut } = await write(from, join(elsewhere, 'w.tar'), { carried });
    expect(recordings).toEqual(['rec-b']);
    expect(leftOut).toEqual([expect.stringMatching(/^rec-a: annotation\.json: field /)]);
  });

  test('a frozen version is not made without one of its recordings: it says which line is wrong', async () => {
    const from = workspaces.open();
    const { workspace } = from;
    for (const id of ['aaaa', 'bbbb']) await addRecording(workspace, { id, task: 'GIMP_1', screens: [40, 90] });
    await freezeVersion(workspace, { name: 'v1', changelog: 'first', filter: {} }, { toolVersion: '1' });
    appendFileSync(join(workspace.recordingsDir, 'aaaa', 'events.jsonl'), 'no line\n');
    await expect(write(from, join(elsewhere, 'v1.tar'), { dataset: 'v1' })).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringMatching(/the version v1 holds aaaa: events\.jsonl line \d+: it is not JSON/),
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});
