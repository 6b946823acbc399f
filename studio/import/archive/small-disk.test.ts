import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDocuments } from '../../documents/documents.ts';
import { reviewGate } from '../../documents/review/gate.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../../store/recording-for-tests.ts';
import { smallDisk } from '../../store/small-disk-for-tests.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { exportRecording } from '../export-recording.ts';
import { importRecording } from '../import-recording.ts';
import { calm, take, workspacesIn, write } from './bench-for-tests.ts';

test('on a small disk an archive, and whatever else wants room, says how much it needs, in units that say something, and leaves no folder', async () => {
  const folders = temporaryFolders();
  const workspaces = workspacesIn(folders);
  const home = workspaces.open();
  writeSample(home.workspace.recordingsDir, sampleRecording({ id: 'rec-a' }));
  await home.workspace.syncIndex();
  const archive = join(folders.make(), 'w.tar');
  await write(home, archive);
  const place = join(folders.make(), 'disk');
  const disk = smallDisk(place, 60 * 2 ** 20);
  try {
    if (disk === null) return; // This user may mount nothing.
    const small = openWorkspace(join(place, 'w'), { create: true });
    const documents = openDocuments(small, reviewGate());
    const refusal = await take({ workspace: small, documents }, archive).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringMatching(/^The archive holds \d+ kB, and 268 MB stay free .* of which \d+ MB are free\./),
    });
    expect(readdirSync(small.recordingsDir).filter((name) => name.startsWith('.archive-'))).toEqual([]);
    // So does everything else that wants room: one recording that comes or goes, and an archive that is made there.
    const recording = join(folders.make(), 'rec-a.tar');
    const alone = { ...calm, carried: [] };
    await exportRecording(home.workspace, 'rec-a', recording, alone);
    const said = [
      importRecording(small, recording, calm),
      exportRecording(home.workspace, 'rec-a', join(place, 'out.tar'), alone),
      write(home, join(place, 'w.tar')),
    ];
    for (const refused of await Promise.allSettled(said))
      expect(refused).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'DISK_FULL',
          message: expect.stringMatching(
            /(?:is|will be) \d+ kB large, and 268 MB stay free.*\d+ MB.*Free some space and try again\.$/,
          ),
        },
      });
    expect(readdirSync(small.recordingsDir)).toEqual([]);
    expect(readdirSync(place).filter((name) => name.includes('.tar'))).toEqual([]);
    await documents.close();
    small.close();
  } finally {
    disk?.remove();
    await workspaces.close();
    folders.clean();
  }
});
