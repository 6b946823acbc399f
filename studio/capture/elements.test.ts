import { expect, test } from 'vitest';
import { startSessionClock } from '../../native/clock/session-clock.ts';
import { elementsFor } from './elements.ts';

async function said(elements: boolean, name: 'wayland' | 'x11'): Promise<string[]> {
  const notices: string[] = [];
  const unused = (): never => {
    throw new Error('nothing is asked, so nothing is answered');
  };
  const questions = elementsFor(
    { elements },
    { name },
    {
      clock: startSessionClock(),
      lists: { exclude: [], only: [] },
      outlet: { element: unused, text: unused },
      notice: (code, message) => notices.push(`${code}: ${message}`),
      cut: () => false,
    },
  );
  await questions.ready();
  await questions.close();
  return notices;
}

test('elements that are wished for where nobody can be asked are told of, once', async () => {
  expect(await said(true, 'wayland')).toEqual([expect.stringMatching(/^elements-not-asked: .* on Wayland/)]);
  expect(await said(false, 'wayland')).toEqual([]);
  expect(await said(false, 'x11')).toEqual([]);
});
