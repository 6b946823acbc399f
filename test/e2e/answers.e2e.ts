import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openHands, openStageKeyboard } from '../../native/index.ts';
import { doerOf, NO_PAUSES } from '../../studio/play/stage/do-act.ts';
import { processesOf } from '../../studio/play/stage/processes.ts';
import { setStage } from '../../studio/play/stage/set-stage.ts';
import { stageWishes } from '../../studio/play/stage/wishes-for-tests.ts';
import { ownTempFolder } from '../support/own-temp.ts';
import { NOTE_RECIPE } from '../support/played-note.ts';
import { until } from '../support/until.ts';

/** Hands know whether the program that has the keyboard has taken in what it was sent. */

ownTempFolder();
const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();

it('a program that stands still does not answer, and does again when it goes on; nobody is asked where none is', async () => {
  const files = [{ text: 'A note', to: 'notes/note.txt' }];
  const { screen, programs } = NOTE_RECIPE;
  const stage = await setStage(stageWishes({ screen, files, programs }));
  onTestFinished(async () => void (await stage.end()));
  for (const [name, value] of Object.entries(stage.env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const hands = await openHands();
  onTestFinished(hands.close);
  const editor = processesOf(stage.id).find((pid) => nameOf(pid) === 'mousepad');
  if (editor === undefined) throw new Error('the editor is not there');
  expect(await hands.answered(20_000)).toBe(true);
  process.kill(editor, 'SIGSTOP');
  expect(await hands.answered(300)).toBe(false);
  // The answer to the question before is not taken for this one's.
  process.kill(editor, 'SIGCONT');
  expect(await hands.answered(20_000)).toBe(true);
  process.kill(editor, 'SIGKILL');
  expect(await hands.answered(20_000)).toBe(true);
});

it('a key comes after the press before it, also while the window manager holds that up', async () => {
  const files = [{ text: 'One\nTwo\nThree\n', to: 'notes/note.txt' }];
  const { screen, programs } = NOTE_RECIPE;
  const stage = await setStage(stageWishes({ screen, files, programs }));
  onTestFinished(async () => void (await stage.end()));
  for (const [name, value] of Object.entries(stage.env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const hands = await openHands();
  onTestFinished(hands.close);
  const manager = processesOf(stage.id).find((pid) => nameOf(pid) === 'openbox');
  if (manager === undefined) throw new Error('the window manager is not there');
  expect(await hands.answered(20_000)).toBe(true);
  expect(await hands.delivered(0)).toBe(true);
  process.kill(manager, 'SIGSTOP');
  const { act } = doerOf(hands, await openStageKeyboard(), NO_PAUSES);
  // Below the text: the caret goes to its end.
  await act({ do: 'click', at: [400, 400], button: 'left', count: 1 });
  const typing = act({ do: 'key', key: 'x', down: true });
  // The program has taken in all that came to it.
  expect(await hands.answered(20_000)).toBe(true);
  process.kill(manager, 'SIGCONT');
  await typing;
  await act({ do: 'key', key: 'x', down: false });
  for (const [key, down] of [
    ['Control', true],
    ['s', true],
    ['s', false],
    ['Control', false],
  ] as const)
    await act({ do: 'key', key, down });
  const read = (): string => readFileSync(path.join(stage.home, 'notes/note.txt'), 'utf8');
  await until('the note to be saved', () => read().includes('x'), { timeoutMs: 30_000, seen: read });
  expect(read()).toBe('One\nTwo\nThree\nx');
});

it('a program of Qt, which answers to the root window itself, is heard too', async () => {
  const text = `from PyQt5.QtWidgets import QApplication, QLabel
app = QApplication([])
label = QLabel('A note')
label.setWindowTitle('note')
label.show()
app.exec()
`;
  const files = [{ text, to: 'note.py' }];
  const programs = [{ command: '/usr/bin/python3', args: ['~/note.py'], window: 'note' }];
  const stage = await setStage(stageWishes({ screen: NOTE_RECIPE.screen, files, programs }));
  onTestFinished(async () => void (await stage.end()));
  for (const [name, value] of Object.entries(stage.env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const hands = await openHands();
  onTestFinished(hands.close);
  expect(await hands.answered(20_000)).toBe(true);
});
