import { describe, expect, it } from 'vitest';
import type { Proposal } from '../../../schemas/annotation.ts';
import { keepPlaces } from './proposal-places.ts';

const named = (name: string, confidence = 0.5): Proposal => ({ name, box: null, source: 'seen', confidence });

describe('keepPlaces', () => {
  it('keeps the digit of what is shown and puts the new behind it', () => {
    const list = keepPlaces([named('Open'), named('Save')], [named('Print'), named('Open'), named('Save')], 5);
    expect(list.map((p) => p.name)).toEqual(['Open', 'Save', 'Print']);
  });

  it('keeps what is no longer proposed: somebody may be about to take it', () => {
    expect(keepPlaces([named('Open')], [named('Print')], 5).map((p) => p.name)).toEqual(['Open', 'Print']);
  });

  it('shows one and the same proposal once, though its confidence changed', () => {
    expect(keepPlaces([named('Open', 0.2)], [named('Open', 0.9)], 5)).toHaveLength(1);
  });

  it('never moves a shown one out for a new one', () => {
    const shown = ['a', 'b', 'c', 'd', 'e'].map((name) => named(name));
    expect(keepPlaces(shown, [named('f')], 5)).toEqual(shown);
  });
});
