import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { finishRecording } from '../recordings/finish.ts';
import { listAttachments } from '../store/attachments.ts';
import { readEvents, readFrames, readRecording, readWindows } from '../store/recording-folder.ts';
import { importBench } from './bench-for-tests.ts';
import { kindOfImport } from './import-any.ts';
import { K6_SAMPLING } from './video/import-video.ts';
import { previewVideo } from './video/preview.ts';
import { fakeRecording, SCREEN, squareVideo } from './videos-for-tests.ts';

const bench = importBench();
/** 6 s long: a square that moves at 1.5, 3 and 4.5 s. */
let video: string;
beforeAll(() => {
  video = join(bench.lasting(), 'How_to move.mp4');
  const squares = [
    { t: 0, x: 40, y: 40 },
    { t: 1.5, x: 160, y: 40 },
    { t: 3, x: 160, y: 120 },
    { t: 4.5, x: 280, y: 120 },
  ];
  squareVideo(video, 6, squares);
});

/** A square of 24 x 24 that moves changes 2 % of the picture: far below what K6 calls a change of the screen. */
const sampling = { ...K6_SAMPLING, share: 0.01 };

describe('a video without events', () => {
  test('becomes a recording: every frame by its own time, a step from each chosen keyframe to the next', async () => {
    const { entry, kind } = await bench.take(video, { sampling });
    expect(kind).toBe('video');
    const recording = readRecording(entry.folder);
    expect(recording).toMatchObject({
      state: 'closed',
      origin: { source: 'video', name: 'How_to move.mp4', lost: [] },
      verdict: { kind: 'complete', endedBy: 'import' },
      task: { goal: 'How to move' },
      counts: { frames: 180, events: 0 },
    });
    expect(recording.origin?.guessed.join('\n')).toMatch(/its steps \(3\).*K6.*share 0\.01/);
    const { frames } = readFrames(entry.folder);
    expect(frames.slice(0, 4).map(({ t }) => t)).toEqual([0, 33_000, 67_000, 100_000]);
    const moved = frames.slice(1).filter(({ changed }) => (changed ?? 0) > 200);
    expect(moved.map(({ t }) => t)).toEqual([1_500_000, 3_000_000, 4_500_000]);
    await finishRecording(bench.workspace, entry.folder, {
      ffmpeg: bench.ffmpeg,
      playback: 'now',
      progress: () => undefined,
    });
    const opened = await bench.documents.openRecording(entry.id);
    // Samples at 1, 2 and 4 s change until the next; the last frame always stays.
    const times = opened.steps.map(({ before, after }) => [opened.frames[before]?.[1], opened.frames[after]?.[1]]);
    expect(times).toEqual([
      [1_000_000, 2_000_000],
      [2_000_000, 4_000_000],
      [4_000_000, 5_967_000],
    ]);
    expect(opened.steps.every((step) => step.kind === 'wait')).toBe(true);
    expect(opened.playback).toBe(true);
    // The still shows what the video shows then: the square at its place.
    const still = await sharp(await bench.documents.framePicture(entry.id, opened.frames[opened.steps[1]!.before]![0]))
      .raw()
      .toBuffer();
    expect(still[(40 * SCREEN.width + 160) * 3]).toBeGreaterThan(180);
    expect(still[(120 * SCREEN.width + 160) * 3]).toBeLessThan(90);
    expect((await bench.documents.get(entry.id)).records.map(({ kind: record }) => record).sort()).toEqual([
      'goal',
      'subtask',
    ]);
  });

  test('a transcript beside it is kept in the recording and with the task; twice the same video is told', async () => {
    const srt = video.replace('.mp4', '.srt');
    writeFileSync(srt, '1\n00:00:01,000 --> 00:00:02,000\nMove it\n\n2\n00:10:00,000 --> 00:10:01,000\nLate\n');
    try {
      const { entry, warnings } = await bench.take(video, { sampling, app: 'GIMP', goal: 'Move it', person: 'Ada' });
      expect(warnings).toEqual([]);
      expect(readFileSync(join(entry.folder, 'attachments', 'transcript.srt'), 'utf8')).toContain('Move it');
      const attached = await listAttachments(bench.workspace.store, entry.task);
      expect(attached.map(({ role }) => role)).toEqual(['transcript']);
      const { origin, app, person } = readRecording(entry.folder);
      expect([app.name, person]).toEqual(['GIMP', 'Ada']);
      expect(origin?.guessed.join()).toContain("1 of 2 lines of the transcript come after the video's end");
      await expect(bench.take(video, { sampling })).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
      expect(await bench.workspace.listTasks()).toHaveLength(1);
    } finally {
      rmSync(srt);
    }
  });

  test('comes to the task that waits for it; one that fails takes no task of a person along', async () => {
    const { workspace } = bench;
    const software = await workspace.findSoftware('GIMP');
    for (const [id, goal] of Object.entries({ GIMP_1: 'How to move', GIMP_7: 'Another', GIMP_8: '' }))
      await workspace.ensureTask({ id, software, goal });
    for (const task of ['GIMP_7', 'GIMP_8', undefined]) {
      const control = new AbortController();
      const report = (share: number): void => void (share > 0.6 && control.abort(new Error('stop')));
      const stopped = bench.take(video, { sampling, app: 'GIMP', task, signal: control.signal, report });
      await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' });
    }
    const told = (await workspace.listTasks()).map(({ id, goal }) => `${id} ${goal}`);
    expect(told.join()).toBe('GIMP_1 How to move,GIMP_7 Another,GIMP_8 ');
    const { entry } = await bench.take(video, { sampling, app: 'GIMP' });
    expect(entry.task).toBe('GIMP_1');
  });

  test('sound and a turned picture are told; the picture is turned as players turn it', async () => {
    const file = join(bench.elsewhere, 'phone.mov');
    const tone = ['-f', 'lavfi', '-i', 'sine=duration=6'];
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-i',
      video,
      ...tone,
      '-c:v',
      'copy',
      '-c:a',
      'aac',
      '-metadata:s:v',
      'rotate=90',
      file,
    ]);
    const { entry } = await bench.take(file, { sampling });
    const { origin, segments } = readRecording(entry.folder);
    expect(origin?.lost).toEqual([expect.stringContaining('sound'), expect.stringContaining('coded again')]);
    expect(segments).toMatchObject([{ width: SCREEN.height, height: SCREEN.width }]);
    expect(existsSync(join(entry.folder, 'screen.mkv'))).toBe(true);
  });

  test('a damaged video: what is there is taken, and that something is missing is said', async () => {
    const file = join(bench.elsewhere, 'cut.mkv');
    execFileSync('ffmpeg', ['-v', 'error', '-i', video, '-c', 'copy', file]);
    const whole = readFileSync(file);
    whole.fill(0x55, Math.floor(whole.length * 0.4), Math.floor(whole.length * 0.5));
    writeFileSync(file, whole);
    const { counts, verdict } = readRecording((await bench.take(file, { sampling })).entry.folder);
    expect(counts.frames).toBeGreaterThan(30);
    expect(counts.frames).toBeLessThan(180);
    expect(verdict).toMatchObject({ kind: 'recovered', missing: [expect.stringContaining('damaged in the video')] });
  });

  test('webm is taken too', async () => {
    const file = join(bench.elsewhere, 'a.webm');
    squareVideo(file, 2, [{ t: 1, x: 100, y: 100 }]);
    expect(readRecording((await bench.take(file, { sampling })).entry.folder).counts.frames).toBe(60);
  });

  test('the preview shows every sample and what was chosen, and imports nothing', async () => {
    const out = join(bench.elsewhere, 'preview');
    const signal = new AbortController().signal;
    const shown = await previewVideo(video, out, { ffmpeg: bench.ffmpeg, sampling, signal, report: () => undefined });
    expect(shown).toMatchObject({ samples: 7, kept: 4, shown: 4 });
    expect(readdirSync(out).sort()).toEqual(['contact-sheet.png', 'index.json']);
    const { samples } = JSON.parse(readFileSync(join(out, 'index.json'), 'utf8'));
    expect(samples.map(({ seconds, kept }: { seconds: number; kept: boolean }) => [seconds, kept])).toEqual([
      [0, false],
      [1, true],
      [2, true],
      [3, false],
      [4, true],
      [5, false],
      [5.967, true],
    ]);
    expect((await sharp(join(out, 'contact-sheet.png')).metadata()).width).toBeGreaterThan(1000);
    const again = previewVideo(video, out, { ffmpeg: bench.ffmpeg, signal, report: () => undefined });
    await expect(again).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
  });

  test('what is no video, a playlist that calls itself one, and a bad transcript are refused', async () => {
    const file = join(bench.elsewhere, 'a.mp4');
    writeFileSync(file, '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n');
    expect((await bench.refusal(file)).message).toContain('no video that is taken');
    writeFileSync(file, Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(5000, 7)]));
    expect((await bench.refusal(file)).message).toContain('no video that ffmpeg can read');
    const srt = join(bench.elsewhere, 'a.srt');
    writeFileSync(srt, 'no cues at all');
    expect((await bench.refusal(video, { transcript: srt })).message).toContain('a.srt line 1');
    writeFileSync(srt, Buffer.from([0xff, 0xfe, 0x31]));
    expect((await bench.refusal(video, { transcript: srt })).message).toContain('not UTF-8');
    expect((await bench.refusal(video, { transcript: join(bench.elsewhere, 'none.srt') })).code).toBe('USAGE');
  });

  test('stopped in the middle it leaves nothing behind', async () => {
    const control = new AbortController();
    const error = await bench.refusal(video, {
      signal: control.signal,
      report: (_share, message) => void (message === 'looking at the pictures' && control.abort()),
    });
    expect(error.code).toBe('CANCELLED');
  });
});

describe('DuckTrack and AgentNet recordings', () => {
  /** How far the frames lie from where they truly belong among the events, µs, and what is said of it. */
  function truth(folder: string, start: number) {
    const { frames } = readFrames(folder);
    const { events } = readEvents(folder);
    const { sync, origin } = readRecording(folder);
    const lines = readFileSync(join(bench.elsewhere, 'events.jsonl'), 'utf8').split('\n');
    const first = JSON.parse(lines.find((line) => line.includes('"click"'))!);
    const press = events.find(({ type }) => type === 'down')!;
    // The recorder's clock, µs, at the session's zero and at the video's.
    const zero = first.time_stamp * 1e6 - press.t;
    return { error: Math.abs(frames[0]!.t - frames[0]!.pts * 1000 + zero - start * 1e6), sync: sync!, origin: origin! };
  }

  test.each([-0.612, -0.09, 0.004, 0.283, 1.731])(
    "a video that began %s s after the recorder's word for it: found within the stated error",
    async (offset) => {
      const { start } = fakeRecording(bench.elsewhere, { offset, kind: 'ducktrack' });
      const { entry, kind } = await bench.take(bench.elsewhere);
      expect(kind).toBe('ducktrack');
      const { error, sync, origin } = truth(entry.folder, start);
      expect(sync.verdict).toBe('warn');
      expect(error).toBeLessThanOrEqual(sync.maxErrorUs + 1000);
      expect(sync.maxErrorUs).toBeLessThan(40_000);
      expect(origin.guessed.join()).toMatch(
        /the video's start: [\d.]+ ms (before|after) OBS_WEBSOCKET_OUTPUT_STARTED, ± [\d.]+ ms/,
      );
    },
  );

  test('steps, positions in px of the video, windows, elements, the task: all of an AgentNet recording', async () => {
    const { clicks } = fakeRecording(bench.elsewhere, {
      offset: 0.2,
      kind: 'agentnet',
      points: { width: 1512, height: 982 },
    });
    const { entry, kind } = await bench.take(bench.elsewhere);
    expect(kind).toBe('agentnet');
    const recording = readRecording(entry.folder);
    expect(recording).toMatchObject({
      app: { name: 'Squares' },
      task: { goal: 'Move the square: All around' },
      os: { platform: 'darwin', arch: 'arm64' },
      settings: { naturalScroll: true },
      clock: { startedAt: '2023-10-20T17:19:53.000Z' },
      verdict: { kind: 'complete' },
    });
    expect(recording.origin?.guessed.join()).toContain('1512 x 982 points of the screen taken to 320 x 180');
    await finishRecording(bench.workspace, entry.folder, {
      ffmpeg: bench.ffmpeg,
      playback: 'none',
      progress: () => undefined,
    });
    const { steps, frames, misfit } = await bench.documents.openRecording(entry.id);
    expect(steps.map(({ kind: step }) => step)).toEqual([...Array.from({ length: clicks }, () => 'click'), 'type']);
    expect(steps.at(-1)?.text).toBe('Hi');
    expect(misfit).toBeNull();
    // Each click's picture before shows the square at the click before it, not yet at its own place.
    const [x, y] = steps[5]!.start as [number, number, number];
    const before = await sharp(await bench.documents.framePicture(entry.id, frames[steps[5]!.before]![0]))
      .raw()
      .toBuffer();
    const after = await sharp(await bench.documents.framePicture(entry.id, frames[steps[5]!.after]![0]))
      .raw()
      .toBuffer();
    expect(before[(y * SCREEN.width + x) * 3]).toBeLessThan(100);
    expect(after[(y * SCREEN.width + x) * 3]).toBeGreaterThan(160);
    expect(readWindows(entry.folder).windows.map(({ app }) => app)).toEqual(['Finder', 'Squares']);
    expect(JSON.parse(readFileSync(join(entry.folder, 'elements.jsonl'), 'utf8'))).toMatchObject({
      name: 'Square',
      role: 'AXButton',
    });
  });

  test("annotators' names of elements stand at the steps of their times; the others stay without", async () => {
    fakeRecording(bench.elsewhere, { offset: 0.1, kind: 'agentnet', clicks: 6 });
    const presses = readFileSync(join(bench.elsewhere, 'events.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ action, pressed }) => action === 'click' && pressed);
    const [first, second, third] = presses.map(({ time_stamp }) => time_stamp);
    const reduced = [
      { id: 0, action: 'click', description: 'Click', target: 'Insert tab', start_time: first, end_time: first + 0.1 },
      { id: 1, action: 'click', description: 'Click', target: null, start_time: second, end_time: second + 0.1 },
      { id: 2, action: 'click', description: 'Click', target: { name: ' Save \n as ' }, start_time: third + 0.05 },
      { id: 3, action: 'click', description: 'Click', target: 'Nowhere', start_time: first - 100 },
    ];
    const file = join(bench.elsewhere, 'reduced_events_vis.jsonl');
    writeFileSync(file, reduced.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { entry } = await bench.take(bench.elsewhere);
    const { steps } = await bench.documents.openRecording(entry.id);
    const { records } = await bench.documents.get(entry.id);
    const named = records.flatMap((one) => (one.kind === 'label' && one.element ? [[one.action, one.element]] : []));
    expect(named).toEqual([
      [steps[0]!.id, 'Insert tab'],
      [steps[2]!.id, 'Save as'],
    ]);
    expect(readRecording(entry.folder).origin?.guessed.join()).toContain('which step each of 3 element names is of');
  });

  test('a pause, in which the video stands still, moves nothing', async () => {
    const { start } = fakeRecording(bench.elsewhere, { offset: 0.35, kind: 'ducktrack', pause: { at: 6, length: 30 } });
    const { entry } = await bench.take(bench.elsewhere);
    const { error, sync } = truth(entry.folder, start);
    expect(sync.verdict).toBe('warn');
    expect(error).toBeLessThanOrEqual(sync.maxErrorUs + 1000);
    const { frames } = readFrames(entry.folder);
    const { events } = readEvents(entry.folder);
    const resumed = events.find(({ type }) => type === 'resume')!.t;
    const paused = events.find(({ type }) => type === 'pause')!.t;
    expect(frames.filter(({ t }) => t > paused + 50_000 && t < resumed - 50_000)).toEqual([]);
    expect(frames.at(-1)!.t).toBeGreaterThan(resumed);
  });

  test('clicks that change nothing: that the start cannot be known is said, and the recorder is taken at its word', async () => {
    fakeRecording(bench.elsewhere, { offset: 0.2, kind: 'ducktrack', answers: false });
    const { sync, origin, verdict } = readRecording((await bench.take(bench.elsewhere)).entry.folder);
    expect(sync).toMatchObject({ verdict: 'failed', maxErrorUs: 300_000 });
    expect(origin?.guessed.join()).toContain("the video's start cannot be known from its pictures");
    expect(verdict?.kind).toBe('complete');
  });

  test('without its video it is damaged, and says so; its steps are there', async () => {
    fakeRecording(bench.elsewhere, { offset: 0, kind: 'agentnet', clicks: 4 });
    rmSync(join(bench.elsewhere, 'video.mp4'));
    const { entry } = await bench.take(bench.elsewhere);
    expect(readRecording(entry.folder).verdict).toMatchObject({
      kind: 'damaged',
      missing: ['every picture', 'the video'],
    });
    expect((await bench.documents.openRecording(entry.id)).steps).toHaveLength(5);
  });

  test.each([
    ['agentnet', 5, 4],
    ['ducktrack', 6, 0],
  ] as const)(
    '%s: the shortcut that stops AgentNet is left out of its own recordings alone, and said',
    async (kind, steps, told) => {
      fakeRecording(bench.elsewhere, { offset: 0, kind, clicks: 4, stopped: true });
      const { entry } = await bench.take(bench.elsewhere);
      const { origin, verdict, counts } = readRecording(entry.folder);
      const said = origin?.lost.filter((line) => line.includes('ended the recording')) ?? [];
      expect(said).toEqual(told === 0 ? [] : [expect.stringContaining(`the last Cmd+Alt+T (${told} key events)`)]);
      expect((await bench.documents.openRecording(entry.id)).steps).toHaveLength(steps);
      expect(verdict?.kind).toBe('complete');
      const lines = readFileSync(join(bench.elsewhere, 'events.jsonl'), 'utf8').trim().split('\n').length;
      expect(counts.events).toBe(lines - told);
    },
  );

  const damages: [what: string, damage: (folder: string) => void, message: string][] = [
    [
      'a line of another kind',
      (f) => appendFileSync(join(f, 'events.jsonl'), '{"time_stamp":1,"action":"fly"}\n'),
      'events.jsonl line 55: action',
    ],
    [
      'a line that is no JSON',
      (f) => appendFileSync(join(f, 'events.jsonl'), 'x\n{}\n'),
      'events.jsonl line 55: it is not JSON (and 1 more)',
    ],
    [
      'broken UTF-8',
      (f) =>
        appendFileSync(
          join(f, 'events.jsonl'),
          Buffer.from('{"time_stamp":1,"action":"press","name":"\xff"}\n', 'latin1'),
        ),
      'not UTF-8',
    ],
    [
      'a time beyond all clocks',
      (f) => appendFileSync(join(f, 'events.jsonl'), '{"time_stamp":1e300,"action":"pause"}\n'),
      'time_stamp',
    ],
    ['metadata without a screen', (f) => writeFileSync(join(f, 'metadata.json'), '{}'), 'metadata.json: screen_width'],
    [
      'a link for a video',
      (f) => {
        rmSync(join(f, 'video.mp4'));
        symlinkSync(video, join(f, 'video.mp4'));
      },
      '"video.mp4" is a link',
    ],
    [
      'a link for events',
      (f) => {
        rmSync(join(f, 'events.jsonl'));
        symlinkSync('/etc/passwd', join(f, 'events.jsonl'));
      },
      '"events.jsonl" is a link',
    ],
    ['no events', (f) => writeFileSync(join(f, 'events.jsonl'), ''), 'holds no event'],
    [
      'a folder for a task name',
      (f) => {
        rmSync(join(f, 'task_name.json'));
        mkdirSync(join(f, 'task_name.json'));
      },
      'no plain file',
    ],
    [
      'a wrong window line',
      (f) => appendFileSync(join(f, 'top_window.jsonl'), '{"time_stamp":"now"}\n'),
      'top_window.jsonl line 3',
    ],
  ];
  test.each(damages)('%s: refused with file and line, and nothing is kept', async (_what, damage, message) => {
    fakeRecording(bench.elsewhere, { offset: 0, kind: 'agentnet' });
    damage(bench.elsewhere);
    const error = await bench.refusal(bench.elsewhere);
    expect([error.code, error.message]).toEqual(['BAD_FILE', expect.stringContaining(message)]);
  });

  test('a torn last line, as a crash leaves it, is lost and told', async () => {
    fakeRecording(bench.elsewhere, { offset: 0, kind: 'ducktrack', clicks: 4 });
    appendFileSync(join(bench.elsewhere, 'events.jsonl'), '{"time_stamp": 15');
    expect(readRecording((await bench.take(bench.elsewhere)).entry.folder).origin?.lost).toContain(
      'the last line of events.jsonl, which was cut off',
    );
  });
});

test('what lies there tells what it is', () => {
  const folder = join(bench.elsewhere, 'f');
  mkdirSync(folder);
  expect(() => kindOfImport(folder)).toThrow('not known: it is a folder that holds nothing of what is imported');
  expect(() => kindOfImport(join(bench.elsewhere, 'nothing'))).toThrow('no such file');
  writeFileSync(join(folder, 'recording.json'), '');
  expect(kindOfImport(folder)).toBe('recording');
  for (const [name, kind] of [
    ['a.MP4', 'video'],
    ['a.jsonl', 'naturalgaia'],
    ['a.tar', 'recording'],
  ] as const) {
    writeFileSync(join(bench.elsewhere, name), '');
    expect(kindOfImport(join(bench.elsewhere, name))).toBe(kind);
  }
});
