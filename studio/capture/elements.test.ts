import { expect, test, vi } from 'vitest';
import { startSessionClock } from '../../native/clock/session-clock.ts';
import { elementsFor, withoutNames } from './elements.ts';

async function said(
  elements: boolean | 'by-default',
  name: 'wayland' | 'x11' | 'windows',
  secretPrograms: string[] = [],
): Promise<string[]> {
  const notices: string[] = [];
  const unused = (): never => {
    throw new Error('nothing is asked, so nothing is answered');
  };
  const questions = elementsFor(
    { elements, secretPrograms },
    { name },
    {
      clock: startSessionClock(),
      lists: { exclude: [], only: [] },
      outlet: { element: unused, text: unused },
      notice: (code, message) => notices.push(`${code}: ${message}`),
      cut: () => false,
      judgePictures: () => undefined,
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
  // Who named programs whose keys are to be withheld relies on it.
  expect(await said(false, 'x11', ['Ledger'])).toEqual([
    expect.stringMatching(/^passwords-not-told: .*--secret-program/),
  ]);
});

test('where nobody chose, only systems that were tried are asked; of the others it is said that passwords are recorded', async () => {
  expect(await said('by-default', 'wayland')).toEqual([
    expect.stringMatching(/^passwords-not-told: .* on Wayland.*Pause before you type one/),
  ]);
  expect(await said('by-default', 'windows')).toEqual([
    expect.stringMatching(/^passwords-not-told: .*--elements.*Pause before you type one/),
  ]);
});

test('where nobody chose and nobody answers, it is recorded, and said that passwords are, too', async () => {
  vi.stubEnv('DISPLAY', undefined);
  expect(await said('by-default', 'x11')).toEqual([
    expect.stringMatching(/^passwords-not-told: .*not asked for on this system.* is recorded/),
  ]);
  expect(await said(true, 'x11')).toEqual([expect.stringMatching(/^elements-lost: .*not asked for on this system/)]);
  vi.unstubAllEnvs();
});

test('without names a line says what an element is and where, and none of the words of its program', () => {
  const bounds = { x: 1, y: 2, width: 30, height: 40 };
  const path = [{ role: 'frame', index: 0 }];
  const words = { name: 'Ada Lovelace', description: 'ada@example.org', automationId: 'contact-ada' };
  expect(
    withoutNames({ t: 5, role: 'table cell', bounds, path, states: ['selected'], app: 'Contacts', ...words }),
  ).toEqual({
    t: 5,
    name: '',
    role: 'table cell',
    bounds,
    path,
    states: ['selected'],
    app: 'Contacts',
  });
});
