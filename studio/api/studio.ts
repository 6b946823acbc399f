import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { passedOver } from '../../native/log/log.ts';
import type { OutsidePictures } from '../../native/screen/contract.ts';
import type { SendingWishes } from '../../schemas/api/team-server.ts';
import { SENDING_SETTINGS } from '../../schemas/sending.ts';
import { FORGET_MINUTES } from '../../schemas/shortcuts.ts';
import { createLiveRuns, type LiveRuns } from '../agents/live-runs.ts';
import { type LivePlays, livePlays } from '../play/live.ts';
import { textOptionsOf } from '../recordings/texts/settings.ts';
import type { Home } from '../session/home.ts';
import { sendByItself } from '../session/push/by-itself.ts';
import { keepLargeFiles } from '../session/recorder/keep-files.ts';
import { repairWorkspace } from '../session/recorder/prepare.ts';
import { createRecorderService, type Recorder, type RecorderOptions } from '../session/recorder/service.ts';
import { openSettings, type Settings } from '../session/settings.ts';
import { createWorkspaces, type Workspaces } from '../session/workspaces.ts';
import type { Principal } from './members/principal.ts';
import type { Told } from './told.ts';
import type { TeamUploads } from './uploads/team-uploads.ts';

/** The studio process: everything that the API speaks to. The command line has one of its own, without a listener. */
export type Studio = {
  version: string;
  home: Home;
  workspaces: Workspaces;
  recorder: Recorder;
  settings: Settings;
  plays: LivePlays;
  /** Runs on stages that go on in this process. */
  runs: LiveRuns;
  /** Wayland: the desktop app shares the screen. */
  isShared: boolean;
  close(): Promise<void>;
};

/** The studio as a request finds it. */
export type AskedStudio = Studio & {
  /** The request came by a door that only this machine can reach: its folders may be listed. */
  isLocal: boolean;
  /** The person who works in the page that asks, where it says so. */
  person?: string | undefined;
  /** The caller, as the door that let them in knows them. */
  principal: Principal;
  /** What people send to it; a server of a team alone has them. */
  uploads?: TeamUploads;
  /** The id of this request in the log; a server of a team alone has them. */
  request?: string;
  /**
   * The path that somebody typed for a file or folder of this machine. Throws USAGE for none; FORBIDDEN for a member of a team
   * outside the folders that are meant for it.
   */
  path(text: string, field: string): string;
  /** What texts of answers say to the caller, where it is less than all. */
  told?: Told;
};

type StudioOptions = {
  version: string;
  home: Home;
  /** The shipped sample. */
  sample?: string;
  /** Recordings that a crash left open are closed and get their pictures when a workspace is opened. */
  repair?: boolean;
  startCapture?: RecorderOptions['startCapture'];
  /** Wayland: where the desktop app hands over pictures of the screen. */
  outside?: OutsidePictures;
};

const SAMPLE = fileURLToPath(new URL('../../assets/sample', import.meta.url));

export function createStudio(options: StudioOptions): Studio {
  const { version, home, sample = SAMPLE, repair = true, startCapture, outside } = options;
  const settings = openSettings(join(home.config, 'settings.json'));
  const repairs = new Set<Promise<void>>();
  const workspaces = createWorkspaces({
    home,
    sample,
    onOpen(open) {
      if (!repair) return;
      const work = repairWorkspace(open)
        .catch(passedOver('repair failed', { workspace: open.id }))
        .finally(() => repairs.delete(work));
      repairs.add(work);
      void sendByItself(open, { config: home.config, version, wishes: () => sendingWishes(settings.get()) });
      void work.then(() => keepLargeFiles(open)).catch(passedOver('large files not sent', { workspace: open.id }));
    },
  });
  const recorder = createRecorderService({
    version,
    shortcuts: () => shortcutsOf(settings.get().shortcuts),
    forgetMinutes: () => forgetMinutesOf(settings.get().forgetMinutes),
    texts: () => textOptionsOf(settings.get()),
    ...(outside && { outside }),
    ...(startCapture && { startCapture }),
  });
  const runs = createLiveRuns();
  return {
    version,
    home,
    workspaces,
    recorder,
    settings,
    plays: livePlays(),
    runs,
    isShared: outside !== undefined,
    async close() {
      await runs.close();
      await recorder.close();
      await Promise.all(repairs);
      await workspaces.close();
    },
  };
}

/** The person's wishes for recordings that go to a team's server; by default they go, and stay here too. */
export const sendingWishes = (settings: Readonly<Record<string, unknown>>): SendingWishes => ({
  on: settings[SENDING_SETTINGS.on] !== false,
  free: settings[SENDING_SETTINGS.free] === true,
  voice: settings[SENDING_SETTINGS.voice] === true,
});

const NAMES = ['stop', 'pause', 'privacy', 'mark', 'moment', 'forget'] as const;

function shortcutsOf(value: unknown): Partial<Record<(typeof NAMES)[number], string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const text: unknown = Reflect.get(value, name);
      return typeof text === 'string' && text !== '' ? [[name, text]] : [];
    }),
  );
}

/** The setting as a number that can be meant; else the usual one. */
function forgetMinutesOf(value: unknown): number {
  const { least, most, usual } = FORGET_MINUTES;
  return typeof value === 'number' && value >= least && value <= most ? value : usual;
}

/** Where recordings would go: the latest workspace, or the home of the user. */
export function recordingPlace({ workspaces, home }: Studio): string {
  return workspaces.recent().find(({ exists }) => exists)?.dir ?? (existsSync(home.data) ? home.data : '.');
}
