import type { PlatformName } from '../model.ts';

/** W3C key names as the reducer gives them (A7, A9) to PyAutoGUI's KEYBOARD_KEYS. */
const NAMES: Readonly<Record<string, string>> = {
  ctrl: 'ctrl',
  shift: 'shift',
  AltGraph: 'altright',
  Enter: 'enter',
  Tab: 'tab',
  Escape: 'esc',
  Backspace: 'backspace',
  Delete: 'delete',
  Insert: 'insert',
  Home: 'home',
  End: 'end',
  PageUp: 'pageup',
  PageDown: 'pagedown',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Space: 'space',
  ' ': 'space',
  CapsLock: 'capslock',
  NumLock: 'numlock',
  ScrollLock: 'scrolllock',
  PrintScreen: 'printscreen',
  Pause: 'pause',
  ContextMenu: 'apps',
  Help: 'help',
  Clear: 'clear',
  Fn: 'fn',
  Select: 'select',
  Sleep: 'sleep',
  AudioVolumeMute: 'volumemute',
  AudioVolumeDown: 'volumedown',
  AudioVolumeUp: 'volumeup',
  MediaPlayPause: 'playpause',
  MediaStop: 'stop',
  MediaTrackPrevious: 'prevtrack',
  MediaTrackNext: 'nexttrack',
  MediaSelect: 'launchmediaselect',
  LaunchMail: 'launchmail',
  LaunchApp1: 'launchapp1',
  LaunchApp2: 'launchapp2',
  BrowserSearch: 'browsersearch',
  BrowserHome: 'browserhome',
  BrowserBack: 'browserback',
  BrowserForward: 'browserforward',
  BrowserStop: 'browserstop',
  BrowserRefresh: 'browserrefresh',
  BrowserFavorites: 'browserfavorites',
  Convert: 'convert',
  NonConvert: 'nonconvert',
};

/** PyAutoGUI's name of a key; null when it has none. A character stands for itself. */
export function pyautoguiKey(key: string, platform: PlatformName | null): string | null {
  if (key === 'alt') return platform === 'macos' ? 'option' : 'alt';
  if (key === 'meta') return platform === 'macos' ? 'command' : 'win';
  if (Object.hasOwn(NAMES, key)) return NAMES[key]!;
  if (/^F([1-9]|1\d|2[0-4])$/.test(key)) return key.toLowerCase();
  return [...key].length === 1 ? key : null;
}
