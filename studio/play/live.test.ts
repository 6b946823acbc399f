import { expect, test } from 'vitest';
import type { Glancer, GlanceWishes } from '../capture/glancer.ts';
import { livePlays } from './live.ts';

const VIEW = { x: 0, y: 0, width: 640, height: 480 };

/** Displays whose picture is their name; what was asked and which of them were let go. */
function displays() {
  const asked: GlanceWishes[] = [];
  const closed: string[] = [];
  const open = (env: NodeJS.ProcessEnv): Glancer => ({
    async take(wishes) {
      asked.push(wishes);
      return { displays: [], windows: [], view: env.DISPLAY === ':gone' ? null : `data:${env.DISPLAY}` };
    },
    close: () => void closed.push(env.DISPLAY ?? ''),
  });
  return { plays: livePlays(open), asked, closed };
}

test('shows the stage and the step while a play goes on, and nothing before and after it', async () => {
  const { plays, asked, closed } = displays();
  expect(await plays.look('r')).toBeNull();
  const shown = plays.show('r', { DISPLAY: ':7' }, VIEW);
  expect(await plays.look('r')).toEqual({ step: null, picture: 'data::7' });
  shown.began('a2');
  expect(await plays.look('r')).toEqual({ step: 'a2', picture: 'data::7' });
  expect(await plays.look('another')).toBeNull();
  // Nothing else of the display is asked for.
  expect(asked).toContainEqual({ exclude: [], only: [], view: VIEW, viewAlone: true });
  shown.over();
  expect(await plays.look('r')).toBeNull();
  expect(closed).toEqual([':7']);
});

test('the next play of the same recording is not hidden by the end of the one before', async () => {
  const { plays, closed } = displays();
  const first = plays.show('r', { DISPLAY: ':7' }, VIEW);
  const second = plays.show('r', { DISPLAY: ':8' }, VIEW);
  first.over();
  expect(await plays.look('r')).toEqual({ step: null, picture: 'data::8' });
  second.over();
  expect(closed).toEqual([':7', ':8']);
});

test('a display that does not answer has a step without a picture', async () => {
  const { plays } = displays();
  plays.show('r', { DISPLAY: ':gone' }, VIEW).began('a1');
  expect(await plays.look('r')).toEqual({ step: 'a1', picture: null });
});
