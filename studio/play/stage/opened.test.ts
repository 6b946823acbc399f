import { afterEach, expect, test, vi } from 'vitest';
import { recipeSchema } from '../../../schemas/play.ts';
import { ownTempFolder } from '../../../test/support/own-temp.ts';
import { arrange } from './arrange.ts';
import { openStageDisplay } from './display.ts';
import { type SetStage, setStage } from './set-stage.ts';
import { stageWishes } from './wishes-for-tests.ts';

/** What the next task of a stage that goes on costs: each look at its display is a process of its own. */

vi.mock('./arrange.ts', { spy: true });
vi.mock('./display.ts', { spy: true });

ownTempFolder();
let stage: SetStage | null = null;
afterEach(async () => {
  await stage?.end();
  stage = null;
});

const program = { command: 'xterm', args: ['-T', 'Notes', '-e', 'cat'], window: 'Notes' };
const { programs } = recipeSchema.parse({ schema: 'trajectory-studio/recipe', version: 3, programs: [program] });

test.runIf(process.platform === 'linux')(
  'a task without programs begins at once, and windows are asked for only where one of its programs was started before',
  async () => {
    stage = await setStage(stageWishes());
    vi.mocked(arrange).mockClear();
    await stage.open({ programs: [] });
    expect(arrange).not.toHaveBeenCalled();
    await stage.open({ programs });
    expect(arrange).toHaveBeenCalledTimes(1);
    expect(openStageDisplay).not.toHaveBeenCalled();
    await stage.open({ programs });
    expect(openStageDisplay).toHaveBeenCalledTimes(1);
    const [, started] = vi.mocked(arrange).mock.lastCall ?? [];
    expect(started).toEqual([expect.objectContaining({ command: 'xterm', wasThere: true })]);
    const display = stage.openDisplay();
    expect((await display.titles()).filter((title) => title === 'Notes')).toHaveLength(1);
    await display.close();
  },
);
