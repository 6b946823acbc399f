import { shownLanguage, tr } from '../language/tr.ts';

/** How many of what, in words: `1 task, 2 subtasks`. What a format calls its rows by a name of its own keeps that. */
export function countsInWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, n]) => counted(name, n))
    .join(', ');
}

function counted(name: string, n: number): string {
  if (name === 'tasks') return tr('{tasks, plural, one {# task} other {# tasks}}', { tasks: n });
  if (name === 'subtasks') return tr('{subtasks, plural, one {# subtask} other {# subtasks}}', { subtasks: n });
  if (name === 'actions') return tr('{actions, plural, one {# action} other {# actions}}', { actions: n });
  const one = n === 1 && shownLanguage().startsWith('en') ? name.replace(/(?<=[^s])s$/, '') : name;
  return `${n.toLocaleString(shownLanguage())} ${one}`;
}
