import { afterEach, expect, test } from 'vitest';
import { ROLE_RIGHTS } from '../../core/team/rights.ts';
import type { TeamMe } from '../../schemas/api/team.ts';
import { TEAM_ROLES, type TeamRole } from '../../schemas/team-terms.ts';
import { activate, activeCommands, refuseCommands, useKeys } from '../ui/keys/store.ts';
import { catalogue } from './catalogue.ts';
import { COMMAND_CALLS, whyRefused } from './command-rights.ts';

/** What pages grey out by the role of whoever is signed in. */

afterEach(() => {
  refuseCommands(() => null);
  useKeys.setState({ active: [] });
});

const as = (role: TeamRole): TeamMe => ({
  ws: 'w',
  id: 'i',
  name: 'N',
  email: 'n@lab.test',
  role,
  rights: [...ROLE_RIGHTS[role]],
});
const refusedFor = (me: TeamMe | null): string[] =>
  Object.keys(COMMAND_CALLS).filter((id) => whyRefused(me, id) !== null);

test('every command that is greyed out is one', () => {
  const known = new Set(catalogue.map(({ id }) => id));
  expect(Object.keys(COMMAND_CALLS).filter((id) => !known.has(id))).toEqual([]);
});

test('on a machine of one’s own nothing is', () => {
  expect(refusedFor(null)).toEqual([]);
});

test('by role, with the reason; whatever is about the machine for everybody', () => {
  const refused = new Map(TEAM_ROLES.map((role) => [role, refusedFor(as(role))]));
  expect(refused.get('owner')).toEqual([
    'library.record',
    'task.record',
    'work.server',
    'record.start',
    'record.check',
    'skill.teach',
  ]);
  expect(refused.get('manager')).toContain('play.start');
  expect(refused.get('manager')).not.toContain('library.new');
  for (const id of ['library.new', 'dataset.freeze', 'app.evaluate', 'members.invite']) {
    expect(refused.get('annotator')).toContain(id);
    expect(refused.get('reviewer')).toContain(id);
  }
  expect(refused.get('annotator')).not.toContain('runs.arena');
  expect(refused.get('viewer')).toContain('runs.arena');
  expect(refused.get('viewer')).not.toContain('app.evaluate');
  const me = as('annotator');
  expect(whyRefused(me, 'library.new')).toMatch(/^Your role \(Annotator\) does not include this\./);
  expect(whyRefused(me, 'library.record')).toMatch(/about the machine/);
  expect(whyRefused(me, 'library.search')).toBe(null);
});

test('a key of a command that is greyed out is not heard', () => {
  const run = () => undefined;
  const group = catalogue
    .filter(({ id }) => id === 'library.new' || id === 'library.search')
    .map((command) => ({ ...command, run, enabled: true }));
  activate(group);
  expect(activeCommands()).toHaveLength(2);
  refuseCommands((id) => whyRefused(as('annotator'), id));
  expect(activeCommands().map(({ id }) => id)).toEqual(['library.search']);
});
