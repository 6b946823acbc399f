import { bootstrap, percentileInterval, RESAMPLES } from '../review/agreement/bootstrap.ts';

/**
 * People rank what came of runs of one task without knowing whose they are (VideoGUI 4.5, "Rank (Arena)" of table 6): which are ranked
 * together, and what all rankings come to.
 */

/** At most so many outcomes are compared at once (docs/agents.md). */
export const MOST_IN_SET = 5;

/** Outcomes of one task, which each person ranks once; `runs` in a fixed order. */
export type ArenaSet<R> = { id: string; task: string; runs: R[] };

type SetRun = { recording: string; task: string; name: string; at: string };

/**
 * The newest run of each agent, by task; tasks of one agent are left out. Where a task has more than five they are in as few sets as
 * hold them, as even as can be, each with two or more.
 */
export function arenaSets<R extends SetRun>(runs: readonly R[]): ArenaSet<R>[] {
  const byTask = Map.groupBy(runs, ({ task }) => task);
  return [...byTask]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([task, some]) => {
      const newest = new Map<string, R>();
      for (const run of some) if ((newest.get(run.name)?.at ?? '') < run.at) newest.set(run.name, run);
      const all = [...newest.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      if (all.length < 2) return [];
      const sets = Math.ceil(all.length / MOST_IN_SET);
      return Array.from({ length: sets }, (_, n) => {
        // Dealt out like cards: none is left with one.
        const own = all.filter((_, at) => at % sets === n);
        return { id: own.map(({ recording }) => recording).join('+'), task, runs: own };
      });
    });
}

/** One person's ranking of one set: groups of names, the best first; those of one group are as good as each other. */
export type Ranking = { set: string; person: string; order: readonly (readonly string[])[] };

type Bounds = { low: number; high: number };
export type ArenaRow = {
  name: string;
  rankings: number;
  /** 1 is best; ties share the mean of their places. */
  meanRank: number;
  meanRankBounds: Bounds | null;
  /** Bradley and Terry's, as log odds against the mean of all. */
  strength: number;
  strengthBounds: Bounds | null;
};
export type ArenaTable = {
  rows: ArenaRow[];
  rankings: number;
  people: number;
  /** Kendall's W over sets that two people or more ranked, with ties, weighted by rankings: 1 all agree, 0 none; null: no such set. */
  agreement: number | null;
};

const SEED = 20_261_127;
/** A draw against each other in a part of a comparison: a name that won, or lost, each time has a finite strength. */
const PRIOR = 0.1;
const MOST_STEPS = 500;
const CLOSE = 1e-9;

/** The table, the best first. Intervals are percentiles over rankings that are drawn again (95 %, R13); null of fewer than two. */
export function arenaTable(rankings: readonly Ranking[]): ArenaTable {
  const names = [...new Set(rankings.flatMap(({ order }) => order.flat()))].sort();
  const places = rankings.map(({ order }) => placesOf(order));
  const wins = rankings.map(({ order }) => winsOf(order, names));
  const all = Uint32Array.from(rankings.keys());
  const ranksOf = (drawn: Uint32Array): number[] => names.map((name) => meanPlace(places, drawn, name));
  const strengthsOf = (drawn: Uint32Array): number[] => strengths(summed(wins, drawn, names.length), names.length);
  const resampled: { ranks: number[]; strengths: number[] }[] = [];
  bootstrap(
    rankings.length,
    (drawn) => {
      resampled.push({ ranks: ranksOf(drawn), strengths: strengthsOf(drawn) });
      return null;
    },
    RESAMPLES,
    SEED,
  );
  const bounds = (of: (one: (typeof resampled)[number]) => number | undefined): Bounds | null =>
    percentileInterval(resampled.map((one) => defined(of(one))));
  const [ranks, strong] = [ranksOf(all), strengthsOf(all)];
  const rows = names.map((name, n) => ({
    name,
    rankings: places.filter((one) => one.has(name)).length,
    meanRank: ranks[n] ?? 0,
    meanRankBounds: bounds((one) => one.ranks[n]),
    strength: strong[n] ?? 0,
    strengthBounds: bounds((one) => one.strengths[n]),
  }));
  return {
    rows: rows.sort((a, b) => b.strength - a.strength || a.meanRank - b.meanRank || (a.name < b.name ? -1 : 1)),
    rankings: rankings.length,
    people: new Set(rankings.map(({ person }) => person)).size,
    agreement: agreementOf(rankings),
  };
}

const defined = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** Places from 1; those of a group share their mean. */
function placesOf(order: Ranking['order']): Map<string, number> {
  const places = new Map<string, number>();
  let before = 0;
  for (const group of order) {
    for (const name of group) places.set(name, before + (group.length + 1) / 2);
    before += group.length;
  }
  return places;
}

/** NaN where it is in none of them. */
function meanPlace(places: readonly ReadonlyMap<string, number>[], drawn: Uint32Array, name: string): number {
  let [sum, count] = [0, 0];
  for (const n of drawn) {
    const place = places[n]?.get(name);
    if (place === undefined) continue;
    sum += place;
    count++;
  }
  return sum / count;
}

type Win = { winner: number; loser: number; by: number };

/** A tie is half a win for both. */
function winsOf(order: Ranking['order'], names: readonly string[]): Win[] {
  const numbered = order.map((group) => group.map((name) => names.indexOf(name)));
  return numbered.flatMap((group, n) => [
    ...group.flatMap((one) => numbered.slice(n + 1).flatMap((later) => later.map((loser) => win(one, loser, 1)))),
    ...group.flatMap((one) => group.flatMap((other) => (one === other ? [] : [win(one, other, 0.5)]))),
  ]);
}
const win = (winner: number, loser: number, by: number): Win => ({ winner, loser, by });

/** `won[a * count + b]`: how often a won against b. */
function summed(wins: readonly (readonly Win[])[], drawn: Uint32Array, count: number): Float64Array {
  const won = new Float64Array(count * count);
  for (const n of drawn)
    for (const { winner, loser, by } of wins[n] ?? [])
      won[winner * count + loser] = (won[winner * count + loser] ?? 0) + by;
  return won;
}

/** Bradley and Terry's strengths by Hunter's steps (2004, "MM algorithms for generalized Bradley-Terry models"), as log odds; their mean is 0. */
function strengths(won: Float64Array, count: number): number[] {
  let now = new Float64Array(count).fill(1);
  const beats = (a: number, b: number): number => (won[a * count + b] ?? 0) + PRIOR / 2;
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = new Float64Array(count);
    for (let a = 0; a < count; a++) {
      let [wins, weight] = [0, 0];
      for (let b = 0; b < count; b++) {
        if (a === b) continue;
        wins += beats(a, b);
        weight += (beats(a, b) + beats(b, a)) / (now[a]! + now[b]!);
      }
      next[a] = weight > 0 ? wins / weight : 1;
    }
    const middle = Math.exp(next.reduce((sum, one) => sum + Math.log(one), 0) / Math.max(1, count));
    let moved = 0;
    for (let a = 0; a < count; a++) {
      next[a] = next[a]! / middle;
      moved = Math.max(moved, Math.abs(Math.log(next[a]! / now[a]!)));
    }
    now = next;
    if (moved < CLOSE) break;
  }
  return [...now].map((one) => Math.log(one));
}

/** Kendall's W with ties (Kendall 1948; Siegel & Castellan 1988, 9.6) of each set, weighted by its rankings. */
function agreementOf(rankings: readonly Ranking[]): number | null {
  let [sum, weight] = [0, 0];
  for (const some of Map.groupBy(rankings, ({ set }) => set).values()) {
    const w = some.length < 2 ? null : kendallW(some.map(({ order }) => order));
    if (w === null) continue;
    sum += w * some.length;
    weight += some.length;
  }
  return weight === 0 ? null : sum / weight;
}

/** Null where it is not defined: all rankings hold everything for as good. */
function kendallW(orders: readonly Ranking['order'][]): number | null {
  const places = orders.map(placesOf);
  const names = [...(places[0]?.keys() ?? [])];
  const [people, items] = [orders.length, names.length];
  const totals = names.map((name) => places.reduce((sum, one) => sum + (one.get(name) ?? 0), 0));
  const mean = (people * (items + 1)) / 2;
  const spread = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0);
  const ties = orders.flat().reduce((sum, group) => sum + group.length ** 3 - group.length, 0);
  const most = people * people * (items ** 3 - items) - people * ties;
  return most <= 0 ? null : (12 * spread) / most;
}

/** For each recording that people ranked, the share of the others beside it that it beat, a tie as half, the mean of all rankings: 0 to 1. */
export function shareBeaten(
  rankings: readonly { order: readonly (readonly { recording: string }[])[] }[],
): Map<string, number> {
  const shares = new Map<string, number[]>();
  for (const { order } of rankings) {
    const others = order.flat().length - 1;
    if (others < 1) continue;
    let better = 0;
    for (const group of order) {
      const beaten = others - better - (group.length - 1) / 2;
      for (const { recording } of group) shares.set(recording, [...(shares.get(recording) ?? []), beaten / others]);
      better += group.length;
    }
  }
  return new Map(
    [...shares].map(([recording, some]) => [recording, some.reduce((sum, one) => sum + one, 0) / some.length]),
  );
}
