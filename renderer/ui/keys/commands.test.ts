import { describe, expect, it } from 'vitest';
import { type CommandDefinition, findCommands, keysOf, refusal, scopeName, scopesMeet } from './commands.ts';

const command = (id: string, scope: string, ...keys: string[]): CommandDefinition => ({ id, scope, label: id, keys });

describe('keys of commands', () => {
  it('are the defaults unless the user chose others, and none when the user took them away', () => {
    const search = command('search', 'library', '/', 'Mod+F');
    expect(keysOf(search, {}, false)).toEqual(['/', 'Ctrl+F']);
    expect(keysOf(search, { search: ['x'] }, false)).toEqual(['X']);
    expect(keysOf(search, { search: [] }, false)).toEqual([]);
  });

  it('may be the same on two pages, but not where both are heard', () => {
    expect(scopesMeet('library', 'annotate')).toBe(false);
    expect(scopesMeet('annotate', 'annotate.box')).toBe(true);
    expect(scopesMeet('global', 'annotate.box')).toBe(true);
    expect(scopesMeet('annot', 'annotate')).toBe(false);
  });
});

describe('a key that the user wants', () => {
  const all = [command('one', 'library', 'N'), command('two', 'library', 'M'), command('far', 'record', 'R')];

  it('is refused in words when another command has it', () => {
    expect(refusal(all[1]!, 'N', all, {}, false)).toBe(
      'N is already “one”. Choose another key, or change that one first.',
    );
  });

  it('is free when the other gave it up, when the other is on another page, and when it is its own', () => {
    expect(refusal(all[1]!, 'N', all, { one: [] }, false)).toBeNull();
    expect(refusal(all[1]!, 'R', all, {}, false)).toBeNull();
    expect(refusal(all[1]!, 'M', all, {}, false)).toBeNull();
  });

  it('is refused when the browser keeps it for itself', () => {
    expect(refusal(all[1]!, 'Ctrl+W', all, {}, false)).toContain('is used by the browser');
  });
});

describe('finding commands', () => {
  const all = [
    { ...command('a', 'library'), label: 'Open the chosen task' },
    { ...command('b', 'task'), label: 'Edit the notes', words: 'write' },
  ];

  it('takes words in any order from label, page and further words', () => {
    expect(findCommands(all, 'task open').map((one) => one.id)).toEqual(['a']);
    expect(findCommands(all, 'WRITE').map((one) => one.id)).toEqual(['b']);
    expect(findCommands(all, '')).toHaveLength(2);
    expect(findCommands(all, 'nothing such')).toEqual([]);
  });

  it('puts those first whose name begins so', () => {
    expect(findCommands(all, 'edit task').map((one) => one.id)).toEqual(['b']);
    expect(findCommands([all[1]!, all[0]!], 'o')[0]?.id).toBe('a');
  });
});

it('names a scope inside a page with its page', () => {
  expect(scopeName('annotate.box')).toBe('Annotate: box');
  expect(scopeName('global')).toBe('Everywhere');
});
