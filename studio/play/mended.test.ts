import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toRecords } from '../../core/annotate/document.ts';
import { setField } from '../../core/annotate/edit.ts';
import { piecesOf } from '../../core/play/pieces.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { click, ID } from '../documents/clicks-for-tests.ts';
import { type Documents, openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { openFolder } from '../recordings/closed.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { mendedTexts, whyNotKnown, withMended } from './mended.ts';

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});

test('PL39: a step whose keys were withheld is played by the text that a person gave it, and named without one', async () => {
  const events: RawEvent[] = [
    { type: 'view', t: 0, view: { x: 0, y: 0, width: 1280, height: 720 }, segment: 0 },
    ...click(1e6, 10),
    { type: 'withheld', t: 3e6, from: 2e6, keys: 2, why: 'unanswered' },
  ];
  const folder = writeSample(workspace.recordingsDir, sampleRecording({ id: ID }), events);
  const frames = [0, 2, 4].map((s, i) => ({ i, pts: s * 1000, t: s * 1e6, changed: 100_000 }));
  writeFileSync(join(folder, 'frames.jsonl'), frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  await workspace.syncIndex();
  const { actions } = openFolder(folder);
  expect(actions.map(({ kind, withheldKeys, withheldWhy }) => [kind, withheldKeys, withheldWhy])).toEqual([
    ['click', undefined, undefined],
    ['type', 2, ['unanswered']],
  ]);
  const none = await mendedTexts(workspace, ID);
  expect(whyNotKnown(ID, actions, none)).toMatch(
    /^Step 2 of \S+ is not known \(2 keys withheld: the program did not answer/,
  );

  const documents: Documents = openDocuments(workspace, reviewGate());
  await documents.openRecording(ID);
  const records = toRecords((await documents.get(ID)).records);
  const changes = setField(records, actions[1]!.id, 'text', 'hi');
  await documents.apply(ID, { id: '8f14e45f-ceea-467f-a0e6-ad9d2d5f1b0a', label: 'Correct text', changes }, 'me');
  await documents.close();
  const mended = await mendedTexts(workspace, ID);
  expect(whyNotKnown(ID, actions, mended)).toBeNull();
  const pieces = withMended(piecesOf(events, actions, []), { actions, events, mended }, ID);
  expect(pieces[1]?.events.map((event) => ('code' in event ? `${event.type} ${event.code}` : ''))).toEqual([
    ...['keydown KeyH', 'keyup KeyH', 'keydown KeyI', 'keyup KeyI'],
  ]);
  const strange = new Map([[actions[1]!.id, '語']]);
  expect(() => withMended(pieces, { actions, events, mended: strange }, ID)).toThrow(/step 2 .*cannot type \(語\)/);
});
