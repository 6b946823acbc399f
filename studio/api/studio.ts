import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import type { OutsidePictures } from '../../native/platform.ts';
import type { Home } from '../library/home.ts';
import type { OpenWorkspace } from '../library/open-workspace.ts';
import { openSettings, type Settings } from '../library/settings.ts';
import { createWorkspaces, type Workspaces } from '../library/workspaces.ts';
import type { startRecording } from '../record/start.ts';
import { finishRecording, wantsKeyframes } from '../recorder/finish.ts';
import { recoverAll } from '../recorder/recover-all.ts';
import { createRecorder, type Recorder } from '../recorder/service.ts';

/** The studio process: everything that the API speaks to. The command line has one of its own, without a listener. */
export type Studio = {
  version: string;
  home: Home;
  workspaces: Workspaces;
  recorder: Recorder;
  settings: Settings;
  /** Wayland: the desktop app shares the screen. */
  isShared: boolean;
  close(): Promise<void>;
};

type StudioOptions = {
  version: string;
  home: Home;
  /** The shipped sample. */
  sample?: string;
  /** Recordings that a crash left open are closed and get their pictures when a workspace is opened. */
  repair?: boolean;
  startCapture?: typeof startRecording;
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
        .catch(() => undefined)
        .finally(() => repairs.delete(work));
      repairs.add(work);
    },
  });
  const recorder = createRecorder({
    version,
    shortcuts: () => shortcutsOf(settings.get().shortcuts),
    ...(outside && { outside }),
    ...(startCapture && { startCapture }),
  });
  return {
    version,
    home,
    workspaces,
    recorder,
    settings,
    isShared: outside !== undefined,
    async close() {
      await recorder.close();
      await Promise.all(repairs);
      await workspaces.close();
    },
  };
}

/** What a crash left undone (D2). Never in the way of opening: the rest of the workspace is used meanwhile. */
async function repairWorkspace(open: OpenWorkspace): Promise<void> {
  const { workspace, changes } = open;
  const { recovered } = await recoverAll(workspace, () => undefined);
  if (recovered.length > 0) changes.publish({ what: 'recordings' });
  for (const { id, folder } of await workspace.listRecordings()) {
    if (wantsKeyframes(folder)) await prepare(open, id, folder);
  }
}

/** A job that makes a recording's keyframes and its playback copy. */
export function prepare(open: OpenWorkspace, id: string, folder: string) {
  return open.jobs.add('prepare', id, async ({ signal, report }) => {
    const ffmpeg = await findFfmpeg();
    const { warnings } = await finishRecording(open.workspace, folder, {
      ffmpeg,
      playback: true,
      signal,
      progress: (text, share) => report(share, text),
    });
    await open.begin(id);
    return warnings.length > 0 ? warnings.join('; ') : 'Keyframes and the playback copy are there.';
  });
}

const NAMES = ['stop', 'pause', 'privacy', 'mark'] as const;

function shortcutsOf(value: unknown): Partial<Record<(typeof NAMES)[number], string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const text: unknown = Reflect.get(value, name);
      return typeof text === 'string' && text !== '' ? [[name, text]] : [];
    }),
  );
}

/** Where recordings would go: the latest workspace, or the home of the user. */
export function recordingPlace({ workspaces, home }: Studio): string {
  return workspaces.recent().find(({ exists }) => exists)?.dir ?? (existsSync(home.data) ? home.data : '.');
}
