import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { act, type Model, newModel, RECORDING, situationOf, write } from './model-for-tests.ts';
import { chooseCheck, isCheckTurn, lot, plannedReplicas } from './policy.ts';
import { type QueueEntry, queueOf } from './queue.ts';

const entry = (name: string, model: Model, person: string, more: Partial<QueueEntry> = {}): QueueEntry => {
  const situation = situationOf(model, person);
  return {
    situation: { ...situation, recording: name },
    task: 'GIMP_1',
    software: 'gimp',
    goal: 'Crop',
    startedAt: '2026-01-01T00:00:00.000Z',
    agreement: null,
    ...more,
  };
};

function begun(person: string): Model {
  const model = newModel();
  write(model, person, 'own');
  return model;
}
function handedIn(person: string): Model {
  const model = begun(person);
  act(model, person, { type: 'submit', document: RECORDING, version: 2 });
  return model;
}
function rejected(person: string): Model {
  const model = handedIn(person);
  act(model, 'rita', { type: 'claim' });
  act(model, 'rita', { type: 'verdict', verdict: 'reject', version: 2, reasons: ['unclear'], comment: 'No' });
  return model;
}
function replicas(...people: string[]): Model {
  const model = newModel({ replicas: 2 });
  for (const person of people) {
    write(model, person, 'own');
    act(model, person, { type: 'submit', document: `${RECORDING}~${person}`, version: 2 });
  }
  return model;
}

describe('the queue (RV11)', () => {
  test('gives what was sent back first, then what is in hand, then what others wait for', () => {
    // The main document's id is the recording's, which the model calls by one name for all.
    const all: [string, Model][] = [
      ['new', newModel()],
      ['waiting', handedIn('ben')],
      ['replicas', replicas('ben', 'cleo')],
      ['claimed', claimedBy('ada')],
      ['sent back', rejected('ada')],
      ['of others', begun('ben')],
      ['own', handedIn('ada')],
    ];
    const work = queueOf(all.map(([name, model]) => entry(name, model, 'ada')));
    expect(work.map(({ kind, recording }) => [kind, recording])).toEqual([
      ['repair', 'sent back'],
      ['review', 'claimed'],
      ['adjudicate', 'replicas'],
      ['review', 'waiting'],
      ['annotate', 'new'],
    ]);
  });

  function claimedBy(person: string): Model {
    const model = handedIn('ben');
    act(model, person, { type: 'claim' });
    return model;
  }

  test('gives comments that name the person after what is in hand; to nobody else, and to nobody who is blind', () => {
    const people = [
      { id: 'ada', name: 'Ada' },
      { id: 'cleo', name: 'Cleo' },
    ];
    const pin = { action: null, role: null, place: null, t: null };
    const talked = (model: Model, text: string, by = 'ben'): Model => {
      act(model, by, { type: 'comment', thread: null, pin, text });
      return model;
    };
    const work = (person: string, ...all: [string, Model][]) =>
      queueOf(
        all.map(([name, model]) => entry(name, model, person)),
        people,
      ).map(({ kind, recording, asked }) => [kind, recording, asked]);
    const all: [string, Model][] = [
      ['of others', talked(begun('ben'), 'Is it so, @Ada?')],
      ['waiting', talked(handedIn('ben'), 'For @Ada alone')],
      ['sent back', rejected('ada')],
      ['no name', talked(begun('ben'), 'Ada, is it so?')],
    ];
    expect(work('ada', ...all)).toEqual([
      ['repair', 'sent back', 0],
      ['answer', 'of others', 1],
      ['review', 'waiting', 1],
    ]);
    expect(work('cleo', all[0]!)).toEqual([]);
    const blind = newModel({ replicas: 2 });
    write(blind, 'ben', 'own');
    expect(work('ada', ['blind', talked(blind, 'Look, @Ada')])).toEqual([['annotate', 'blind', 0]]);
  });

  test('sorts adjudications by how little they agree, and reviews by how long they wait', () => {
    const model = replicas('ben', 'cleo');
    const entries = [0.9, 0.2, null, 0.5].map((agreement, at) => entry(`r${at}`, model, 'ada', { agreement }));
    expect(queueOf(entries).map(({ recording }) => recording)).toEqual(['r1', 'r3', 'r0', 'r2']);
  });

  test('completes pairs before it begins new ones', () => {
    const half = replicas('ben');
    const entries = [entry('new', newModel({ replicas: 2 }), 'ada'), entry('half', half, 'ada')];
    expect(queueOf(entries).map(({ recording, document }) => [recording, document])).toEqual([
      ['half', null],
      ['new', null],
    ]);
  });

  test('is the same whatever order the recordings come in', () => {
    const all = [newModel(), handedIn('ben'), replicas('ben', 'cleo'), rejected('ada'), newModel(), handedIn('cleo')];
    const entries = all.map((model, at) => entry(`r${at}`, model, 'ada'));
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), (shuffled) => {
        expect(queueOf(shuffled)).toEqual(queueOf(entries));
      }),
    );
  });
});

describe('the lot (RV4, RV12)', () => {
  const policy = { ...newModel().policy, replicas: 2, replicaShare: 0.3, checkShare: 0.1 };
  const names = Array.from({ length: 4000 }, (_, at) => `2026-${at}`);

  test('replicates the share that is wanted, and another one with another seed', () => {
    const chosen = (seed: number) => names.filter((name) => plannedReplicas({ ...policy, seed }, name) === 2);
    expect(chosen(1).length / names.length).toBeCloseTo(0.3, 1);
    expect(chosen(1)).toEqual(chosen(1));
    expect(chosen(2)).not.toEqual(chosen(1));
    expect(names.filter((name) => plannedReplicas({ ...policy, replicaShare: 1 }, name) === 1)).toEqual([]);
    expect(names.filter((name) => plannedReplicas({ ...policy, replicaShare: 0 }, name) === 2)).toEqual([]);
  });

  test('makes about the wanted share of the work a check', () => {
    const turns = names.filter((_, at) => isCheckTurn(policy, 'ada', at));
    expect(turns.length / names.length).toBeCloseTo(0.1, 1);
    expect(names.filter((_, at) => isCheckTurn({ ...policy, checkShare: 0 }, 'ada', at))).toEqual([]);
  });

  test('chooses a check whatever order the recordings come in, and none of none', () => {
    expect(chooseCheck(policy, 'ada', 3, [])).toBeNull();
    fc.assert(
      fc.property(fc.shuffledSubarray(names.slice(0, 20), { minLength: 20 }), (shuffled) => {
        expect(chooseCheck(policy, 'ada', 3, shuffled)).toBe(chooseCheck(policy, 'ada', 3, names.slice(0, 20)));
      }),
    );
    const drawn = new Set(names.slice(0, 200).map((_, at) => chooseCheck(policy, 'ada', at, names.slice(0, 5))));
    expect(drawn.size).toBe(5);
  });

  test('is spread evenly from 0 to 1', () => {
    const tenths = new Array<number>(10).fill(0);
    for (const name of names) tenths[Math.floor(lot(name) * 10)]!++;
    for (const count of tenths) expect(Math.abs(count - 400)).toBeLessThan(100);
  });
});
