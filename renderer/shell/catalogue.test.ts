import { describe, expect, it } from 'vitest';
import { parseChord } from '../ui/keys/chord.ts';
import { keysOf, refusal } from '../ui/keys/commands.ts';
import { catalogue } from './catalogue.ts';

describe('the catalogue', () => {
  it('has commands of several pages', () => {
    expect(new Set(catalogue.map((one) => one.scope)).size).toBeGreaterThan(4);
  });

  it.each([false, true])('has no two commands on one key where both are heard (mac: %s)', (mac) => {
    const refused = catalogue.flatMap((one) =>
      keysOf(one, {}, mac).flatMap((chord) => refusal(one, chord, catalogue, {}, mac) ?? []),
    );
    expect(refused).toEqual([]);
  });

  it('names every id once, under the page it belongs to', () => {
    const ids = catalogue.map((one) => one.id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  it('writes every default key so that it can be read, and none that the browser keeps', () => {
    for (const one of catalogue)
      for (const key of one.keys) {
        const chord = parseChord(key, false);
        expect(chord, `${one.id}: ${key}`).not.toBeNull();
        expect(refusal(one, chord ?? '', catalogue, {}, false), one.id).toBeNull();
      }
  });
});
