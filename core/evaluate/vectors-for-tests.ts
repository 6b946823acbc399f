import { readFileSync } from 'node:fs';
import type { ScrollAnswer, ScrollTruth } from '../../schemas/questions.ts';
import type { PixelPair, PointOrBox } from './position.ts';

/** Inputs with expected outputs (fixtures/metrics.json), and which of them nobody has looked at. */

type Numbers = Record<string, number>;
type Recall = { recall: number; precision: number };
/** The shape of fixtures/metrics.json, as far as it is used; a wrong one fails the tests. */
type Vectors = {
  videogui_click: {
    cases: { id: string; gt: PixelPair; W: number; H: number; pred: PointOrBox; expect: Numbers }[];
    threshold_px: number;
    sensitivity: [
      { id: string; mean_skip: number; mean_as_1: number },
      { id: string; gt: PixelPair; W: number; H: number; pred: PointOrBox; dist_W_H: number; dist_Wm1_Hm1: number },
      { id: string; gt: PixelPair; W: number; H: number; pred: PointOrBox; dist_diag: number },
    ];
  };
  videogui_drag: {
    cases: {
      id: string;
      gt_start: PixelPair;
      gt_end: PixelPair;
      W: number;
      H: number;
      pred: [PointOrBox, PointOrBox] | null;
      expect: { start?: Numbers; end?: Numbers; dist: number | null; recall: number };
    }[];
  };
  videogui_type_press: {
    key_normalisation: string;
    cases: {
      id: string;
      gt: string[];
      code: string;
      actual_downs: string[];
      error: string | null;
      expect: { multiset: Recall; ordered_lcs: Recall; contained: Recall };
    }[];
  };
  pyautogui_traces: { cases: { code: string; events: [string, string][]; error: string | null }[] };
  videogui_scroll: {
    qa_from_action: { scroll_value: number; before: ScrollAnswer; after: ScrollAnswer }[];
    inferred_n: { n_qa: number };
    options: { order: ScrollTruth['order']; truth: ScrollAnswer; gold: string }[];
    accuracy: { gold: string[]; pred: (string | null)[]; expect: number }[];
  };
  videogui_parse: Record<'click' | 'drag' | 'scroll' | 'score', { text: string; expect: unknown }[]> & {
    regex: Record<'bbox_first' | 'point' | 'scroll' | 'score', string>;
  };
  videogui_plan: {
    cases: [
      { scores: number[]; mean: number; percent: number },
      { scores: (number | null)[]; mean_null_as_0: number; mean_skip_null: number },
    ];
  };
  mobile_agent_v_keyframes: {
    frames: number[][][];
    cases: {
      id: string;
      d: number;
      s: number;
      f_s: number;
      expect: { sampled: number[]; change: number[]; F_s: number[]; F_prime: number[] };
    }[];
  };
  published_aggregates: {
    tolerance: number;
    anomalies: string[];
    table5: ({ model: string; reported: number; recomputed: number; consistent: boolean } & Record<
      'click_recall' | 'drag_recall' | 'type_prec' | 'scroll_acc',
      number | null
    >)[];
    table3: ({ model: string; reported: number; recomputed: number; consistent: boolean } & Record<
      'high' | 'mid' | 'action',
      number | null
    >)[];
  };
  naturalgaia: { atomic_success: (0 | 1)[][]; nodes_apps: [number, number][]; expect: Numbers };
  scendroid: {
    cases: [{ s: number[]; t: number[]; c: number[]; expect: Numbers }, { expect: number; reported: number }];
    repo_scenario: { scores: number[]; expect: Numbers };
  };
};
/** Texts about a vector, which nothing can be compared with. */
const PROSE = new Set(['provenance', 'note', 'evidence', 'action_full', 'overall', 'paper_table8_check']);

/** The same values; each number, text and null that is read is noted by its path. */
function noting<T>(value: T, path: string, read: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const part: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return part;
      const way = `${path}/${key}`;
      if (typeof part !== 'object' || part === null) read.add(way);
      return noting(part, way, read);
    },
  });
}

function leavesOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, part]) => (PROSE.has(key) ? [] : leavesOf(part, `${path}/${key}`)));
}

export function openVectors(): { vectors: Vectors; all: number; unused(): string[] } {
  const all: Vectors = JSON.parse(readFileSync(new URL('fixtures/metrics.json', import.meta.url), 'utf8'));
  const used = new Set<string>();
  const leaves = leavesOf(all, '');
  return {
    vectors: noting(all, '', used),
    all: leaves.length,
    unused: () => leaves.filter((leaf) => !used.has(leaf)),
  };
}
