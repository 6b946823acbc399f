import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import { VERIFICATION_STAGES } from '../../schemas/composition-terms.ts';
import type { VerificationAct, VerificationEvent } from '../../schemas/composition-verification.ts';
import { humanTables, verifiedNow, verifiedTable } from './human.ts';
import { TABLE_3 } from './papers-for-tests.ts';
import {
  endsClaim,
  isKeptFrom,
  judgeAnswers,
  judgeSubmit,
  platformsOf,
  stageDoneBy,
  verificationOf,
  verificationStanding,
  whyNotVerify,
} from './verification.ts';

const VERSION = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const RIGHT = { movie: { title: 'Killers of the Flower Moon' }, era: { era: '1920s' } };
type Answers = Record<string, Record<string, string>>;
type Submit = Extract<VerificationAct, { type: 'submit' }>;
const submit = (platform: string, answers: Answers = RIGHT, recording: string | null = 'r'): Submit => ({
  type: 'submit',
  platform,
  members: Object.entries(answers).map(([member, outputs]) => {
    return { member, recording, answers: Object.entries(outputs).map(([output, text]) => ({ output, text })) };
  }),
});
const blind = (...answers: string[]): VerificationAct => ({ type: 'answer', answers, recording: null });
const claim = (stage: (typeof VERIFICATION_STAGES)[number]): VerificationAct => ({ type: 'claim', stage });

/** A log that takes what the laws take; gives why something was not taken. */
function log(composition: Composition = TABLE_3) {
  const events: VerificationEvent[] = [];
  let of = VERSION;
  return {
    events,
    set version(version: string) {
      of = version;
    },
    now: () => verificationOf(events),
    standing: () => verificationStanding(verificationOf(events), composition, of),
    do(person: string, act: VerificationAct | { type: 'look' }): string | null {
      const verification = verificationOf(events);
      const wanted = act.type === 'look' ? null : { person, act, composition, of };
      const why = wanted && whyNotVerify(verification, wanted);
      if (why !== null) return why;
      const n = events.length + 1;
      const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
      const head = { n, id, at: '2026-11-28T10:00:00.000Z', person, name: person.toUpperCase(), of, act };
      const ends = wanted !== null && endsClaim(verification, wanted);
      if (act.type === 'submit') {
        const judged = judgeSubmit(composition, act);
        const matches = judged.every((one) => one.matches);
        events.push({ ...head, facts: { judged, matches, seconds: 60, ends } });
      } else if (act.type === 'answer')
        events.push({ ...head, facts: { ...judgeAnswers(composition, act), seconds: 60, ends } });
      else events.push(head);
      return null;
    },
  };
}

/** Everybody does their part of table 3 and is right. */
function verified(): ReturnType<typeof log> {
  const made = log();
  const done = [
    made.do('ada', claim('design')),
    made.do('ada', submit('Android')),
    ...['ben', 'cem'].flatMap((person) => [
      made.do(person, claim('independent')),
      made.do(person, submit('Android')),
      made.do(person, submit('Windows')),
    ]),
    made.do('dea', claim('blind')),
    made.do('dea', blind('Killers of the Flower Moon', '1920s')),
  ];
  expect(done.filter((why) => why !== null)).toEqual([]);
  return made;
}

describe('three stages', () => {
  test('CV2, CV5: table 3 is verified by one, two and one; tables 4 and the human row say so', () => {
    const made = verified();
    expect(made.standing()).toMatchObject({ verified: true, outOfDate: false });
    const now = verifiedNow(TABLE_3, made.now(), VERSION);
    expect(verifiedTable(now).rows.slice(3)).toEqual([
      ['Answer of atomic task 1', '✓', '✓'],
      ['Answer of atomic task 2', '✓', '✓'],
    ]);
    const [list, row] = humanTables([now]);
    expect(list?.rows[1]).toEqual(['dicaprio-2023', 'DEA', 'yes', '2 of 2', '60']);
    expect(row?.rows[1]).toEqual(['human', '1', '1', '100.0', '–', '100.0', '100.0', '100.0', '0']);
  });

  test('CV1: nobody does two stages, whatever was claimed, given back, handed in or changed in whatever order', () => {
    const people = ['ada', 'ben', 'cem', 'dea', 'eva'];
    const act: fc.Arbitrary<VerificationAct | { type: 'look' } | { type: 'change' }> = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...VERIFICATION_STAGES.map(claim)) },
      fc.constant<VerificationAct>({ type: 'release' }),
      fc.constant({ type: 'look' as const }),
      fc.constant({ type: 'change' as const }),
      {
        weight: 4,
        arbitrary: fc.constantFrom(submit('Android'), submit('Windows'), submit('Android', { movie: { title: 'x' } })),
      },
      { weight: 2, arbitrary: fc.constantFrom(blind('Killers of the Flower Moon', '1920s'), blind('x')) },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...people), act), { maxLength: 60 }), (acts) => {
        const made = log();
        let version = VERSION;
        for (const [person, one] of acts) {
          if (one.type === 'change') {
            version = version === VERSION ? OTHER : VERSION;
            made.version = version;
          } else made.do(person, one);
          const now = made.now();
          for (const somebody of people) {
            const stages = new Set([
              ...now.handed.filter((handed) => handed.person === somebody).map(({ stage }) => stage),
              ...(now.claims.has(somebody) ? [now.claims.get(somebody)!.stage] : []),
            ]);
            expect(stages.size).toBeLessThanOrEqual(1);
            // CV3: whoever has it blind never saw it.
            if (stages.has('blind') && now.claims.has(somebody)) expect(now.seen.has(somebody)).toBe(false);
          }
          // CV5: exactly then, counted anew from what was handed in.
          const own = now.handed.filter(({ of }) => of === version);
          const right = (person: string, stage: string, wants: number): boolean => {
            const theirs = own.filter((handed) => handed.person === person && handed.stage === stage);
            return theirs.length === wants && theirs.every(({ matches }) => matches);
          };
          const count = (stage: string, wants: number): number =>
            people.filter((one) => right(one, stage, wants)).length;
          const isVerified = count('design', 1) >= 1 && count('independent', 2) >= 2 && count('blind', 1) >= 1;
          expect(made.standing().verified).toBe(isVerified);
          const all = new Set(now.handed.map((handed) => handed.person));
          if (isVerified) expect(all.size).toBeGreaterThanOrEqual(4);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('CV2: a place that is taken is not given twice, and one that did not match is given to somebody else', () => {
    const made = log();
    made.do('ada', claim('design'));
    expect(made.do('ben', claim('design'))).toBe('Somebody else has the design of it, or did it.');
    made.do('ada', { type: 'release' });
    expect(made.do('ben', claim('design'))).toBeNull();
    made.do('ben', submit('Windows', { ...RIGHT, era: { era: '1930s' } }));
    expect(made.standing().stages[0]).toMatchObject({ state: 'differs', free: 1 });
    expect(made.do('ben', claim('design'))).toBe('You have done the design of it.');
    made.do('ada', claim('design'));
    expect(made.do('ada', submit('Linux'))).toBe('It names no platform “Linux”. It is verified on: Android, Windows.');
    made.do('ada', submit('Android'));
    expect(made.standing().stages[0]).toMatchObject({ state: 'done', done: ['ada'] });
    made.do('cem', claim('independent'));
    made.do('cem', submit('Android'));
    expect(made.do('cem', submit('Android'))).toBe('You have handed in Android already.');
    expect(made.now().claims.has('cem')).toBe(true);
    made.do('cem', submit('Windows'));
    expect(made.now().claims.has('cem')).toBe(false);
  });

  test('CV3: a blind one never opened it, sees the task alone while it is in hand, and waits for the design', () => {
    const made = log();
    expect(made.do('dea', claim('blind'))).toBe('The blind assessment begins once the design is there and matches.');
    made.do('ada', claim('design'));
    made.do('ada', submit('Android'));
    made.do('cem', { type: 'look' });
    expect(made.do('cem', claim('blind'))).toMatch(/^You have opened this composition/);
    made.do('dea', claim('blind'));
    expect([isKeptFrom(made.now(), 'dea'), isKeptFrom(made.now(), 'cem'), isKeptFrom(made.now(), null)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(made.do('dea', submit('Android'))).toMatch(/handed in another way/);
    made.do('dea', blind('1920s'));
    expect([isKeptFrom(made.now(), 'dea'), isKeptFrom(made.now(), null)]).toEqual([false, false]);
    expect(stageDoneBy(made.now(), 'dea')).toBe('blind');
  });

  test('CV4: answers match by tolerance, other ways to write them, in any order; an unrecorded task does not', () => {
    const composition = compositionSchema.parse({
      schema: 'trajectory-studio/composition',
      version: 1,
      id: 'c',
      title: 'C',
      kind: 'pathway',
      members: [
        {
          id: 'a',
          instructions: { base: 'a' },
          outputs: [
            { name: 'sum', value: 10, tolerance: 0.5 },
            { name: 'who', value: 'Ada', alternatives: ['A. L.'] },
            { name: 'list', value: ['x', 'y'] },
          ],
        },
      ],
    });
    expect(platformsOf(composition)).toEqual(['']);
    const judged = (sum: string, who: string, list: string, recording: string | null = 'r') =>
      judgeSubmit(composition, submit('', { a: { sum, who, list } }, recording)).map(({ matches }) => matches);
    expect(judged('10.4', 'A. L.', 'y, x')).toEqual([true, true, true, true]);
    expect(judged('10.6', 'Eve', 'x', null)).toEqual([false, false, false, false]);
  });

  test('CV4: a blind result counts the answers that it was made of', () => {
    const found = (...answers: string[]) => judgeAnswers(TABLE_3, { type: 'answer', answers, recording: null });
    expect(found('1920s')).toMatchObject({ matches: true, judged: [{ matches: true, text: '' }, { matches: true }] });
    expect(found('Killers of the Flower Moon')).toMatchObject({
      matches: false,
      judged: [{ matches: true }, { matches: false }],
    });
  });

  test('CV6: a changed composition is out of date, and verified again when it is as it was', () => {
    const made = verified();
    made.version = OTHER;
    expect(made.standing()).toMatchObject({ verified: false, outOfDate: true });
    expect(made.do('ben', claim('blind'))).toMatch(/Each stage is done by others/);
    expect(made.do('ada', claim('design'))).toBeNull();
    made.version = VERSION;
    expect(made.do('ada', submit('Android'))).toMatch(/You have handed in|changed since/);
    expect(made.standing()).toMatchObject({ verified: true });
  });
});
