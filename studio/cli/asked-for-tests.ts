import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import {
  type ModelAsked,
  type ModelServer,
  type ScriptedAnswer,
  startModelServer,
} from '../models/model-server-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

type Answering = (asked: ModelAsked, n: number) => ScriptedAnswer;

/**
 * For each test of a file a workspace with the recording `made` and a scripted model, which answers as `usual` until the test says
 * otherwise; and commands that ask it.
 */
export function askedBench(usual: Answering) {
  const folders = temporaryFolders();
  const bench = {
    dir: '',
    /** Of the recording. */
    folder: '',
    server: undefined as unknown as ModelServer, // Set before each test runs.
    answering: usual,
    cli: (...args: string[]) => runHere([...args, '--workspace', bench.dir]),
    /** Agreed to, and with the report as the command prints it. */
    async ask(command: string, ...more: string[]) {
      const { status, stdout, stderr } = await bench.cli(
        ...[command, 'made', '--endpoint', bench.server.url, '--model', 'one', '--yes', '--json', '--timeout', '2s'],
        ...more,
      );
      return { status, stderr, report: JSON.parse(stdout) as Record<string, unknown> };
    },
    /** The names of the logs in this folder of the recording. */
    logs: (place: string) => readdirSync(join(bench.folder, place)).filter((name) => /^\d/.test(name)),
  };
  beforeEach(async () => {
    bench.dir = folders.make();
    const workspace = openWorkspace(bench.dir, { create: true });
    bench.folder = await addRecording(workspace, { id: 'made', screens: [40, 200, 90] });
    await workspace.close();
    bench.answering = usual;
    bench.server = await startModelServer((asked, n) => bench.answering(asked, n));
  });
  afterEach(async () => {
    await bench.server.close();
    folders.clean();
  });
  return bench;
}
