import type { MenuItem } from './api.ts';
import { inWords, isPaused, isRunning, type RecorderNow } from './recorder-state.ts';

export type LastRecording = { ws: string; id: string; goal: string; startedAt: string };
export type TrayActs = {
  start(): void;
  stop(): void;
  pause(): void;
  privacy(): void;
  mark(): void;
  moment(): void;
  forget(): void;
  openRecording(ws: string, id: string): void;
  show(): void;
  quit(): void;
};
export type TrayState = {
  now: RecorderNow | null;
  last: readonly LastRecording[];
  keys: Readonly<Record<string, string>>;
  /** Another program has the key that starts. */
  startTaken?: boolean;
};

const SEPARATOR: MenuItem = { type: 'separator' };
const MOST = 5;
const LONGEST = 48;

/** Which picture the tray shows: file name in the folder of icons, its ending left out. */
export function trayPicture(now: RecorderNow | null): 'idle' | 'recording' | 'paused' {
  if (!isRunning(now)) return 'idle';
  return isPaused(now) ? 'paused' : 'recording';
}

export const trayWords = (now: RecorderNow | null): string => `Trajectory Studio: ${inWords(now)}`;

/** The menu of the tray: the recording that runs, what can be done about it, and the last recordings. */
export function trayTemplate({ now, last, keys, startTaken = false }: TrayState, acts: TrayActs): MenuItem[] {
  const key = (name: string): string => (keys[name] ? ` (${keys[name]})` : '');
  const paused = now?.paused === 'user';
  const hidden = now?.paused === 'privacy';
  const acting: MenuItem[] = isRunning(now)
    ? [
        { id: 'stop', label: `Stop Recording${key('stop')}`, click: acts.stop },
        {
          id: 'pause',
          label: `${paused ? 'Go On' : 'Pause'}${key('pause')}`,
          enabled: now.phase === 'recording' && (now.paused === null || paused),
          click: acts.pause,
        },
        {
          id: 'privacy',
          label: `${hidden ? 'End the Privacy Pause' : 'Privacy Pause'}${key('privacy')}`,
          enabled: now.phase === 'recording' && (now.paused === null || hidden),
          click: acts.privacy,
        },
        {
          id: 'mark',
          label: `Mark the End of a Subtask${key('mark')}`,
          enabled: now.phase === 'recording' && now.paused === null,
          click: acts.mark,
        },
        {
          id: 'moment',
          label: `Mark This Moment${key('moment')}`,
          enabled: now.phase === 'recording' && now.paused === null,
          click: acts.moment,
        },
        {
          id: 'forget',
          label: `Forget the Last ${minutesInWords(now.forgetMinutes)}${key('forget')}`,
          enabled: now.phase === 'recording' && now.paused !== 'forgotten',
          click: acts.forget,
        },
      ]
    : [
        {
          id: 'start',
          label: `Start Recording${startTaken ? ` (${keys.stop} cannot be used: choose another key in the settings)` : key('stop')}`,
          enabled: !now || inWords(now) === 'Not recording',
          click: acts.start,
        },
      ];
  const recordings: MenuItem[] =
    last.length === 0
      ? [{ label: 'No Recordings Yet', enabled: false }]
      : last.slice(0, MOST).map(({ ws, id, goal, startedAt }) => ({
          id: `recording:${id}`,
          label: `${minuteOf(startedAt)}  ${shorten(goal || id)}`,
          click: () => acts.openRecording(ws, id),
        }));
  return [
    { id: 'state', label: inWords(now), enabled: false },
    SEPARATOR,
    ...acting,
    SEPARATOR,
    { label: 'Last Recordings', enabled: false },
    ...recordings,
    SEPARATOR,
    { id: 'show', label: 'Show Trajectory Studio', click: acts.show },
    { id: 'quit', label: 'Quit', click: acts.quit },
  ];
}

/** `Minute`, `2 Minutes`. */
const minutesInWords = (minutes: number): string => (minutes === 1 ? 'Minute' : `${minutes} Minutes`);

/** `2026-11-21 22:28` by the clock of this machine, which the person looks at. */
function minuteOf(iso: string): string {
  const date = new Date(iso);
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return Number.isNaN(date.getTime()) ? '' : `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line).replaceAll('&', '&&');
}
