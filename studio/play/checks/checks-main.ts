import { type Found, isCalled, judge } from '../../../core/play/checks.ts';
import { keepCompiledCode } from '../../../native/process/keep-compiled.ts';
import { hearParent, tellParent } from '../../../native/process/serve.ts';
import { protocol } from '../../../native/process/supervise.ts';
import type { SeenElement } from '../../../schemas/elements.ts';
import type { CheckOrder, FromChecker } from './evaluate.ts';
import { type CheckDisplay, findFor } from './read.ts';

/**
 * The process that looks at an outcome. Of its own, because a file or a query may be made to take for ever, and a display that
 * goes away stops the thread that used it: whoever started this ends it.
 */
const tell = (message: FromChecker): Promise<void> => tellParent(message);

async function openDisplay(): Promise<CheckDisplay | null> {
  if (process.platform !== 'win32' && (process.platform !== 'linux' || !process.env.DISPLAY)) return null;
  const { endWithDisplay, openHands, openTitles } = await import('../../../native/index.ts');
  await endWithDisplay();
  const hands = await openHands();
  return {
    look: ({ x, y, width, height }) => hands.look({ x, y, width, height }),
    ...(await openTitles()),
    elements: await elementsHere(),
  };
}

async function elementsHere(): Promise<CheckDisplay['elements']> {
  const { openElementList } = await import('../../../native/index.ts');
  try {
    const list = await openElementList();
    // The others only where they have a name or a value, so that a person can pick one.
    return (check) => list((one) => one.name !== '' || isCalled(check, one));
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** A long text, and a value that is a list or an object, are told in part: a person looks at them. */
const MOST_SHOWN = 50_000;
const MOST_ELEMENTS = 400;
const MOST_NAMES = 2000;
function shown(found: Found): Found {
  if (found.of === 'text') return { of: 'text', text: found.text.slice(0, MOST_SHOWN) };
  if (found.of === 'document' || found.of === 'pdf') return { ...found, text: found.text.slice(0, MOST_SHOWN) };
  if (found.of === 'archive') return { ...found, names: found.names.slice(0, MOST_NAMES) };
  if (found.of === 'elements') return { ...found, elements: found.elements.slice(0, MOST_ELEMENTS).map(shownElement) };
  if (found.of !== 'value' || typeof found.value !== 'object' || found.value === null) return found;
  return { of: 'value', value: JSON.stringify(found.value).slice(0, MOST_SHOWN) };
}

const shownElement = (one: SeenElement): SeenElement => ({
  ...one,
  name: one.name.slice(0, 300),
  value: typeof one.value === 'string' ? one.value.slice(0, 300) : one.value,
});

hearParent(protocol<CheckOrder>({ look: true }), async ({ checks, place, live }) => {
  await tell({ type: 'started' });
  let opened: Promise<CheckDisplay | null> | null = null;
  const display = (): Promise<CheckDisplay | null> => {
    opened ??= live ? openDisplay() : Promise.resolve(null);
    return opened;
  };
  for (const check of checks) {
    const found = await findFor(check, place, display, live);
    // After the last result whoever started this ends it.
    keepCompiledCode();
    await tell({ type: 'result', result: judge(check, found), found: shown(found) });
  }
  process.exit(0);
});
