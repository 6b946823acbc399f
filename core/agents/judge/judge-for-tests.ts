import type { JudgedSubject, OutcomeSaid } from '../../../schemas/judge.ts';

/** Recordings and answers of judges, for tests. */

export const subjectForTests = (more: Partial<JudgedSubject> & { shown?: number } = {}): JudgedSubject => {
  const { shown = 3, ...rest } = more;
  return {
    recording: 'judged',
    kind: 'run',
    task: 'T_1',
    software: 'editor',
    goal: 'Write Hi and save it',
    answer: null,
    steps: [{ words: 'Type "Hi"', picture: 0 }],
    pictures: Array.from({ length: shown }, (_, n) => ({
      sha256: String(n).padStart(64, 'a'),
      width: 64,
      height: 40,
    })),
    all: shown,
    ...rest,
  };
};

/** An answer of a judge in the right form, from the texts of the question alone. */
export function judgeAnswer(texts: readonly string[], says: OutcomeSaid): string {
  const all = texts.join('\n');
  const code = /"code": "([0-9a-f]+)"/.exec(all)?.[1] ?? '';
  if (all.includes('Before you see anything'))
    return JSON.stringify({
      code,
      criteria: [
        { about: 'outcome', text: 'The text Hi stands in the saved file.' },
        { about: 'process', text: 'No other file was changed.' },
      ],
    });
  if (all.includes('no verdict yet'))
    return JSON.stringify({ code, seen: [{ criterion: 1, what: 'The text stands there.' }] });
  const met = { succeeded: true, failed: false, unsure: null }[says];
  return JSON.stringify({
    code,
    criteria: [
      { criterion: 1, met, why: 'As the last picture shows.' },
      { criterion: 2, met: true, why: 'Nothing else is to be seen.' },
    ],
    outcome: says,
    why: `It ${says}.`,
  });
}
