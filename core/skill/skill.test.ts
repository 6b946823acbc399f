import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../schemas/actions.ts';
import { anyText } from '../../test/support/any-text.ts';
import type { ExportAction, ExportTask, PictureRef } from '../export/model.ts';
import { emptyTask } from '../export/task-for-tests.ts';
import { type SkillFacts, skillDocument, stepsDocument } from './document.ts';
import { inputsOf, type SkillInput } from './inputs.ts';
import { skillName, skillProblems, whyNoSkillName } from './rules.ts';
import { hiding, skillPlanOf } from './steps.ts';

let count = 0;
const at = { t: 0, x: 1, y: 1 };
const still = (path: string): PictureRef => ({ path, width: 8, height: 8, origin: { x: 0, y: 0 } });

/** `screens`: the stills before and after it. */
function acted(action: Partial<Action>, name: string | null = null, screens = ['', '']): ExportAction {
  const id = `r/${++count}`;
  const [before = '', after = ''] = screens;
  return {
    id,
    rank: count,
    recording: 'r',
    action: { id, start: at, end: at, count: 1, modifiers: [], holdMs: null, ...action } as Action, // Of the fields only these are read.
    narration: name === null ? `Do ${action.kind}` : `Do ${action.kind} at ${name}`,
    element: name === null ? null : { name, box: null },
    beforeImage: before ? still(before) : null,
    afterImage: after ? still(after) : null,
    positions: null,
    thought: null,
    actionThought: null,
    observation: null,
  };
}
const click = (name: string, screens?: string[]) => acted({ kind: 'click', button: 'left' }, name, screens);
const type = (text: string, more: Partial<Action> = {}) => acted({ kind: 'type', text, ...more });
const press = (keys: string[], screens?: string[]) => acted({ kind: 'press', keys }, null, screens);

const taskOf = (actions: ExportAction[], goal = 'Fill in the form'): ExportTask =>
  emptyTask({ goal, subtasks: [{ id: 1, query: 'Fill in', startImage: null, endImage: null, actions }] });
const plain = (a: string, b: string): boolean => a === b;

function textsOf(task: ExportTask, inputs: readonly SkillInput[], more: Partial<SkillFacts> = {}) {
  const plan = skillPlanOf(task, inputs, plain);
  const facts: SkillFacts = {
    name: 'fill-in-the-form',
    task,
    inputs,
    plan,
    recordings: ['r'],
    checks: [],
    hasRecipe: false,
    pictures: new Map(),
    withheld: [],
    ...more,
  };
  return { plan, skill: skillDocument(facts), steps: stepsDocument(facts) };
}
const problemsIn = ({ skill, steps }: { skill: string; steps: string }, folder = 'fill-in-the-form') =>
  skillProblems({ folder, skill, steps, has: () => true });

describe('inputs of two recordings of one task', () => {
  const word = fc.stringMatching(/^[a-z]{3,9}( [a-z]{2,6})?$/);
  const field = fc.record({
    name: fc.stringMatching(/^[A-Z][a-z]{4,9}$/),
    one: word,
    other: word,
    differs: fc.boolean(),
  });

  test('what differs is an input, what does not is a constant, wherever steps came between (20 fields)', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(field, { minLength: 20, maxLength: 20, selector: ({ name }) => name }),
        fc.nat(19),
        (fields, detour) => {
          const recording = (which: 'one' | 'other'): ExportAction[] =>
            fields.flatMap(({ name, one, other, differs }, n) => [
              ...(which === 'other' && n === detour ? [click('Help'), press(['Escape'])] : []),
              click(name),
              type(differs && which === 'other' ? `${other}!` : one),
            ]);
          const found = inputsOf([recording('one'), recording('other')], []);
          const wanted = fields.filter(({ differs }) => differs);
          expect(found.map(({ name }) => name).sort()).toEqual(wanted.map(({ name }) => name.toLowerCase()).sort());
          for (const { name, one, other } of wanted)
            expect(found.find((input) => input.name === name.toLowerCase())?.examples).toEqual([one, `${other}!`]);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('another thing chosen between steps that agree is an input, too', () => {
    const recording = (size: string) => [click('Size'), click(size), click('OK')];
    expect(inputsOf([recording('Large'), recording('Small')], [])).toMatchObject([
      { kind: 'choice', examples: ['Large', 'Small'] },
    ]);
  });

  test('of one recording: texts of the goal, dates, numbers and files', () => {
    const fields = ['Name', 'Day', 'Amount', 'File', 'Note'].map((name) => click(name));
    const values = ['Ada', '2026-11-27', '12,50', 'report.pdf', 'thanks'].map((text) => type(text));
    const found = inputsOf([fields.flatMap((one, n) => [one, values[n]!])], ['Pay Ada']);
    expect(found.map(({ name, kind }) => [name, kind])).toEqual([
      ['name', 'text'],
      ['day', 'date'],
      ['amount', 'number'],
      ['file', 'file'],
    ]);
  });
});

describe('secrets', () => {
  test('none of 50 is left in any text, typed, told, in titles or goals', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9#$%]{4,16}$/);
    // One that begins, ends or is within the other, which two at random hardly ever do.
    const pair = fc.oneof(
      fc.tuple(secret, secret),
      fc.tuple(secret, secret).map(([one, more]): [string, string] => [one, one + more]),
      fc.tuple(secret, secret).map(([one, more]): [string, string] => [one + more, one]),
      fc.tuple(secret, secret).map(([one, more]): [string, string] => [one, more + one]),
      fc.tuple(secret, secret, secret).map(([one, two, three]): [string, string] => [one + two, two + three]),
    );
    const given = ['Password', 'Type', 'Sign in as', 'Use', 'for ada', 'mail', 'Sign in with', 'the text contains'];
    const written = (one: string, other: string) => {
      count = 0;
      const recording = (value: string) => [
        click('Password'),
        { ...type(value), narration: `Type ${value}` },
        { ...click(`Sign in as ${value}`), narration: `Use ${value} for ada` },
        acted({ kind: 'press', keys: ['Enter'], window: { app: 'a', title: `(${value}) mail`, id: '1' } as never }),
      ];
      const all = [recording(one), recording(other)];
      const inputs = inputsOf(all, []);
      const task = taskOf(all[0]!, `Sign in with ${one}`);
      const { skill, steps } = textsOf(task, inputs, { checks: [`the text contains ${one}`] });
      return { skill, steps, kinds: inputs.map(({ kind }) => kind) };
    };
    // Words of our own may hold a secret by chance ("onst"), and are then the same with every other secret.
    const known = written('§1§1', '§2§2');
    expect(known.kinds).toEqual(['secret']);
    expect(known.skill).toContain('{SECRET:password}');
    expect(`${known.skill}\n${known.steps}`).not.toContain('§');
    fc.assert(
      fc.property(pair, ([one, other]) => {
        fc.pre(one !== other && !given.some((words) => words.includes(one) || words.includes(other)));
        expect(written(one, other)).toEqual(known);
      }),
      { numRuns: 50 },
    );
  });

  test('nothing is left of one that begins like another, is a part of it, or overlaps it in a text', () => {
    const recording = (value: string) => [click('Password'), type(value), click(`Sign in as ${value}`)];
    for (const [one, other] of [
      ['F#$$', 'F#$$%#$'],
      ['F#$$%#$', 'F#$$'],
      ['F#$$%#$', '%#$'],
    ] as const)
      expect(inputsOf([recording(one), recording(other)], []).map(({ kind }) => kind)).toEqual(['secret']);
    const hide = hiding([{ name: 'key', kind: 'secret', examples: [], actions: [], hidden: ['F#$$', '$$%#'] }]);
    expect(hide('(F#$$%#)')).toBe('({SECRET:key})');
  });

  test('a secret that is a part of its field’s name is one all the same', () => {
    const actions = [click('Password'), type('word')];
    expect(inputsOf([actions, actions], [])).toMatchObject([{ kind: 'secret' }]);
  });

  test('what the recorder withheld is a secret of which nothing is known', () => {
    const inputs = inputsOf([[click('PIN'), type('', { withheld: true })]], []);
    expect(inputs).toMatchObject([{ kind: 'secret', hidden: [], name: 'pin' }]);
  });

  test.each([
    ['Sign in with hunter2.', 7, 'hunter2'],
    ['Sign in as ada/tulip (password: tulip)', 5, 'tulip'],
    ['Type "correct horse" as the passphrase', 13, 'correct horse'],
    ['Set the PIN to 4711', 4, '4711'],
    ['Sign in with blossom', 7, 'blossom'],
    ['用密码tulip9登录', 6, 'tulip9'],
    ['Use (a!b?c!) there', 6, 'a!b?c!'],
    // A wrong letter and Backspace.
    ['Sign in with hunter22', 10, 'hunter22'],
    ['The password is open sesame, and no other', 11, 'open sesame'],
  ])('one that was withheld and that the goal names is a placeholder there: %s', (goal, withheldKeys, secret) => {
    const actions = [click('Password'), type('', { withheld: true, withheldKeys }), click('OK')];
    const task = taskOf(actions, goal);
    task.subtasks[0]!.query = `Now: ${goal}`;
    task.subtasks[0]!.actions[2]!.narration = goal;
    const inputs = inputsOf([actions], [goal]);
    const { skill, steps } = textsOf(task, inputs);
    expect(`${skill}${steps}`).not.toContain(secret);
    expect(skill).toContain('{SECRET:password}');
    expect(inputs).toMatchObject([{ kind: 'secret', hidden: [], said: expect.arrayContaining([secret]) }]);
  });

  test('words that no secret was as long as, that were read on the screen or typed so, and those of a language stay', () => {
    const goal = 'Sign in as ada2026, with password and their PIN, on 2026-11-28, with care';
    const actions = [
      click('User'),
      type('ada2026'),
      click('On 2026-11-28'),
      ...[7, 5, 10, 4].map((withheldKeys) => type('', { withheld: true, withheldKeys })),
    ];
    expect(inputsOf([actions], [goal]).flatMap(({ said = [] }) => said)).toEqual([]);
    expect(inputsOf([[click('User'), type('ada')]], ['Use hunter2']).some(({ said }) => said)).toBe(false);
  });

  test('one that only another recording has is a placeholder in the goal, too', () => {
    const first = [click('Name'), type('ada')];
    for (const more of [{ text: 'hunter2' }, { text: '', withheld: true as const, withheldKeys: 7 }]) {
      const inputs = inputsOf([first, [click('Password'), acted({ kind: 'type', ...more })]], ['Use hunter2']);
      expect(hiding(inputs)('Use hunter2')).toBe('Use {SECRET:secret}');
    }
  });

  test('values are replaced where they stand alone, secrets everywhere', () => {
    const input = (name: string, kind: SkillInput['kind'], value: string): SkillInput =>
      kind === 'secret'
        ? { name, kind, examples: [], actions: [], hidden: [value] }
        : { name, kind, examples: [value], actions: [], hidden: [] };
    const hide = hiding([input('amount', 'number', '12'), input('key', 'secret', 'hunter2')]);
    expect(hide('12 of 120, hunter2x')).toBe('{amount} of 120, {SECRET:key}x');
  });
});

describe('steps that came to nothing', () => {
  test('set and set back, undone, given up: left out and listed; a saved way stays', () => {
    const back = (last: ExportAction, ...first: ExportAction[]) => skillPlanOf(taskOf([...first, last]), [], plain);
    const menu = click('Menu', ['a', 'b']);
    expect(back(press(['Escape'], ['b', 'a']), menu)).toMatchObject({ steps: [], leftOut: [{ why: /Escape/ }] });
    expect(back(press(['ctrl', 'z'], ['b', 'a']), menu).leftOut).toHaveLength(1);
    expect(back(click('Bold', ['b', 'a']), click('Bold', ['a', 'b'])).leftOut).toHaveLength(1);
    expect(back(click('OK', ['b', 'a']), menu).steps).toHaveLength(2);
    const saved = [menu, press(['ctrl', 's'], ['b', 'b'])];
    expect(back(press(['Escape'], ['b', 'a']), ...saved).leftOut).toEqual([]);
    expect(back(press(['Escape'], ['a', 'a']), click('x', ['a', 'a'])).leftOut).toEqual([]);
  });
});

describe('the texts', () => {
  const actions = [click('Name'), type('Ada | Lovelace\nx'), acted({ kind: 'click', button: 'left' }), click('Save')];
  test('keep the rules, whatever the words hold', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 2000 }), (words) => {
        const task = taskOf([click(words), type(words), click('Save')], words);
        const { skill, steps } = textsOf(task, inputsOf([task.subtasks[0]!.actions], []));
        expect(problemsIn({ skill, steps })).toEqual([]);
      }),
    );
  });
  test('a hundred subtasks of thirty steps stay below 500 lines', () => {
    const task = emptyTask({
      subtasks: Array.from({ length: 100 }, (_, n) => {
        const own = Array.from({ length: 30 }, () => click('x'));
        return { id: n + 1, query: `Part ${n}`, startImage: null, endImage: null, actions: own };
      }),
    });
    expect(problemsIn(textsOf(task, []))).toEqual([]);
  });
  test('damages are found', () => {
    const { skill, steps } = textsOf(taskOf(actions), []);
    const problems = (more: object, folder?: string) => problemsIn({ skill, steps, ...more }, folder);
    expect(problems({})).toEqual([]);
    expect(problems({}, 'other')).toMatchObject([{ why: /they must be one/ }]);
    expect(problems({ skill: skill.slice(4) })).toMatchObject([{ why: /front matter/ }]);
    expect(problems({ skill: skill.replace('name: fill', 'name: -fill') })).toMatchObject([{ why: /not allowed/ }]);
    expect(problems({ skill: skill.replace('metadata:', 'author: me\nmetadata:') })).toMatchObject([
      { why: /no field "author"/ },
    ]);
    expect(problems({ steps: steps.replace(/- Target: .*/, '') })).toMatchObject([{ why: /step 1 names no target/ }]);
    expect(problems({ steps: `${steps}\nType {amount}` })).toMatchObject([{ why: /no input/ }]);
    expect(problems({ skill: `${skill}${'\n'.repeat(500)}x` })).toMatchObject([{ why: /lines/ }]);
  });
  test('names', () => {
    fc.assert(fc.property(anyText(), (goal) => whyNoSkillName(skillName(goal, 'PPT_1')) === null));
    for (const name of ['', 'A', 'a--b', '-a', 'a/b', '..', 'a'.repeat(65)])
      expect(whyNoSkillName(name)).not.toBeNull();
  });
});
