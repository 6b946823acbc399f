import { expect, test } from 'vitest';
import { checksSchema } from '../../../schemas/checks.ts';
import { recipeSchema } from '../../../schemas/play.ts';
import { setStage } from '../stage/set-stage.ts';
import { evaluateChecks, lookFor } from './evaluate.ts';

const CHECKS = checksSchema.parse({
  schema: 'trajectory-studio/checks',
  version: 4,
  combine: 'weighted',
  checks: [
    { id: 'typed', kind: 'element', role: 'text', equals: 'Marie' },
    { id: 'button', kind: 'element', role: 'push button', name: 'OK' },
    { id: 'other', kind: 'element', role: 'text', equals: 'Pierre' },
    { id: 'none', kind: 'element', name: 'Delete everything', is: 'absent' },
    { id: 'read', kind: 'shown', contains: ['Who is there', 'Cancel'], lacks: ['Delete everything'] },
  ],
});
const RECIPE = recipeSchema.parse({
  schema: 'trajectory-studio/recipe',
  version: 1,
  screen: { width: 640, height: 480 },
  programs: [
    {
      command: 'zenity',
      args: ['--entry', '--title', 'Ask', '--text', 'Who is there?', '--entry-text', 'Marie'],
      window: 'Ask',
    },
  ],
});

async function onStage<T>(elements: boolean, work: (home: string, env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  const stage = await setStage({
    recipe: RECIPE,
    width: 640,
    height: 480,
    layout: { layout: 'us', variant: '' },
    elements,
    fileOf: () => null,
    task: null,
    workspace: null,
  });
  try {
    expect(stage.notes.filter((note) => note.includes('accessibility'))).toEqual([]);
    return await work(stage.home, stage.env);
  } finally {
    await stage.end();
  }
}
const place = (home: string) => ({ home, still: null, titles: null, files: {}, answer: null });

test.runIf(process.platform === 'linux')(
  'elements of a real program, and the text on the screen, are looked at on a stage that asks for them',
  async () => {
    const { report, seen } = await onStage(true, async (home, env) => ({
      report: await evaluateChecks(CHECKS, place(home), env),
      seen: await lookFor(CHECKS.checks[0]!, place(home), env),
    }));
    expect(report.checks.map(({ score, able }) => [score, able])).toEqual([
      [1, true],
      [1, true],
      [0, true],
      [1, true],
      [1, true],
    ]);
    expect(report.checks[2]?.why).toBe('the text has the value “Marie”, not “Pierre”');
    expect(report.weak).toMatch(/screen alone/);
    // What a person picks from.
    if (seen.of !== 'elements') throw new Error(`found ${seen.of}`);
    expect(seen.elements).toContainEqual(expect.objectContaining({ role: 'push button', name: 'Cancel' }));
  },
);

test.runIf(process.platform === 'linux')(
  'on one that does not, and after it has gone, it is said why not, and what to do',
  async () => {
    const silent = await onStage(false, (home, env) => evaluateChecks(CHECKS, place(home), env));
    expect(silent.checks[0]).toMatchObject({
      score: 0,
      able: false,
      why: expect.stringContaining('stage new --elements'),
    });
    expect(silent.checks[3]).toMatchObject({ score: 0, able: false });
    const gone = await evaluateChecks(CHECKS, place('/'), null);
    expect(gone.checks[0]).toMatchObject({ score: 0, able: false, why: expect.stringContaining('not kept') });
  },
);
