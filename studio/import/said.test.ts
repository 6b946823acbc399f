import { afterAll, expect, test } from 'vitest';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import type { Imported } from './land.ts';
import { saidOfImport } from './said.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

test('an import names each recording with its task, and says everything that was lost, guessed or met, once', () => {
  const origin = { source: 'video' as const, name: 'a.mp4', lost: ['the sound'], guessed: ['its steps (0)'] };
  const folder = writeSample(folders.make(), sampleRecording({ id: 'one', origin }), []);
  const entry = { id: 'one', task: 'GIMP_1', folder } as Imported['entry']; // All that is read of it.
  const said = saidOfImport([{ entry, warnings: ['a line was passed over', 'a line was passed over'] }], ['two']);
  expect(said).toBe(
    'Imported one (GIMP_1); 1 were here already; lost: the sound; guessed: its steps (0); a line was passed over',
  );
  expect(saidOfImport([], ['two'])).toBe('Imported nothing new; 1 were here already');
});
