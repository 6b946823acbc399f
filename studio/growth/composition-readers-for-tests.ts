import { instanceOf, otherMembers, tasksOfInstance } from '../../core/compositions/instances.ts';
import { brokenLaws } from '../../core/compositions/laws.ts';
import { drawnSets } from '../../core/compositions/parameters.ts';
import { type HostileReader, hostile } from '../../test/support/growth.ts';
import { manyMembers } from '../../test/support/many-members.ts';

/** Compositions of many members: a file has 500 at most, so a square of that is what a page would wait for. */

export const compositionReaders: HostileReader[] = [
  hostile('laws of a template: many members, tried with other values (CP28)', manyMembers, brokenLaws, { upTo: 500 }),
  hostile(
    'an instance of a template: many members with tasks of their own',
    manyMembers,
    (template) => {
      const [values] = drawnSets(template, 1);
      if (!values) throw new RangeError('it draws nothing');
      const instance = instanceOf(template, { seed: 1, number: 1, values });
      const taskOf = tasksOfInstance(template, instance);
      const content = { goal: 'x', answer: '', recipe: null, checks: null };
      for (const { task } of template.members) taskOf(task ?? '', content);
      return otherMembers(template, instance);
    },
    { upTo: 500 },
  ),
];
