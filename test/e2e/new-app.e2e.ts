import { expect, it } from 'vitest';
import { CLI, newWorkspace, studio, studioMust } from '../support/cli.ts';
import { run } from '../support/process.ts';

/** `record` of a program that no list knows: it is added by a word of the person, and never without one. */

const { DISPLAY: _, WAYLAND_DISPLAY: __, XDG_SESSION_TYPE: ___, ...env } = process.env;

/** In a terminal of its own, where the person types this. */
function inTerminal(args: readonly string[], typed: string) {
  const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  return run('sh', ['-c', `printf '${typed}\\n' | script -qec "${words}" /dev/null`], { env });
}

it('asks once in a terminal, takes --new-app without a question, and adds nothing for a script', async () => {
  const workspace = newWorkspace();
  try {
    await studioMust(['init', '--workspace', workspace.path]);
    const record = (...app: string[]) => ['record', '--workspace', workspace.path, ...app, '--goal', 'Write a note'];
    const known = async (name: string): Promise<boolean> => {
      const { json } = await studioMust(['software', 'list', '--workspace', workspace.path, '--json']);
      return JSON.stringify(json).includes(`"name":"${name}"`);
    };
    const script = await studio(record('--app', 'leafpad'), { env });
    expect(script.error?.code).toBe('UNKNOWN_APP');
    expect(script.error?.message).toContain('--new-app "leafpad"');

    expect((await inTerminal(record('--app', 'leafpad'), 'n')).stdout).toContain('Add it? [y/N]');
    expect(await known('leafpad')).toBe(false);
    const said = await inTerminal(record('--app', 'leafpad'), 'y');
    // Here is no display, so that nothing is recorded; the program is known all the same.
    expect(said.stdout).toMatch(/Add it\?[\s\S]*DISPLAY/);
    expect(await known('leafpad')).toBe(true);
    expect((await inTerminal(record('--app', 'leafpad'), '')).stdout).not.toContain('Add it?');

    const added = await studio(record('--new-app', 'Leaf Pad 2'), { env });
    expect(added.error?.code).toBe('NO_DISPLAY');
    expect(await known('Leaf Pad 2')).toBe(true);
    // Twice is as once.
    expect((await studio(record('--new-app', 'Leaf Pad 2'), { env })).error?.code).toBe('NO_DISPLAY');
    expect((await studio(record('--new-app', 'Other', '--app', 'gimp'), { env })).error?.code).toBe('USAGE');
  } finally {
    workspace.remove();
  }
});
