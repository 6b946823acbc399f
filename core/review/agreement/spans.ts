/** A stretch, `to` exclusive: of steps by their places, or of the session clock in µs. */
export type Interval = { from: number; to: number };

/** Temporal IoU: what is in both over what is in either (R8; Caba Heilbron et al. 2015, ActivityNet). 0 to 1. */
export function temporalIou(a: Interval, b: Interval): number {
  const both = Math.min(a.to, b.to) - Math.max(a.from, b.from);
  return both <= 0 ? 0 : both / (a.to - a.from + (b.to - b.from) - both);
}

/** A matched pair by places; -1 where a span is left alone (IoU 0). */
type SpanPair = { a: number; b: number; iou: number };

/**
 * Spans matched one to one so that the total temporal IoU is the highest there is (R7, R8). Both lists ascend and no two
 * spans of a list overlap; then two pairs that overlap never cross, the overlapping pairs stand in one row in which those
 * of a span are neighbours, and the best choice of them is found in one walk, O(a + b).
 */
export function matchSpans(a: readonly Interval[], b: readonly Interval[]): SpanPair[] {
  const overlaps = overlapping(a, b);
  // best[k]: the highest total among the first k; `before` is the first of the pairs that share a span with this one.
  const best = [0];
  let [runA, runB] = [0, 0];
  const before = overlaps.map((pair, at) => {
    if (overlaps[at - 1]?.a !== pair.a) runA = at;
    if (overlaps[at - 1]?.b !== pair.b) runB = at;
    const first = Math.min(runA, runB);
    best.push(Math.max(best[at]!, best[first]! + pair.iou));
    return first;
  });
  const pairs: SpanPair[] = [];
  for (let at = overlaps.length; at > 0; ) {
    if (best[at] === best[at - 1]) at--;
    else {
      pairs.push(overlaps[at - 1]!);
      at = before[at - 1]!;
    }
  }
  pairs.reverse();
  const [takenA, takenB] = [new Set(pairs.map((pair) => pair.a)), new Set(pairs.map((pair) => pair.b))];
  for (const place of a.keys()) if (!takenA.has(place)) pairs.push({ a: place, b: -1, iou: 0 });
  for (const place of b.keys()) if (!takenB.has(place)) pairs.push({ a: -1, b: place, iou: 0 });
  return pairs;
}

function overlapping(a: readonly Interval[], b: readonly Interval[]): SpanPair[] {
  const pairs: SpanPair[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const iou = temporalIou(a[i]!, b[j]!);
    if (iou > 0) pairs.push({ a: i, b: j, iou });
    if (a[i]!.to <= b[j]!.to) i++;
    else j++;
  }
  return pairs;
}
