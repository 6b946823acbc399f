import { expect, test } from 'vitest';
import { applyChanges, toRecords } from '../../../core/annotate/document.ts';
import { nameElement, setBox } from '../../../core/annotate/edit.ts';
import type { Change, StoredTransaction } from '../../../schemas/annotation.ts';
import { setLanguage } from '../../language/tr.ts';
import { MAIN_DOCUMENT, takenLabel, undoneLabel } from '../labels.ts';
import { historyEntry } from './history-words.ts';

const stored = (label: string, changes: Change[], more: Partial<StoredTransaction> = {}): StoredTransaction => ({
  id: '00000000-0000-4000-8000-000000000001',
  label,
  changes,
  version: 1,
  person: 'me',
  at: '2026-01-01T00:00:00.000Z',
  undoes: null,
  redoes: null,
  ...more,
});

test('a name is told with what it was before', () => {
  const first = nameElement(new Map(), 'a1', 'Insert', 'hand');
  const second = nameElement(applyChanges(toRecords([]), first), 'a1', 'Insert tab', 'hand');
  expect(historyEntry(stored('Name element', first), 'a1').lines).toEqual(['Element: none → Insert']);
  expect(historyEntry(stored('Name element', second), 'a1').lines).toEqual(['Element: Insert → Insert tab']);
});

test('of a gesture on many steps only the named one is told', () => {
  const box = { x: 1, y: 2, width: 3, height: 4 };
  const changes = ['a1', 'a2'].flatMap((action) => setBox(new Map(), action, 'target', box, 'hand', 1));
  expect(historyEntry(stored('Boxes', changes), 'a2').lines).toEqual(['Box: none → 1, 2, 3 × 4']);
  expect(historyEntry(stored('Boxes', changes), null).lines).toHaveLength(2);
});

test('a title and an edge of a subtask are told at the step that it begins at', () => {
  const subtask = { kind: 'subtask', id: 's1', first: 'a2', title: '' } as const;
  const named = { ...subtask, title: 'Crop around the sun' };
  const moved = { ...named, first: 'a3' };
  const name = (id: string) => `Step ${id.slice(1)}`;
  const titled = stored('Title subtask', [{ op: 'change', before: subtask, after: named }]);
  expect(historyEntry(titled, 'a2', name).lines).toEqual(['Title: none → Crop around the sun']);
  expect(historyEntry(titled, 'a3', name).lines).toEqual([]);
  const edge = stored('Begin subtask here', [{ op: 'change', before: named, after: moved }]);
  for (const action of ['a2', 'a3'])
    expect(historyEntry(edge, action, name).lines).toEqual(['Begins at: Step 2 → Step 3']);
  const split = stored('Split subtask', [{ op: 'add', record: subtask }]);
  expect(historyEntry(split, 'a2', name).lines).toEqual(['Begins at: none → Step 2']);
});

test('what an adjudicator did is told in the language shown, and names of people are not translated', () => {
  const german = {
    Box: 'Rahmen',
    'Main document': 'Hauptdokument',
    'Take {place} ({side}): {difference}': '{place} übernommen ({side}): {difference}',
    'Undo decision: {difference}': 'Entscheidung rückgängig: {difference}',
  };
  setLanguage('de', new Map(Object.entries(german)));
  const titles = [takenLabel('B', 'Box (B)', 'Box'), takenLabel('A', MAIN_DOCUMENT, 'Box'), undoneLabel('Box')].map(
    (label) => historyEntry(stored(label, []), null).title,
  );
  setLanguage('en', new Map());
  expect(titles).toEqual([
    'B übernommen (Box (B)): Rahmen',
    'A übernommen (Hauptdokument): Rahmen',
    'Entscheidung rückgängig: Rahmen',
  ]);
});

test('an undo says what it takes back', () => {
  const id = '00000000-0000-4000-8000-000000000002';
  expect(historyEntry(stored('Name element', [], { undoes: id }), null).title).toBe('Undo: Name element');
  expect(historyEntry(stored('Undo Name element', [], { undoes: id }), null).title).toBe('Undo: Name element');
});
