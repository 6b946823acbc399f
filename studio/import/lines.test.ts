import { expect, test } from 'vitest';
import { refuseLater } from './lines.ts';

test('a text that does not fit is told apart from one of a later program', () => {
  const refuse = (text: string): void => refuseLater('history.jsonl', Buffer.from(text), { schema: 'ours', newest: 2 });
  expect(() => refuse('{"schema":"ours","version":3}')).toThrow(
    expect.objectContaining({
      code: 'FUTURE_VERSION',
      message:
        'history.jsonl has version 3; this program knows versions up to 2. Use the newer program that wrote it, or update this one.',
      details: { file: 'history.jsonl', found: 3, newest: 2 },
    }),
  );
  const others = [
    '{"schema":"ours","version":2}',
    '{"schema":"theirs","version":3}',
    '{"schema":"ours","version":"3"}',
  ];
  for (const text of [...others, 'null', '[', '']) expect(() => refuse(text)).not.toThrow();
});
