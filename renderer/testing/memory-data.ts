import type {
  Attachment,
  Job,
  Person,
  Preflight,
  RecorderState,
  RecordingRow,
  SoftwareInfo,
  TaskInfo,
  WorkspaceInfo,
} from '../../schemas/api/models.ts';
import type { WorkItem } from '../../schemas/api/review-models.ts';
import { type ReviewPolicy, reviewPolicySchema } from '../../schemas/review.ts';

/** The plain data behind the in-memory API: test support, never shipped. Everything is made from counters: no chance. */
export type MemoryData = {
  workspaces: WorkspaceInfo[];
  software: SoftwareInfo[];
  people: Person[];
  tasks: Map<string, TaskInfo>;
  recordings: RecordingRow[];
  jobs: Job[];
  settings: Record<string, unknown>;
  work: WorkItem[];
  policy: ReviewPolicy;
  preflight: Preflight;
  recorder: RecorderState | null;
  files: Map<string, { attachment: Attachment; body: Uint8Array }>;
};

const SOFTWARE: [id: string, name: string, prefix: string][] = [
  ['powerpoint', 'PowerPoint', 'PPT'],
  ['stable-diffusion', 'Stable Diffusion WebUI', 'SD'],
  ['runway', 'Runway', 'RW'],
  ['photoshop', 'Photoshop', 'PS'],
  ['after-effects', 'After Effects', 'AE'],
  ['premiere', 'Premiere Pro', 'PR'],
  ['capcut', 'CapCut', 'CC'],
  ['davinci', 'DaVinci Resolve', 'DR'],
  ['youtube', 'YouTube', 'YT'],
  ['web-stock', 'Web Stock', 'WS'],
  ['vlc', 'VLC media player', 'VLC'],
];
const GOALS = [
  'Insert the picture, crop it to a circle and place it over the title',
  'Create a slide transition in which the rocket moves off the screen upwards while the page scrolls down',
  'Turn the photograph into a watercolour with prompt weights and a fixed seed, then upscale it twice',
  'Remove the background with the magnetic lasso and keep the hair',
  'Cut the intro at the beat and add a cross dissolve of twelve frames',
  'Export the timeline at 1080p with subtitles burnt in',
];
const STATES = ['recorded', 'annotating', 'annotated', 'in-review', 'rejected', 'approved'] as const;
/** A day in the past, so that times read as real ones do. */
const at = (i: number): string => new Date(Date.UTC(2026, 10, 20, 12) - i * 5_400_000).toISOString();
const pick = <T>(list: readonly T[], i: number): T => list[i % list.length] as T; // the list is not empty

export function memoryData(options: { tasks: number }): MemoryData {
  const software = SOFTWARE.map(([id, name, prefix]) => ({
    id,
    name,
    prefix,
    platforms: 'Windows, macOS',
    aliases: [],
    tasks: 0,
  }));
  const tasks = new Map<string, TaskInfo>();
  const recordings: RecordingRow[] = [];
  for (let i = 0; i < options.tasks; i++) {
    const of = pick(software, i);
    of.tasks++;
    const id = `${of.prefix}_${of.tasks}`;
    const recorded = i % 3 !== 2;
    const state = pick(STATES, Math.floor(i / 3));
    const progress = { recorded: 0, annotating: 0.45, annotated: 1, 'in-review': 1, rejected: 0.8, approved: 1 }[state];
    tasks.set(id, {
      id,
      software: of.id,
      goal:
        i === 4
          ? `${'An exceptionally long goal that nobody will read to its end but that must not break the table. '.repeat(12)}`
          : pick(GOALS, i),
      platform: pick(['Windows 11', 'macOS 15', 'Ubuntu 24.04'], i),
      state: i % 17 === 16 ? 'closed' : 'open',
      recordings: recorded ? 1 : 0,
      furthest: recorded ? state : null,
      progress: recorded ? progress : 0,
      createdAt: at(i),
      sourceUrl: i % 2 === 0 ? 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' : '',
      notes: i % 4 === 0 ? 'Use the sample deck.\nThe picture is in the material.' : '',
      attachments: [],
    });
    if (recorded)
      recordings.push(recordingRow(`rec-${String(i).padStart(4, '0')}`, id, of.id, pick(GOALS, i), state, i));
  }
  return {
    workspaces: [
      { id: 'w1', name: 'Video tutorials', dir: '/home/ana/video-tutorials', exists: true, openedAt: at(0) },
      {
        id: 'w2',
        name: 'A data set with quite a long name that somebody gave it in a hurry',
        dir: '/home/ana/studies/2026/data-sets/a-data-set-with-quite-a-long-name',
        exists: true,
        openedAt: at(9),
      },
      { id: 'w3', name: 'On a disk that is not there', dir: '/media/ana/usb/old', exists: false, openedAt: at(400) },
    ],
    software,
    people: [{ id: 'me', name: 'Ana Lind', email: 'ana@example.org' }],
    tasks,
    recordings,
    jobs: [],
    settings: {},
    work: memoryWork(),
    policy: reviewPolicySchema.parse({}),
    preflight: memoryPreflight(),
    recorder: null,
    files: new Map(),
  };
}

export function recordingRow(
  id: string,
  task: string,
  software: string,
  goal: string,
  state: RecordingRow['state'],
  i: number,
): RecordingRow {
  return {
    id,
    task,
    software,
    goal,
    state,
    phase: 'closed',
    verdict: i % 11 === 3 ? 'recovered' : i % 23 === 4 ? 'damaged' : 'complete',
    sync: i % 13 === 6 ? 'warn' : 'ok',
    startedAt: at(i),
    durationUs: 95_000_000 + i * 7_300_000,
    frames: 1200 + i * 31,
    dropped: i % 7 === 0 ? 3 : 0,
    events: 2400 + i * 13,
    person: i % 2 === 0 ? 'me' : null,
    steps: 24 + (i % 40),
    done: state === 'recorded' ? 0 : 12 + (i % 12),
  };
}

/** A piece of work of each kind, the second of them begun. */
function memoryWork(): WorkItem[] {
  const piece = (kind: WorkItem['kind'], i: number, more: Partial<WorkItem>): WorkItem => ({
    ...{ kind, recording: `rec-000${i}`, document: null, task: `PPT_${i + 1}`, software: 'ppt', goal: pick(GOALS, i) },
    ...{ state: 'annotated', steps: 30, done: 30, open: 0, mine: false, since: at(i) },
    ...more,
  });
  return [
    piece('repair', 0, { state: 'rejected', open: 3, mine: true, document: 'rec-0000' }),
    piece('review', 1, { state: 'in-review', mine: true }),
    piece('adjudicate', 3, {}),
    piece('annotate', 4, { state: 'recorded', steps: null, done: null }),
  ];
}

function memoryPreflight(): Preflight {
  return {
    status: 'warn',
    checks: [
      { id: 'ffmpeg', status: 'ok', what: 'ffmpeg 7.1 with H.264 is there.', fix: null },
      { id: 'display', status: 'ok', what: 'Two displays are there, 5760 by 2160 px in all.', fix: null },
      { id: 'hook', status: 'ok', what: 'Mouse and keyboard can be heard.', fix: null },
      {
        id: 'disk',
        status: 'warn',
        what: '18 GB are left on the workspace’s disk: about 40 minutes of recording.',
        fix: 'Free some space, or move the workspace to a larger disk.',
      },
    ],
    displays: [
      { id: 1, name: 'eDP-1', x: 0, y: 360, width: 1920, height: 1080, scale: 1, primary: true },
      { id: 2, name: 'HDMI-1', x: 1920, y: 0, width: 3840, height: 2160, scale: 2, primary: false },
    ],
    windows: [
      {
        id: '0x1',
        title: 'Deck.pptx - PowerPoint',
        app: 'powerpoint',
        bounds: { x: 40, y: 400, width: 1600, height: 900 },
      },
      { id: '0x2', title: 'Inbox (4) - Mail', app: 'mail', bounds: { x: 2000, y: 100, width: 1400, height: 900 } },
    ],
    freeBytes: 18_400_000_000,
  };
}

/** A picture one can tell from another: a PNG of one colour would do, so this is the smallest valid one. */
export const ONE_PIXEL_PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (char) => char.charCodeAt(0),
);
