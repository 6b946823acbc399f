import { expect, test } from 'vitest';
import { withheldWords } from './withheld-words.ts';

test('what was withheld is told with its reasons, each once', () => {
  const lines = [
    { keys: 8, why: 'field' as const },
    { keys: 0, why: 'echo' as const },
    { keys: 1, why: 'unanswered' as const },
    { keys: 4 },
  ];
  expect(withheldWords(lines)).toBe(
    '12 keys withheld: typed into a field for passwords; 1 key withheld: the program did not answer, so it could have been a password',
  );
  expect(withheldWords([{ keys: 0 }])).toBeNull();
});
