import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTranscript } from '../../core/import/transcript.ts';
import { transcriptLines } from '../../renderer/task/transcript.ts';
import { parseTranscript } from '../../renderer/workbench/video/transcript.ts';
import { readRecording } from '../../studio/store/recording-folder.ts';
import { actionsOf, type Condition, ffmpeg, importOf } from './condition.ts';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const colour = (name: string, size: string, seconds: number, more = ''): string[] => [
  '-f',
  'lavfi',
  '-i',
  `color=c=${name}:s=${size}:r=10:d=${seconds}${more}`,
];

type Key = [name: string | null, printed: string];

/** A folder as AgentNet's tool leaves it: a click, then these keys. */
function agentnet(folder: string, system: string, keys: readonly Key[]): string {
  mkdirSync(folder, { recursive: true });
  const at = { x: 100, y: 100, button: 'left' };
  const events: object[] = [
    { time_stamp: 1000.6, action: 'click', ...at, pressed: true },
    { time_stamp: 1000.7, action: 'click', ...at, pressed: false },
  ];
  for (const [index, [name, pynput_key]] of keys.entries()) {
    const t = 1001.5 + index / 5;
    events.push({ time_stamp: t, action: 'press', name, pynput_key });
    events.push({ time_stamp: t + 0.05, action: 'release', name, pynput_key });
  }
  writeFileSync(join(folder, 'events.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const metadata = { system, screen_width: 640, screen_height: 360, video_start_timestamp: 1000 };
  writeFileSync(join(folder, 'metadata.json'), JSON.stringify(metadata));
  writeFileSync(join(folder, 'task_name.json'), JSON.stringify({ task_name: 'Numbers' }));
  ffmpeg('-f', 'lavfi', '-i', 'testsrc=s=640x360:r=5:d=6', ...H264, join(folder, 'video.mp4'));
  return folder;
}

const numbered = (...numbers: number[]): Key[] => numbers.map((number): Key => [null, `<${number}>`]);

const keypad: Condition = {
  name: '05 keypad digits',
  source: 'moses-palmer/pynput#370, #387, #418',
  right: ["Type '2024.5+3'", 'Press Enter', "Type '456'"],
  async run(folder) {
    const windows = [
      ...numbered(98, 96, 98, 100, 110, 101),
      ['+', "'+'"] as Key,
      ...numbered(99),
      ['enter', 'Key.enter'] as Key,
    ];
    const linux: Key[] = [['4', "'4'"], ...numbered(65437), ['6', "'6'"]];
    const came: string[] = [];
    for (const [system, keys] of [
      ['Windows', windows],
      ['Linux', linux],
    ] as const) {
      const workspace = join(folder, `w-${system}`);
      const answer = await importOf(agentnet(join(folder, system), system, keys), workspace);
      if (typeof answer === 'string') came.push(answer);
      else came.push(...(await actionsOf(answer.recording, workspace)).filter((words) => !words.startsWith('Click')));
    }
    return came;
  },
};

const CUE = '1\r\n00:00:01,000 --> 00:00:02,000\r\nOpen the file\r\n';

const unreadable: Condition = {
  name: '06 transcript beside that cannot be read',
  source: 'GuanYixuan/pyJianYingDraft#72, SubtitleEdit/subtitleedit#2687',
  right: ['utf16: 1000000 Open the file', 'empty: not taken', 'seconds: 1000000 No milliseconds', 'cp1252: not taken'],
  async run(folder) {
    const texts: [string, Buffer | string][] = [
      ['utf16', Buffer.from(`\uFEFF${CUE}`, 'utf16le')],
      ['empty', ''],
      ['seconds', '1\n00:00:01 --> 00:00:02\nNo milliseconds\n'],
      ['cp1252', Buffer.from('1\r\n00:00:01,000 --> 00:00:02,000\r\nGr\xfc\xdfe\r\n', 'latin1')],
    ];
    const workspace = join(folder, 'w');
    const came: string[] = [];
    for (const [name, text] of texts) {
      ffmpeg(
        ...colour('gray', '320x180', 3, `,drawbox=w=${9 + name.length}:h=9:color=red:t=fill`),
        ...H264,
        join(folder, `${name}.mp4`),
      );
      writeFileSync(join(folder, `${name}.srt`), text);
      const answer = await importOf(join(folder, `${name}.mp4`), workspace);
      if (typeof answer === 'string') came.push(`${name}: ${answer}`);
      else if (answer.guessed.join().includes('was not taken')) came.push(`${name}: not taken`);
      else {
        const kept = readFileSync(
          join(workspace, 'recordings', answer.recording, 'attachments', 'transcript.srt'),
          'utf8',
        );
        came.push(
          `${name}: ${readTranscript(kept)
            .cues.map(({ start, text: said }) => `${start} ${said}`)
            .join()}`,
        );
      }
    }
    return came;
  },
};

const TRANSCRIPTS: readonly string[] = [
  '1\n00:00:01,000 --> 00:00:02,000\nFirst\n2\n00:00:03,000 --> 00:00:04,000\nSecond\n',
  '1\n00:00:01,000 --> 00:00:02,000\nChoose File --> Export\nthen wait\n\n2\n00:00:03,000 --> 00:00:04,000\nSecond\n',
  'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>It&#39;s 5 &lt; 6 &amp; &quot;fine&quot; &constructor;</v>\n',
  '1\n00:00:01,000 --> 00:00:02,000\nWrite a<b and b>c here\n',
];

const readers: Condition = {
  name: '07 one transcript in three places',
  source: 'subtitleeditor/subtitleeditor#58, SubtitleEdit/subtitleedit#2687',
  right: [
    '1 First | 3 Second',
    '1 Choose File --> Export then wait | 3 Second',
    '1 It\'s 5 < 6 & "fine" &constructor;',
    '1 Write a<b and b>c here',
  ],
  async run() {
    return TRANSCRIPTS.map((file) => {
      const lines = (all: readonly { start: number | null; text: string }[], unit: number): string =>
        all.map(({ start, text }) => `${(start ?? 0) / unit} ${text}`).join(' | ');
      const { cues, problems } = readTranscript(file);
      const all = [lines(cues, 1e6), lines(parseTranscript(file), 1), lines(transcriptLines(file), 1)];
      return [...new Set(all), ...problems.map(({ message }) => message)].join(' OR ');
    });
  },
};

/** What an import says of the size of its pictures and of what was lost. */
async function sizesOf(file: string, folder: string, lost: RegExp): Promise<string[]> {
  const workspace = join(folder, 'w');
  const answer = await importOf(file, workspace);
  if (typeof answer === 'string') return [answer];
  const { segments, capture } = readRecording(join(workspace, 'recordings', answer.recording));
  const said = answer.lost.some((line) => lost.test(line)) ? 'said' : 'not said';
  return [
    ...segments.map(({ width, height }) => `${width}x${height}`),
    said,
    capture.lossless ? 'lossless' : 'coded again',
  ];
}

const tracks: Condition = {
  name: '08 two video tracks',
  source: 'mifi/lossless-cut#2066, obsproject/obs-studio#6687',
  right: ['1280x720', 'said', 'lossless'],
  run(folder) {
    const file = join(folder, 'camera-and-screen.mkv');
    const marks = ['-disposition:v:0', '0', '-disposition:v:1', 'default'];
    ffmpeg(
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=320x240:r=10:d=3',
      ...colour('white', '1280x720', 3),
      '-map',
      '0',
      '-map',
      '1',
      ...H264,
      ...marks,
      file,
    );
    return sizesOf(file, folder, /another video track of 320 x 240/);
  },
};

const resized: Condition = {
  name: '09 size that changes in a video',
  source: 'ant-media/Ant-Media-Server#4577, w3c/mediacapture-record#173',
  right: ['800x600', 'said', 'coded again'],
  run(folder) {
    const coding = ['-c:v', 'libvpx', '-deadline', 'realtime', '-b:v', '500k'];
    ffmpeg(...colour('gray', '640x360', 3), ...coding, join(folder, 'a.webm'));
    ffmpeg(...colour('white', '800x600', 3), ...coding, join(folder, 'b.webm'));
    writeFileSync(join(folder, 'list.txt'), "file 'a.webm'\nfile 'b.webm'\n");
    const file = join(folder, 'resized.webm');
    ffmpeg('-f', 'concat', '-safe', '0', '-i', join(folder, 'list.txt'), '-c', 'copy', file);
    return sizesOf(file, folder, /from 3\.0 s on they are 800 x 600/);
  },
};

const longName: Condition = {
  name: '10 name of 255 bytes',
  source: 'yt-dlp/yt-dlp#1786, chelaxian/tg-ytdlp-bot#315',
  right: [`${'日'.repeat(83)}`, `${'a'.repeat(251)}`],
  async run(folder) {
    const workspace = join(folder, 'w');
    const came: string[] = [];
    for (const [shade, stem] of [
      ['gray', '日'.repeat(83)],
      ['white', 'a'.repeat(251)],
    ] as const) {
      ffmpeg(...colour(shade, '320x180', 3), ...H264, join(folder, `${stem}.mp4`));
      const answer = await importOf(join(folder, `${stem}.mp4`), workspace);
      came.push(
        typeof answer === 'string' ? answer : readRecording(join(workspace, 'recordings', answer.recording)).task.goal,
      );
    }
    return came;
  },
};

export const IMPORTS: readonly Condition[] = [keypad, unreadable, readers, tracks, resized, longName];
