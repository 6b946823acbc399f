import { expect, test } from 'vitest';
import { createQuit } from './quit.ts';
import { readRecorder } from './recorder-state.ts';

/** A quit over played parts: what was asked and done, in order. */
function quitWith(phase: string | null, answers: number[]) {
  const done: string[] = [];
  const closing = Promise.withResolvers<void>();
  const quit = createQuit({
    api: {
      // Only quit is used here of Electron's app.
      app: { quit: () => void done.push('quit') } as Parameters<typeof createQuit>[0]['api']['app'],
      dialog: {
        async showMessageBox({ message }) {
          done.push(message);
          return { response: answers.shift() ?? 99 };
        },
        showOpenDialog: async () => ({ canceled: true, filePaths: [] }),
      },
      shell: {
        openExternal: async () => undefined,
        async openPath(path) {
          done.push(`open ${path}`);
          return '';
        },
      },
    },
    log: { write: () => undefined },
    recorder: () => (phase === null ? null : readRecorder({ phase, task: 'GIMP_1' })),
    async close() {
      done.push('close');
      await closing.promise;
    },
    retry: () => void done.push('retry'),
    logs: '/logs',
  });
  return { quit, done, closed: closing.resolve };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('without a recording it closes, and ends only when all is closed', async () => {
  const { quit, done, closed } = quitWith(null, []);
  quit.ask();
  quit.ask();
  await settled();
  expect([done, quit.mayQuit()]).toEqual([['close'], false]);
  closed();
  await settled();
  expect([done, quit.mayQuit()]).toEqual([['close', 'quit'], true]);
});

test('a recording that is being closed is waited for without a question', async () => {
  const { quit, done } = quitWith('keyframes', []);
  quit.ask();
  await settled();
  expect(done).toEqual(['close']);
});

test('a running recording is asked about once; going on leaves everything as it is', async () => {
  const { quit, done } = quitWith('recording', [1, 0]);
  expect(quit.keepsWindow(false)).toBe(false);
  expect(quit.keepsWindow(true)).toBe(true);
  quit.ask();
  await settled();
  expect(done).toEqual(['GIMP_1 is being recorded.']);
  expect(quit.mayQuit()).toBe(false);
  quit.ask();
  await settled();
  expect(done).toEqual(['GIMP_1 is being recorded.', 'GIMP_1 is being recorded.', 'close']);
});

test('a studio that is gone is tried again, also after its logs were looked at', async () => {
  const again = quitWith(null, [0]);
  await again.quit.studioIsGone('why');
  expect(again.done.at(-1)).toBe('retry');
  const logs = quitWith(null, [1]);
  await logs.quit.studioIsGone('why');
  expect(logs.done.slice(1)).toEqual(['open /logs', 'retry']);
});
