import { afterEach, beforeEach, expect, it } from 'vitest';
import { newWorkspace, type Recorder } from '../support/cli.ts';
import { colourOf } from '../support/paints.ts';
import { decode, problemsOf, readEvents, readFrames, readRecording } from '../support/recordings.ts';
import { until } from '../support/until.ts';
import { LEFT, personIn, pointerEvents } from './person.ts';
import { openWaylandSession, type WaylandSession } from './session.ts';

/**
 * Compositors that do otherwise than Mutter: a cast that is kept while its display changes (KDE, wlroots), and a display that
 * is unplugged while it is cast. The displays are Mutter's, the pictures of them come from a PipeWire source of the test's.
 */
let session: WaylandSession;
let workspace: ReturnType<typeof newWorkspace>;
beforeEach(() => {
  workspace = newWorkspace();
});
afterEach(async () => {
  await session?.close();
  workspace.remove();
});

const [FIRST, SECOND] = [colourOf(1), colourOf(2)];
const viewsOf = (folder: string) =>
  readEvents(folder, 'torn-end-allowed').flatMap((e) => (e.type === 'view' ? [[e.view.width, e.view.height]] : []));

type Shown = { colour: number; pointer: { x: number; y: number } };
/** Shows it again and again, as a compositor does on which something moves, until `seen` is true. */
async function showing(own: ReturnType<WaylandSession['ownScreen']>, shown: Shown, what: string, seen: () => boolean) {
  await until(
    what,
    () => {
      own.show(shown);
      return seen();
    },
    { everyMs: 40 },
  );
}
/** The click is written down: what comes later has no part in its place. */
const clicked = (recorder: Recorder) =>
  until('the click', () => pointerEvents(readEvents(recorder.folder, 'torn-end-allowed')).length === 2, {
    seen: recorder.started.stderr,
  });
const framesIn = (recorder: Recorder, segment: number) =>
  readFrames(recorder.folder, 'torn-end-allowed').filter(({ seg = 0 }) => seg === segment);

async function begin(
  monitors: string[],
  screen: { x: number; y: number; width: number; height: number },
  args: string[],
) {
  session = await openWaylandSession({ monitors });
  const own = session.ownScreen(screen);
  const person = personIn(session);
  const shown = { colour: FIRST, pointer: { x: 30, y: 40 } };
  // The recording begins with its first picture.
  const painter = setInterval(() => own.show(shown), 40);
  const recorder = await person.record(workspace.path, args).finally(() => clearInterval(painter));
  return { own, person, recorder };
}

it.each(['the display', 'the cast'])(
  'a cast that changes its size with its display, told by %s first, goes on in a new segment',
  async (first) => {
    const { own, person, recorder } = await begin(['1280x720'], { x: 0, y: 0, width: 1280, height: 720 }, []);
    await person.click(LEFT);
    await clicked(recorder);
    const turn = [
      () => session.arrange([{ monitor: 0, x: 0, turned: true }]),
      () => own.resize({ width: 720, height: 1280 }),
    ];
    for (const step of first === 'the display' ? turn : turn.toReversed()) step();
    const shown = { colour: SECOND, pointer: { x: 600, y: 1000 } };
    await showing(own, shown, 'pictures of the new size', () => framesIn(recorder, 1).length > 0);
    await session.act({ kind: 'move', dx: 1, dy: 0 });
    await showing(own, shown, 'the word of the pointer', () =>
      readEvents(recorder.folder, 'torn-end-allowed').some((e) => e.type === 'move' && e.y === 1000),
    );
    await person.click(LEFT);
    const { line } = await recorder.stop();
    const recording = readRecording(line.folder);
    expect(recording.verdict).toEqual({ kind: 'complete', missing: [], endedBy: 'signal' });
    expect(await problemsOf(line.folder)).toEqual([]);
    expect(session.asked()).toMatchObject({ questions: 1, token: null });
    expect(viewsOf(line.folder)).toEqual([
      [1280, 720],
      [720, 1280],
    ]);
    expect(pointerEvents(readEvents(line.folder)).map(([, , x, y]) => [x, y])).toEqual([
      ...[30, 30].map((x) => [x, 40]),
      ...[600, 600].map((x) => [x, 1000]),
    ]);
    const colours: number[] = [];
    const file = `${line.folder}/${recording.segments[1]?.file}`;
    await decode(file, { x: 700, y: 1270, width: 2, height: 2 }, (rgb) => colours.push(rgb.readUIntBE(0, 3)));
    expect(new Set(colours)).toEqual(new Set([SECOND]));
  },
);

it.each([
  { how: 'with the word that the sharing is over', silent: false },
  { how: 'without a word', silent: true },
])(
  'a display that is unplugged while it is recorded, $how: the recording ends, says why and is whole',
  async ({ silent }) => {
    const monitors = ['1280x720', '1024x768'];
    const { person, recorder } = await begin(monitors, { x: 1280, y: 0, width: 1024, height: 768 }, ['--display', '2']);
    await person.click(LEFT);
    await clicked(recorder);
    session.arrange([{ monitor: 0, x: 0 }]);
    session.endCast({ silent });
    const { exit, line } = await recorder.ended();
    expect(exit.status).toBe(0);
    const folder = line?.folder ?? '';
    expect(readRecording(folder).verdict).toEqual({ kind: 'complete', missing: [], endedBy: 'display-gone' });
    expect(await problemsOf(folder)).toEqual([]);
    expect(pointerEvents(readEvents(folder))).toEqual([
      ['down', 'left', 1310, 40],
      ['up', 'left', 1310, 40],
    ]);
    expect(recorder.started.stderr()).toContain('unplugged or turned off');
  },
);

it('another display that is unplugged changes nothing', async () => {
  const monitors = ['1280x720', '1024x768'];
  const { own, person, recorder } = await begin(monitors, { x: 1280, y: 0, width: 1024, height: 768 }, [
    '--display',
    '2',
  ]);
  // It becomes the only one, and number 1, at another place.
  session.arrange([{ monitor: 1, x: 0 }]);
  const shown = { colour: SECOND, pointer: { x: 70, y: 80 } };
  const views = () => readEvents(recorder.folder, 'torn-end-allowed').filter((e) => e.type === 'view');
  await showing(own, shown, 'the view at its new place', () => views().at(-1)?.view.x === 0);
  await session.act({ kind: 'move', dx: 1, dy: 0 });
  await showing(own, shown, 'the word of the pointer', () =>
    readEvents(recorder.folder, 'torn-end-allowed').some((e) => e.type === 'move' && e.x === 70),
  );
  await person.click(LEFT);
  const { line } = await recorder.stop();
  expect(readRecording(line.folder).verdict).toEqual({ kind: 'complete', missing: [], endedBy: 'signal' });
  expect(pointerEvents(readEvents(line.folder)).at(-1)).toEqual(['up', 'left', 70, 80]);
});
