import { afterEach, beforeEach, expect, it } from 'vitest';
import { newWorkspace } from '../support/cli.ts';
import { decode, readEvents, readFrames, readRecording, sessionUs } from '../support/recordings.ts';
import { until } from '../support/until.ts';
import { LEFT, personIn, pointerEvents } from './person.ts';
import { openWaylandSession, type WaylandSession } from './session.ts';

/** Displays of a Wayland session that are large, scaled, beside others, or change in the middle of a recording. */

let session: WaylandSession | null = null;
let workspace: ReturnType<typeof newWorkspace>;
beforeEach(() => {
  workspace = newWorkspace();
});
afterEach(async () => {
  await session?.close();
  session = null;
  workspace.remove();
});

async function begin(monitors: string[], logical = false) {
  session = await openWaylandSession({ monitors, logical });
  return { session, person: personIn(session) };
}
const bothWays = (x: number, y: number) => [
  ['down', 'left', x, y],
  ['up', 'left', x, y],
];

it('an output that is turned in the middle goes on in a new segment of its new size, without a second question', async () => {
  const { session, person } = await begin(['1280x720']);
  const window = await person.openWindow();
  const recorder = await person.record(workspace.path);
  await person.point(window, 300, 200);
  await person.click(LEFT);
  await window.heard('paint');
  session.arrange([{ monitor: 0, x: 0, turned: true }]);
  const inNewSegment = () => readFrames(recorder.folder, 'torn-end-allowed').some(({ seg }) => seg === 1);
  await until('pictures of the new size', inNewSegment, { seen: recorder.started.stderr });
  await window.heard('shown', 2);
  await person.point(window, 600, 1000);
  await person.click(LEFT);
  await window.heard('paint', 2);
  const paints = window.told().filter(({ type }) => type === 'paint');
  // It may be in the recording before the program hears that it was shown: then no other comes.
  const [known, painted] = [readRecording(recorder.folder), Number(paints[1]?.before)];
  await until('its picture', () => {
    const changed = readFrames(recorder.folder, 'torn-end-allowed').findLast((frame) => frame.changed !== 0);
    return changed?.seg === 1 && changed.t >= sessionUs(known, painted);
  });
  const { line } = await recorder.stop();

  const recording = readRecording(line.folder);
  expect(recording.verdict).toEqual({ kind: 'complete', missing: [], endedBy: 'signal' });
  expect(recording.capture).toMatchObject({ grabber: 'pipewire', lossless: true });
  expect(pointerEvents(readEvents(line.folder))).toEqual([...bothWays(300, 200), ...bothWays(600, 1000)]);
  expect(readEvents(line.folder).filter(({ type }) => type === 'view')).toMatchObject([
    { view: { x: 0, y: 0, width: 1280, height: 720 }, segment: 0 },
    { view: { x: 0, y: 0, width: 720, height: 1280 }, segment: 1 },
  ]);
  expect(recording.displays.map(({ displays }) => displays.map(({ width, height }) => [width, height]))).toEqual([
    [[1280, 720]],
    [[720, 1280]],
  ]);
  expect(session.asked()).toMatchObject({ questions: 1, token: 'the-person-allowed-this-screen' });
  const colours: number[] = [];
  const file = `${line.folder}/${recording.segments[1]?.file}`;
  await decode(file, { x: 600, y: 320, width: 2, height: 2 }, (rgb) => colours.push(rgb.readUIntBE(0, 3)));
  expect(colours.at(-1)).toBe(paints[1]?.colour);
});

it('a display to the right of another is recorded at its place', async () => {
  const { session, person } = await begin(['1280x720', '1024x768']);
  session.arrange([
    { monitor: 0, x: 1024 },
    { monitor: 1, x: 0 },
  ]);
  const recorder = await person.record(workspace.path, ['--display', '1']);
  await person.point(null, 300, 200, { recorder, left: 1024 });
  await person.click(LEFT);
  const { line } = await recorder.stop();
  const recording = readRecording(line.folder);
  expect(recording.verdict?.kind).toBe('complete');
  expect(recording.displays[0]?.displays).toMatchObject([
    { name: 'Meta-0', x: 1024, width: 1280 },
    { name: 'Meta-1', x: 0, width: 1024 },
  ]);
  expect(pointerEvents(readEvents(line.folder))).toEqual(bothWays(1324, 200));
});

it.each([
  { how: '200 %', scale: 2, logical: false },
  { how: '200 %, in logical pixels', scale: 2, logical: true },
  { how: '150 %, in logical pixels', scale: 1.5, logical: true },
])('a 4K display at $how is recorded in its own pixels, with clicks to the pixel', async ({ scale, logical }) => {
  const { session, person } = await begin(['3840x2160'], logical);
  session.arrange([{ monitor: 0, x: 0, scale }]);
  const window = await person.openWindow();
  const recorder = await person.record(workspace.path, ['--fps', '10']);
  await person.point(window, 3000, 1800, { scale, recorder });
  await person.click(LEFT);
  await window.heard('button', 2);
  const { line } = await recorder.stop();
  const recording = readRecording(line.folder);
  expect(recording.verdict?.kind).toBe('complete');
  const known = { x: 0, y: 0, width: 3840, height: 2160, scale: logical ? scale : 1 };
  expect(recording.displays[0]?.displays).toMatchObject([known]);
  expect(recording.capture).toMatchObject({ lossless: true });
  expect(pointerEvents(readEvents(line.folder))).toEqual(bothWays(3000, 1800));
});
