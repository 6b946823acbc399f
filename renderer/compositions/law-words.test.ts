import { afterEach, expect, test } from 'vitest';
import { LAW_SENTENCES, lawText } from '../../core/compositions/law-sentences.ts';
import { setLanguage } from '../language/tr.ts';
import { lawWords } from './law-words.ts';

afterEach(() => setLanguage('en', new Map()));

const VALUES = { slot: '{{meeting.time}}', level: 'L1', count: 2, member: 'a' };

test.each(Object.entries(LAW_SENTENCES))(
  'the sentence “%s” is one that pages translate, and in English it is the same',
  (_, text) => {
    const sentence = { text, values: VALUES };
    const why = lawText(sentence);
    expect(lawWords({ sentence, why: 'in English' })).not.toBe('in English');
    expect(lawWords({ sentence, why })).toBe(why);
  },
);

test('a page says it in its language, with its values as they are; one that it does not know stays English', () => {
  setLanguage('de', new Map([[LAW_SENTENCES.slotOfNothing, 'Nichts gibt {slot}.']]));
  const sentence = { text: LAW_SENTENCES.slotOfNothing, values: VALUES };
  expect(lawWords({ sentence, why: '' })).toBe('Nichts gibt {{meeting.time}}.');
  expect(lawWords({ sentence: { ...sentence, text: 'Of a newer program.' }, why: 'It says so.' })).toBe('It says so.');
});
