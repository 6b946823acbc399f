/**
 * Simplifies a pointer's way while it comes, in one pass and constant time a point (A5, A15): no point of the way is
 * farther than `PATH_TOLERANCE_PX` from the simplified line. Sector intersection (Zhao and Saalfeld 1997, "sleeve
 * fitting"): from the last kept point, each point allows a wedge of directions that pass within the tolerance; as long as
 * the wedges meet and the pointer does not come back, one segment serves.
 */
export const PATH_TOLERANCE_PX = 1;

export type Path = {
  /** Kept points, flat: x, y, t. */
  readonly kept: number[];
  /** The last point, not kept yet (equal to the last kept one when `open` is false). */
  x: number;
  y: number;
  t: number;
  open: boolean;
  /** Allowed directions from the last kept point: `base` ± around it, radians. */
  base: number;
  low: number;
  high: number;
  /** Farthest distance from the last kept point since, px. */
  far: number;
};

export function startPath(x: number, y: number, t: number): Path {
  return { kept: [x, y, t], x, y, t, open: false, base: 0, low: -Infinity, high: Infinity, far: 0 };
}

export function extendPath(path: Path, x: number, y: number, t: number): void {
  if (x === path.x && y === path.y) return;
  if (path.open && !fits(path, x, y)) {
    path.kept.push(path.x, path.y, path.t);
    path.low = -Infinity;
    path.high = Infinity;
    path.far = 0;
  }
  narrow(path, x, y);
  path.x = x;
  path.y = y;
  path.t = t;
  path.open = true;
}

/** The simplified way, from the first point to the last. */
export function endPath(path: Path): [number, number, number][] {
  if (path.open) path.kept.push(path.x, path.y, path.t);
  path.open = false;
  const points: [number, number, number][] = [];
  for (let i = 0; i < path.kept.length; i += 3) points.push([path.kept[i]!, path.kept[i + 1]!, path.kept[i + 2]!]);
  return points;
}

/** True when one segment from the last kept point to (x, y) stays within the tolerance of all points between. */
function fits(path: Path, x: number, y: number): boolean {
  if (path.far <= PATH_TOLERANCE_PX) return true;
  const dx = x - lastKept(path, 3);
  const dy = y - lastKept(path, 2);
  if (Math.hypot(dx, dy) < path.far) return false;
  const angle = turn(Math.atan2(dy, dx) - path.base);
  return angle >= path.low && angle <= path.high;
}

function narrow(path: Path, x: number, y: number): void {
  const dx = x - lastKept(path, 3);
  const dy = y - lastKept(path, 2);
  const distance = Math.hypot(dx, dy);
  if (distance > PATH_TOLERANCE_PX) {
    const direction = Math.atan2(dy, dx);
    if (path.low === -Infinity) path.base = direction;
    const angle = turn(direction - path.base);
    const half = Math.asin(PATH_TOLERANCE_PX / distance);
    path.low = Math.max(path.low, angle - half);
    path.high = Math.min(path.high, angle + half);
  }
  path.far = Math.max(path.far, distance);
}

function lastKept(path: Path, back: 3 | 2): number {
  return path.kept[path.kept.length - back]!;
}

/** An angle in (-π, π]. */
function turn(angle: number): number {
  if (angle > Math.PI) return angle - 2 * Math.PI;
  if (angle <= -Math.PI) return angle + 2 * Math.PI;
  return angle;
}
