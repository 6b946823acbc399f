import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { runHere } from '../cli/run-for-tests.ts';
import { proveForTests } from '../datasets/prove-for-tests.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { attach } from '../store/attachments.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { taskSetup } from './setup.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

test('a task becomes complete and proven as its parts come, and is not any more when its checks change', async () => {
  const dir = folders.make();
  const workspace = openWorkspace(dir, { create: true });
  const state = async () => {
    await workspace.syncIndex();
    const { complete, sound, proven } = (await taskSetup(workspace, 'GIMP_1')).whole;
    return [complete, sound, proven].map(({ missing }) => missing.map(({ rule }) => rule));
  };
  const keep = (role: 'recipe' | 'checks', kept: object): Promise<unknown> =>
    attach(workspace, { task: 'GIMP_1', role, name: `${role}.json`, body: Readable.from([JSON.stringify(kept)]) });
  try {
    await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop it', screens: [40] });
    expect(await state()).toEqual([['TK2', 'TK3'], [], ['TK10']]);
    const files = [{ attachment: 'photo.png', to: 'photo.png' }];
    const recipe = {
      schema: 'trajectory-studio/recipe',
      version: 1,
      files,
      programs: [{ command: 'no-such-program' }],
    };
    await keep('recipe', recipe);
    const checks = { schema: 'trajectory-studio/checks', version: 1, checks: [{ id: 'a', kind: 'file', path: 'a' }] };
    await keep('checks', checks);
    expect(await state()).toEqual([['TK4'], ['TK6'], ['TK10']]);
    await keep('recipe', { ...recipe, files: [], programs: [] });
    const hash = createHash('sha256').update(JSON.stringify(checks)).digest('hex');
    await proveForTests(workspace, 'aaaa', { proven: false, checks: hash });
    expect((await taskSetup(workspace, 'GIMP_1')).whole.proven.missing).toEqual([
      { rule: 'TK10', why: 'aaaa is not proven: It was not played.' },
    ]);
    await proveForTests(workspace, 'aaaa', { proven: true, checks: hash });
    expect(await state()).toEqual([[], [], []]);
  } finally {
    workspace.close();
  }
  const whole = await runHere(['tasks', 'state', 'GIMP_1', '-w', dir]);
  expect(whole).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/GIMP_1 is complete\n.* is sound\n.* is proven/),
  });
  const again = openWorkspace(dir, { create: false });
  const checks = { schema: 'trajectory-studio/checks', version: 1, checks: [{ id: 'b', kind: 'file', path: 'b' }] };
  await attach(again, {
    task: 'GIMP_1',
    role: 'checks',
    name: 'checks.json',
    body: Readable.from([JSON.stringify(checks)]),
  });
  again.close();
  const { status, stdout } = await runHere(['tasks', 'state', 'GIMP_1', '-w', dir]);
  expect([status, stdout]).toEqual([
    1,
    expect.stringMatching(/not proven:\n {2}TK10 {2}aaaa was verified with other checks/),
  ]);
  const asData = await runHere(['tasks', 'state', 'GIMP_1', '-w', dir, '--json']);
  expect(JSON.parse(asData.stdout)).toMatchObject({
    task: 'GIMP_1',
    complete: { holds: true, missing: [] },
    sound: { holds: true, missing: [] },
    proven: { holds: false, missing: [{ rule: 'TK10' }] },
  });
  const unknown = await runHere(['tasks', 'state', 'NO_SUCH_1', '-w', dir]);
  expect([unknown.status, unknown.stderr]).toEqual([4, expect.stringMatching(/no task "NO_SUCH_1"/)]);
});
