import fs from 'node:fs';
import path from 'node:path';
import { onTestFailed } from 'vitest';
import { chord, handsFor, perform, type Step } from '../support/person.ts';
import { until } from '../support/until.ts';
import { type Characters, type Windows, type WinWindow, winPath } from '../support/wine.ts';

/** Does steps on Windows as a person. */
export async function go({ display }: Windows, steps: Step[]): Promise<void> {
  await perform(display, await handsFor(display, 'human'), steps);
}

/** Starts `record` with these words and waits until it records. */
export async function record(
  windows: Windows,
  { into, characters = 'utf8' }: { into: string; characters?: Characters },
  words: readonly string[],
) {
  const all = ['--workspace', winPath(into), '--app', 'mousepad', '--goal', 'Write', '--no-playback', '--json'];
  const said = await windows.start(['studio/cli/main.ts', 'record', ...all, ...words], characters);
  const id = await until(
    'the recording to begin',
    () => {
      windows.mustServe();
      const ended = said.started.exit();
      if (ended) throw new Error(`record ended (${JSON.stringify(ended)}): ${said.stderr()}${said.started.stderr()}`);
      return /^recording (\S+):/m.exec(said.stderr())?.[1];
    },
    { timeoutMs: 120_000, seen: said.stderr },
  );
  onTestFailed(() => console.log(said.stderr()));
  /** Waits for what the recorder said last of pauses. */
  const state = (wanted: string) =>
    until(
      `the recorder to say ${wanted}`,
      () =>
        said
          .stderr()
          .match(/^(paused \(.*\)|recording)$/gm)
          ?.at(-1) === wanted,
      {
        seen: said.stderr,
      },
    );
  // With a list it begins only when the window in front was looked at.
  await state('recording');
  return {
    id,
    said,
    until: state,
    folder: path.join(into, 'recordings', id),
    async stop() {
      await go(windows, [chord('ctrl', 'shift', 'F12')]);
      const ended = () => {
        const exit = said.started.exit();
        if (!exit) windows.mustServe();
        return exit;
      };
      return until('record to end', ended, { timeoutMs: 120_000, seen: said.stderr });
    },
  };
}

/** Runs commands of the studio one after another, in one process. */
export async function commands(
  windows: Windows,
  list: string[][],
): Promise<{ status: number; stdout: string; stderr: string }[]> {
  const file = path.join(windows.folder, `commands-${Date.now()}.json`);
  fs.writeFileSync(file, JSON.stringify(list));
  const ran = await windows.run(['test/windows/commands.ts', winPath(file)]);
  if (!fs.existsSync(`${file}.said`)) throw new Error(`the commands ended with ${ran.status}: ${ran.stderr}`);
  return JSON.parse(fs.readFileSync(`${file}.said`, 'utf8'));
}

/** A text file of UTF-8, as Windows marks it. */
export function note(folder: string, name: string, text = ''): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `\ufeff${text}`);
  return file;
}

/** Waits until a program has saved this text: the recorder, or the play, may end before a busy machine has come to that. */
export async function saved(file: string, text: string): Promise<void> {
  const read = (): string => fs.readFileSync(file, 'utf8');
  await until(`${path.basename(file)} to be saved`, () => read() === `\ufeff${text}`, {
    seen: () => JSON.stringify(read()),
  });
}

/** Positions in a window's client area, as those of the screen. */
export const inside =
  ({ bounds }: WinWindow) =>
  (x: number, y: number): [number, number] => [bounds.x + x, bounds.y + y];
