import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import type { DesktopBridge, OpenRequest } from '../schemas/desktop.ts';
import { CALLS, TELLS } from './host/channels.ts';

/**
 * The whole of what a page can ask of the host: a few named calls, each checked there. No channel name, event or Electron
 * object reaches the page. Messages of the host from before the page listens are kept for it.
 */
function heard<T>(channel: string): (listener: (value: T) => void) => () => void {
  const waiting: T[] = [];
  const listeners = new Set<(value: T) => void>();
  ipcRenderer.on(channel, (_event: IpcRendererEvent, value: T) => {
    if (listeners.size === 0) waiting.push(value);
    for (const listener of listeners) listener(value);
  });
  return (listener) => {
    listeners.add(listener);
    for (const value of waiting.splice(0)) listener(value);
    return () => void listeners.delete(listener);
  };
}

const bridge: DesktopBridge = {
  platform: process.platform,
  showMenu: (commands) => void ipcRenderer.invoke(CALLS.menu, commands).catch(() => undefined),
  onCommand: heard<string>(TELLS.command),
  onOpen: heard<OpenRequest>(TELLS.open),
  pick: (what) => ipcRenderer.invoke(CALLS.pick, what),
  dropped: (file) => ipcRenderer.invoke(CALLS.dropped, webUtils.getPathForFile(file)),
  sources: () => ipcRenderer.invoke(CALLS.sources),
  openFolder: (path) => ipcRenderer.invoke(CALLS.openFolder, path),
  allow: (permission) => ipcRenderer.invoke(CALLS.allow, permission),
};
contextBridge.exposeInMainWorld('desktop', bridge);
