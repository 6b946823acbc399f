import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type FfmpegInfo, findFfmpeg } from '../../native/ffmpeg/find.ts';
import { StudioError } from '../../schemas/errors.ts';
import { type Documents, openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { type AnyOptions, importAny } from './import-any.ts';

/** A new workspace and a folder outside of it for each test of a file, and imports into it. */
export function importBench() {
  const folders = temporaryFolders();
  const lasting = temporaryFolders();
  const bench = {
    /** Set before each test runs. */
    ffmpeg: undefined as unknown as FfmpegInfo,
    workspace: undefined as unknown as Workspace,
    documents: undefined as unknown as Documents,
    elsewhere: '',
    /** A folder that stays for all tests of the file. */
    lasting: () => lasting.make(),
    options: (more: Partial<AnyOptions> = {}): AnyOptions => ({
      signal: new AbortController().signal,
      report: () => undefined,
      version: '1.2.3',
      documents: bench.documents,
      ffmpeg: () => Promise.resolve(bench.ffmpeg),
      ...more,
    }),
    async take(path: string, more: Partial<AnyOptions> = {}) {
      const { kind, imported } = await importAny(bench.workspace, path, bench.options(more));
      return { kind, ...imported[0]! };
    },
    /** The error of an import that is refused, after a look that nothing of it is left. */
    async refusal(path: string, more: Partial<AnyOptions> = {}): Promise<StudioError> {
      const error: unknown = await bench.take(path, more).catch((thrown: unknown) => thrown);
      expect(readdirSync(bench.workspace.recordingsDir)).toEqual([]);
      expect(await bench.workspace.listTasks()).toEqual([]);
      if (error instanceof StudioError) return error;
      throw new Error(`It was not refused, or not by one of ours: ${String(error)}`);
    },
  };
  beforeAll(async () => {
    bench.ffmpeg = await findFfmpeg();
  });
  beforeEach(() => {
    bench.workspace = openWorkspace(folders.make(), { create: true });
    bench.documents = openDocuments(bench.workspace, reviewGate());
    bench.elsewhere = folders.make();
  });
  afterEach(async () => {
    await bench.documents.close();
    bench.workspace.close();
    folders.clean();
  });
  afterAll(() => lasting.clean());
  return bench;
}
