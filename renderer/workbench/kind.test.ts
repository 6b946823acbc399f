import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { stepFrom } from '../../core/annotate/steps-for-tests.ts';
import type { Step } from '../../schemas/api/models.ts';
import { setLanguage } from '../language/tr.ts';
import { kindWords } from './kind.tsx';

afterEach(() => setLanguage('en', new Map()));

const BUTTONS = ['left', 'right', 'middle', 'back', 'forward'] as const;

test.each([
  { language: 'de', said: ['Klick', 'Rechtsklick', 'Mittelklick', 'Klick (Zurück-Taste)', 'Klick (Vor-Taste)'] },
  { language: 'zh-Hans', said: ['单击', '单击（右键）', '单击（中键）', '单击（后退键）', '单击（前进键）'] },
])('D17: in $language a click with any button of a mouse has no English word', ({ language, said }) => {
  const file = join(import.meta.dirname, '..', 'language', language, 'workbench.json');
  setLanguage(language, new Map(Object.entries<string>(JSON.parse(readFileSync(file, 'utf8')))));
  const words = (kind: Step['kind']) =>
    BUTTONS.map((button) => kindWords(stepFrom('a1', 0, { kind, button, count: 1, modifiers: [] })));
  expect(words('click')).toEqual(said);
  for (const drag of words('drag')) expect(drag).not.toMatch(/left|right|middle|back|forward|drag/i);
});
