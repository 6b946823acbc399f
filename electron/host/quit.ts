import type { HostApi } from './api.ts';
import type { Log } from './log.ts';
import { isBusy, isRunning, type RecorderNow } from './recorder-state.ts';

/** The end of the app: never in the middle of a recording without a word, and never before one is whole. */
type Quit = {
  /** Asks where something is recorded, closes it, and ends the app. */
  ask(): void;
  /** True once nothing is left to be closed. */
  mayQuit(): boolean;
  /** The last window is to be closed while something is recorded: it stays, and the question is asked. */
  keepsWindow(isLast: boolean): boolean;
  /** The studio process ends again and again. */
  studioIsGone(why: string): Promise<void>;
};

type QuitOptions = {
  api: Pick<HostApi, 'app' | 'dialog' | 'shell'>;
  log: Log;
  recorder(): RecorderNow | null;
  /** Ends the studio process, which stops a running recording and waits until it is whole. */
  close(): Promise<void>;
  retry(): void;
  logs: string;
};

export function createQuit({ api, log, recorder, close, retry, logs }: QuitOptions): Quit {
  let phase: 'open' | 'asking' | 'closing' | 'closed' = 'open';

  async function ask(): Promise<void> {
    if (phase !== 'open') return;
    const now = recorder();
    if (isRunning(now)) {
      phase = 'asking';
      const { response } = await api.dialog.showMessageBox({
        type: 'question',
        message: `${now.task} is being recorded.`,
        detail: 'Quitting stops the recording and keeps it. The app ends once the recording is whole on the disk.',
        buttons: ['Stop and Quit', 'Go On Recording'],
        defaultId: 1,
        cancelId: 1,
      });
      if (response !== 0) {
        phase = 'open';
        return;
      }
    }
    phase = 'closing';
    log.write(isBusy(now) ? 'closing the recording, then quitting' : 'quitting');
    try {
      await close();
    } finally {
      phase = 'closed';
      api.app.quit();
    }
  }

  return {
    ask: () => void ask().catch((error: Error) => log.write(`quit: ${error.message}`)),
    mayQuit: () => phase === 'closed',
    keepsWindow(isLast) {
      if (phase !== 'open' || !isLast || !isRunning(recorder())) return false;
      void ask();
      return true;
    },
    async studioIsGone(why) {
      if (phase !== 'open') return;
      log.write(`the studio process was given up: ${why}`);
      const { response } = await api.dialog.showMessageBox({
        type: 'error',
        message: 'The studio has stopped and cannot be started again.',
        detail: `${why.slice(-600)}\n\nWhat was recorded and stored is kept. The folder of logs has the whole story.`,
        buttons: ['Try Again', 'Open the Logs', 'Quit'],
        defaultId: 0,
        cancelId: 2,
      });
      if (response === 2) return void ask();
      if (response === 1) await api.shell.openPath(logs);
      retry();
    },
  };
}
