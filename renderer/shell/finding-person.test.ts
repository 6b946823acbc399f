import fc from 'fast-check';
import { expect, test } from 'vitest';
import { personMeant } from './finding-person.ts';

const person = (name: string, email: string | null = null) => ({ id: name, name, email });
const PEOPLE = [person('Ana'), person('Anabel Ruiz', 'ruiz@example.org'), person('Ben')];
const meant = (typed: string) => {
  const { shown, exact, isDoubtful } = personMeant(PEOPLE, typed);
  return { shown: shown.map(({ name }) => name), exact: exact?.name ?? null, isDoubtful };
};

test('typing filters by name and address; a whole name is that person, whatever its capitals', () => {
  expect(meant('')).toEqual({ shown: ['Ana', 'Anabel Ruiz', 'Ben'], exact: null, isDoubtful: false });
  expect(meant(' aNA ')).toEqual({ shown: ['Ana', 'Anabel Ruiz'], exact: 'Ana', isDoubtful: false });
  expect(meant('ruiz@')).toEqual({ shown: ['Anabel Ruiz'], exact: null, isDoubtful: true });
  expect(meant('Dana')).toEqual({ shown: [], exact: null, isDoubtful: false });
});

test('a part of a name never means a person', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 6 });
  fc.assert(
    fc.property(names, fc.string(), (all, typed) => {
      const { exact } = personMeant(
        all.map((name) => person(name)),
        typed,
      );
      if (exact)
        expect(exact.name.trim().replace(/\s+/g, ' ').toLocaleLowerCase()).toBe(
          typed.trim().replace(/\s+/g, ' ').toLocaleLowerCase(),
        );
    }),
  );
});
