import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { addClicks, click, errorOf, ID } from '../documents/clicks-for-tests.ts';
import { type Documents, openDocuments } from '../documents/documents.ts';
import { freshDocuments } from '../documents/fresh-for-tests.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';

let workspace: Workspace;
let documents: Documents;

freshDocuments((...made) => {
  [workspace, documents] = made;
});

describe('an opened recording', () => {
  test('is kept in derived/ and made anew when a raw file changes', async () => {
    const folder = addClicks(workspace);
    const first = await documents.openRecording(ID);
    expect(first).toMatchObject({
      marks: [4e6],
      span: { start: 500_000, end: 10_500_000 },
      frames: [
        [0, 0, 0],
        [1, 2e6, 0],
        [2, 4e6, 0],
        [3, 6e6, 0],
        [4, 8e6, 0],
      ],
      misfit: null,
      playback: false,
    });
    expect(first.steps.map(({ start, before }) => [start, before])).toEqual([
      [[10, 50, 1e6], 0],
      [[300, 50, 3e6], 1],
      [[500, 50, 5e6], 2],
      [[700, 50, 7e6], 3],
    ]);
    const kept = join(folder, 'derived', 'recording.jsonl');
    expect(existsSync(kept)).toBe(true);
    expect(await openDocuments(workspace, reviewGate()).openRecording(ID)).toEqual(first);
    const events = readFileSync(join(folder, 'events.jsonl'), 'utf8');
    writeFileSync(
      join(folder, 'events.jsonl'),
      events +
        click(9e6, 20)
          .map((e) => `${JSON.stringify(e)}\n`)
          .join(''),
    );
    expect((await documents.openRecording(ID)).steps).toHaveLength(5);
  });

  test('whose kept file was torn is made anew', async () => {
    const folder = addClicks(workspace);
    const first = await documents.openRecording(ID);
    const kept = join(folder, 'derived', 'recording.jsonl');
    writeFileSync(kept, readFileSync(kept, 'utf8').slice(0, 100));
    expect(await openDocuments(workspace, reviewGate()).openRecording(ID)).toEqual(first);
  });

  test('without its video opens, says so, and its pictures say which file is missing', async () => {
    addClicks(workspace);
    const opened = await documents.openRecording(ID);
    expect(opened.warnings).toEqual([{ code: 'NO_VIDEO', message: expect.stringContaining('screen.mkv is missing') }]);
    const error = await errorOf(documents.framePicture(ID, 0));
    expect(error.code).toBe('RECORDING_DAMAGED');
    expect(error.message).toContain('screen.mkv: it is missing');
    expect((await errorOf(documents.framePicture(ID, 99))).code).toBe('UNKNOWN_FILE');
  });

  test('without its frames or with a spoilt recording.json is refused, the file named', async () => {
    const folder = addClicks(workspace);
    rmSync(join(folder, 'frames.jsonl'));
    expect(await errorOf(documents.openRecording(ID))).toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringContaining('frames.jsonl'),
    });
  });

  test.each(['../../secret.mkv', '/etc/passwd', '..', 'a\\\\b.mkv'])(
    'that names a video outside of its folder (%s) is refused',
    async (file) => {
      const folder = writeSample(workspace.recordingsDir, sampleRecording(), []);
      await documents.openRecording(ID);
      // Somebody else may have written it so; this program would not.
      const segments = [{ index: 0, file, width: 1280, height: 720, firstFrame: 0, frames: 5 }];
      writeFileSync(join(folder, 'recording.json'), JSON.stringify(sampleRecording({ segments })));
      expect((await errorOf(documents.openRecording(ID))).code).toBe('BAD_FILE');
    },
  );

  test('whose steps lie outside of the recorded display says that they do not fit', async () => {
    const events: RawEvent[] = [
      { type: 'view', t: 0, view: { x: 0, y: 0, width: 1280, height: 720 }, segment: 0 },
      ...click(1e6, 2000),
    ];
    const folder = writeSample(workspace.recordingsDir, sampleRecording(), events);
    writeFileSync(join(folder, 'frames.jsonl'), `${JSON.stringify({ i: 0, pts: 0, t: 0 })}\n`);
    expect((await documents.openRecording(ID)).misfit).toContain('1 of 1 steps lie outside of the picture');
  });
});
