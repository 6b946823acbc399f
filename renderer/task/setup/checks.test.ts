import { expect, test } from 'vitest';
import type { SeenByCheck } from '../../../schemas/api/setup.ts';
import { type Check, checkSchema } from '../../../schemas/checks.ts';
import {
  askable,
  CHECK_NAMES,
  type CheckKind,
  checkFault,
  elementWords,
  freeId,
  kindForFile,
  newCheck,
  takeElement,
  takeSeen,
  writtenValue,
} from './checks.ts';

test('a file gets the check that says most about it', () => {
  expect(kindForFile('sums.XLSX')).toBe('cell');
  expect(kindForFile('notes/note.txt')).toBe('text');
  expect(kindForFile('poster.odt')).toBe('text');
  expect(kindForFile('archive.tar')).toBe('archive');
  expect(kindForFile('.config/autostart/a.desktop')).toBe('config');
  expect(kindForFile('data.bin')).toBe('file');
});

test('names of checks are short and each its own', () => {
  expect(freeId('my note (1).txt', [])).toBe('my-note-1-.txt');
  expect(freeId('a', ['a', 'a-2'])).toBe('a-3');
  expect(freeId('…', [])).toBe('check');
});

test('every kind can be begun, says what is missing, and can be asked for what is there', () => {
  for (const kind of Object.keys(CHECK_NAMES) as CheckKind[]) {
    const check = newCheck(kind, 'notes/note.txt', []);
    expect(check.kind).toBe(kind);
    if (kind !== 'file' && kind !== 'json' && kind !== 'cell' && kind !== 'infeasible')
      expect(checkFault(check)).not.toBeNull();
    if (kind === 'element') expect(askable(check)).toMatchObject({ name: '?' });
    if (kind === 'sqlite' || kind === 'region' || kind === 'answer' || kind === 'setting' || kind === 'config')
      continue;
    expect(checkSchema.safeParse(askable(check)).success, kind).toBe(true);
  }
});

test('what is there of a whole file becomes what is wanted', () => {
  const seen: SeenByCheck[] = [
    { of: 'table', names: ['May'] },
    { of: 'document', slides: 3, pictures: 1, text: '' },
    { of: 'pdf', pages: 2, text: '' },
    { of: 'sound', seconds: 1.5, tags: { title: 'Tea' } },
    { of: 'pages', open: ['https://example.org/'], active: 'https://example.org/' },
    { of: 'archive', names: ['a.txt'] },
  ];
  for (const one of seen) {
    const taken = takeSeen(newCheck(one.of as CheckKind, 'notes/a', []), one);
    expect(checkFault(taken), one.of).toBeNull();
    expect(checkSchema.safeParse(taken).error?.issues, one.of).toBeUndefined();
  }
});

test('what is there becomes what is wanted', () => {
  const cell = newCheck('cell', 'sums.xlsx', []);
  expect(takeSeen(cell, { of: 'value', value: 12.5 })).toMatchObject({ equals: 12.5 });
  const picture = takeSeen(newCheck('picture', 'a.png', []), { of: 'picture', width: 4, height: 3, mode: 'colour' });
  expect(picture).toMatchObject({ width: 4, height: 3 });
  expect(checkFault(picture)).toBeNull();
  expect(takeSeen(cell, { of: 'none', why: 'gone' })).toBe(cell);
});

test('a setting is asked for by its schema and key, and takes its value', () => {
  const begun = newCheck('setting', '', []);
  expect(checkFault(begun)).toMatch(/schema/);
  const named = { ...begun, schema: 'org.gnome.desktop.interface', key: '--help' } as Check;
  expect(checkFault(named)).toMatch(/key/);
  const whole = { ...named, key: 'clock-format' } as Check;
  expect(checkFault(whole)).toBeNull();
  expect(checkSchema.safeParse(askable(whole)).success).toBe(true);
  expect(takeSeen(whole, { of: 'value', value: '12h' })).toMatchObject({ equals: '12h' });
});

test('a value of a file of settings is asked for by its key', () => {
  const begun = newCheck('config', '.config/kdeglobals', []);
  expect(checkFault(begun)).toMatch(/key/);
  const whole = { ...begun, section: 'General', key: 'ColorScheme' } as Check;
  expect(checkFault(whole)).toBeNull();
  expect(checkSchema.safeParse(askable(whole)).success).toBe(true);
  expect(takeSeen(whole, { of: 'value', value: 'BreezeDark' })).toMatchObject({ equals: 'BreezeDark' });
});

test('an element is picked with its value, or that it is checked', () => {
  const begun = newCheck('element', '', []);
  if (begun.kind !== 'element') throw new Error('another kind');
  expect(checkFault(begun)).toMatch(/role/);
  const box = { role: 'check box', name: 'Express', states: ['showing', 'checked'], value: null };
  const picked = takeElement(begun, box);
  expect(picked).toMatchObject({ role: 'check box', name: 'Express', state: 'checked' });
  expect(checkFault(picked)).toBeNull();
  expect(checkSchema.safeParse(picked).success).toBe(true);
  expect(elementWords(box)).toBe('check box: Express (checked)');
  const field = { role: 'entry', name: '', states: ['showing'], value: 'Marie' };
  const taken = takeElement(picked, field);
  expect(taken).toMatchObject({ role: 'entry', equals: 'Marie' });
  expect([taken.name, taken.state]).toEqual([undefined, undefined]);
  expect(elementWords(field)).toBe('entry = Marie');
});

test('a value is what it looks like', () => {
  expect([
    writtenValue('12.5'),
    writtenValue('true'),
    writtenValue('null'),
    writtenValue('007'),
    writtenValue(' x '),
  ]).toEqual([12.5, true, null, '007', ' x ']);
});
