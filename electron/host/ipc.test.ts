import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { HostContents, IpcEvent } from './api.ts';
import { answerCalls, type IpcOptions } from './ipc.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-ipc-'));
afterAll(() => rmSync(folder, { recursive: true }));

let opened: string[];
let answer: string;
let calls: Map<string, (event: IpcEvent, given: unknown) => unknown>;
beforeEach(() => {
  opened = [];
  answer = '';
  calls = new Map();
  const unused = (): never => {
    throw new Error('nobody asks for this here');
  };
  const api: IpcOptions['api'] = {
    ipcMain: { handle: (channel, listener) => void calls.set(channel, listener) },
    shell: {
      openExternal: unused,
      openPath: async (path) => {
        opened.push(path);
        return answer;
      },
    },
    dialog: { showMessageBox: unused, showOpenDialog: unused },
    desktopCapturer: { getSources: unused },
    screen: { getAllDisplays: unused, getPrimaryDisplay: unused, dipToScreenRect: unused },
    systemPreferences: { isTrustedAccessibilityClient: unused },
  };
  const log = { write: () => undefined } as unknown as IpcOptions['log']; // The calls below only write lines.
  answerCalls({ api, platform: 'linux', wayland: false, log, screens: () => [], onMenu: unused });
});

const OWN = { url: 'studio://app/', parent: null };
const ask = async (path: unknown, senderFrame: IpcEvent['senderFrame'] = OWN): Promise<unknown> => {
  const sender = {} as HostContents; // Not looked at by this call.
  return calls.get('desktop:open-folder')?.({ sender, senderFrame }, path);
};

test('a page may show the folder of an export, and no other; another page may not even that', async () => {
  const out = join(folder, 'out');
  mkdirSync(out);
  await expect(ask(out)).rejects.toThrow('no export of this studio');
  writeFileSync(join(out, 'manifest.json'), '{\n  "schema": "trajectory-studio/export",\n  "version": 1\n}\n');
  await ask(out);
  expect(opened).toEqual([out]);
  for (const wrong of [undefined, 7, '', 'x'.repeat(5000), 'out', `${folder}\0`, '/etc'])
    await expect(ask(wrong)).rejects.toThrow('cannot be taken');
  for (const frame of [null, { url: 'https://evil.example/', parent: null }, { url: 'studio://app/', parent: {} }])
    await expect(ask(out, frame)).rejects.toThrow('may not ask');
  expect(opened).toEqual([out]);
  answer = 'no file manager';
  await expect(ask(out)).rejects.toThrow('no file manager');
});
