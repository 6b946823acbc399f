import { expect, test } from 'vitest';
import { theme } from './theme.ts';
import { themeCss } from './theme-css.ts';

/** The variables of a colour scheme as the page gets them, those for both schemes included. */
function variablesOf(scheme: 'light' | 'dark'): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, selector = '', body = ''] of themeCss(theme).matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (selector.includes('data-mantine-color-scheme') && !selector.includes(scheme)) continue;
    for (const [, name = '', value = ''] of body.matchAll(/(--[\w-]+):\s*([^;]+)/g)) found.set(name, value.trim());
  }
  return found;
}

/** Red, green and blue from 0 to 1 of a variable, through those that it names. */
function colourOf(all: Map<string, string>, name: string): number[] {
  const value = all.get(name) ?? '';
  const other = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
  if (other) return colourOf(all, other);
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(value);
  const parts = hex ? hex.slice(1).map((part) => Number.parseInt(part, 16)) : (value.match(/\d+/g)?.map(Number) ?? []);
  expect(parts.length, `${name}: ${value}`).toBeGreaterThanOrEqual(3);
  return parts.slice(0, 3).map((part) => part / 255);
}

function contrast(a: number[], b: number[]): number {
  const [dark, light] = [a, b].map(luminance).toSorted((one, other) => one - other) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: number[]): number {
  const [red, green, blue] = colour.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const USED = ['lake', 'red', 'green', 'yellow', 'orange', 'grape'];

test('on dark a light or subtle control has its colour, and can be read on every surface and on its own tint', () => {
  const all = variablesOf('dark');
  for (const name of USED) {
    const text = colourOf(all, `--mantine-color-${name}-light-color`);
    // White to the eye: its three parts are within a fifth of each other.
    expect(Math.max(...text) - Math.min(...text), `${name} looks white`).toBeGreaterThan(0.2);
    const grounds = ['--studio-surface', '--studio-raised', '--studio-chosen', `--mantine-color-${name}-light`];
    for (const ground of grounds)
      expect(contrast(text, colourOf(all, ground)), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  }
});
