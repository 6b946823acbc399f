import { describe, expect, test } from 'vitest';
import type { HostApi, HostWindow, WindowOptions } from './api.ts';
import type { Log } from './log.ts';
import { readRecorder } from './recorder-state.ts';
import { SAFE_PREFERENCES, SHARE_PAGE } from './security.ts';
import { answerSharing, createShare, forwardScreen } from './share.ts';

const state = (more: object) => readRecorder({ recording: 'r1', task: 'T', phase: 'starting', shared: true, ...more });

/** The few functions of Electron that sharing uses, with what was asked of them. */
function play(sources: { id: string; name: string }[] | Error = [{ id: 'screen:1', name: 'Screen' }]) {
  const said: string[] = [];
  const opened: { options: WindowOptions; url: string; ran: [code: string, gesture: boolean][]; destroyed: boolean }[] =
    [];
  let answer: Parameters<HostApi['session']['defaultSession']['setDisplayMediaRequestHandler']>[0] | null = null;
  class BrowserWindow {
    readonly entry: (typeof opened)[number];
    loaded: (() => void) | null = null;
    webContents = {
      on: (_event: string, listener: () => void) => {
        this.loaded = listener;
      },
      executeJavaScript: async (code: string, gesture = false) => void this.entry.ran.push([code, gesture]),
    };
    constructor(options: WindowOptions) {
      this.entry = { options, url: '', ran: [], destroyed: false };
      opened.push(this.entry);
    }
    async loadURL(url: string): Promise<void> {
      this.entry.url = url;
      this.loaded?.();
    }
    isDestroyed = (): boolean => this.entry.destroyed;
    destroy(): void {
      this.entry.destroyed = true;
    }
  }
  const api = {
    // Only what createShare and answerSharing use of each.
    BrowserWindow: BrowserWindow as unknown as new (options: WindowOptions) => HostWindow,
    session: {
      defaultSession: {
        setDisplayMediaRequestHandler: (handler: typeof answer) => {
          answer = handler;
        },
      },
    } as unknown as HostApi['session'],
    desktopCapturer: {
      getSources: async () => {
        if (sources instanceof Error) throw sources;
        return sources;
      },
    } as unknown as HostApi['desktopCapturer'],
  };
  const log: Log = { write: (text: string) => void said.push(text) };
  const ask = (url: string | null): Promise<unknown> =>
    new Promise((done) => answer?.({ frame: url === null ? null : { url } }, done));
  return { api, log, said, opened, ask };
}

describe('the hidden window that shares the screen', () => {
  test('is opened once a recording that wants it, and closed when that is over', async () => {
    const { api, log, opened } = play();
    const share = createShare({ api, preload: '/p', log });
    share.follow(null);
    share.follow(state({ shared: false }));
    expect(opened).toEqual([]);
    share.follow(state({}));
    share.follow(state({}));
    share.follow(state({ phase: 'recording' }));
    // Its last sync check is seen in the pictures too.
    share.follow(state({ phase: 'closing' }));
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatchObject({ url: SHARE_PAGE, destroyed: false });
    expect(opened[0]?.options).toMatchObject({ show: false, webPreferences: SAFE_PREFERENCES });
    share.follow(state({ phase: 'keyframes' }));
    expect(opened[0]?.destroyed).toBe(true);
    share.follow(state({ recording: 'r2' }));
    expect(opened).toHaveLength(2);
    share.follow(state({ recording: 'r2', phase: 'failed' }));
    expect(opened[1]?.destroyed).toBe(true);
  });

  test('asks the person only once the recorder listens, as a gesture', async () => {
    const { api, log, opened } = play();
    createShare({ api, preload: '/p', log }).follow(state({}));
    await expect.poll(() => opened[0]?.ran.length).toBe(2);
    const [ready, begin] = opened[0]?.ran ?? [];
    expect(ready).toEqual([expect.stringContaining('.ready()'), false]);
    expect(begin).toEqual([expect.stringContaining('.begin()'), true]);
  });
});

describe('who gets the screen', () => {
  test('the hidden page gets what the person chose; every other page nothing', async () => {
    const { api, log, ask, said } = play();
    answerSharing(api, log);
    expect(await ask(SHARE_PAGE)).toEqual({ video: { id: 'screen:1', name: 'Screen' } });
    for (const url of ['studio://app/', 'studio://app/desktop/bar', 'https://x/desktop/screen', null])
      expect(await ask(url)).toBeNull();
    expect(said).toHaveLength(4);
  });

  test('nobody, when the question was answered with no, or cannot be asked', async () => {
    for (const sources of [[], new Error('no portal')]) {
      const { api, log, ask } = play(sources);
      answerSharing(api, log);
      expect(await ask(SHARE_PAGE)).toBeNull();
    }
  });
});

test('pictures for a recorder that does not listen yet, or never will, are answered so', async () => {
  const request = (): Request => new Request('studio://app/screen/clock');
  expect((await forwardScreen(request(), null)).status).toBe(404);
  expect((await forwardScreen(request(), { path: '/nowhere/p', token: 'x' })).status).toBe(503);
});
