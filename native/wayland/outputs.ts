import type { Display, Rect } from '../../schemas/events.ts';
import { uints, type WaylandClient } from './wire.ts';

/** The displays, as wl_output and xdg_output tell of them. */
type Output = {
  name: number;
  /** The client's object of it. */
  object: number;
  mode: { width: number; height: number };
  transform: number;
  scale: number;
  label: string;
  place: { x: number; y: number };
  /** The size in logical pixels; null where the compositor does not say. */
  logical: { width: number; height: number } | null;
};
export type Outputs = {
  displays(): Display[];
  /** The compositor's object for a display, by its number of `displays`; 0: there is none. */
  objectOf(id: number): number;
};

const OUTPUT = 'wl_output';
const XDG_OUTPUT = 'zxdg_output_manager_v1';
const CURRENT = 1;

export function watchOutputs(client: WaylandClient): Outputs {
  const outputs = new Map<number, Output>();
  let manager: number | null = null;

  function follow(name: number, version: number): void {
    const output: Output = {
      name,
      object: 0,
      mode: { width: 0, height: 0 },
      transform: 0,
      scale: 1,
      label: '',
      place: { x: 0, y: 0 },
      logical: null,
    };
    outputs.set(name, output);
    const id = client.bind(name, Math.min(version, 4), ({ opcode, args }) => {
      if (opcode === 0) {
        output.place = { x: args.int(), y: args.int() };
        for (let skipped = 0; skipped < 3; skipped++) args.uint();
        const [make, model] = [args.string(), args.string()];
        output.label ||= `${make} ${model}`.trim();
        output.transform = args.int();
      } else if (opcode === 1) {
        const current = args.uint() & CURRENT;
        const mode = { width: args.int(), height: args.int() };
        if (current) output.mode = mode;
      } else if (opcode === 3) output.scale = args.int();
      else if (opcode === 4) output.label = args.string();
    });
    output.object = id;
    if (manager === null) return;
    const about = client.object(({ opcode, args }) => {
      if (opcode === 0) output.place = { x: args.int(), y: args.int() };
      if (opcode === 1) output.logical = { width: args.int(), height: args.int() };
      // Before version 4 of wl_output the connector's name is here alone: two displays of one make are told apart by it.
      if (opcode === 3) output.label = args.string();
    });
    client.send(manager, 1, uints(about, id));
  }

  function refresh(): void {
    for (const [name, { face, version }] of client.globals()) {
      if (face === XDG_OUTPUT) manager ??= client.bind(name, Math.min(version, 3));
    }
    let news = false;
    for (const [name, { face, version }] of client.globals()) {
      if (face !== OUTPUT || outputs.has(name)) continue;
      follow(name, version);
      news = true;
    }
    for (const name of outputs.keys()) if (!client.globals().has(name)) outputs.delete(name);
    if (news) client.roundtrip();
  }

  const read = (): Output[] => {
    client.turn(0);
    refresh();
    return [...outputs.values()];
  };
  return {
    displays: () => displaysOf(read()),
    objectOf: (id) => read().filter(isShown)[id - 1]?.object ?? 0,
  };
}

const isShown = ({ mode }: Pick<Output, 'mode'>): boolean => mode.width > 0 && mode.height > 0;

/** In physical pixels. A logical pixel is as large on every display, where they have one scale. */
export function displaysOf(outputs: readonly Omit<Output, 'name' | 'object'>[]): Display[] {
  const shown = outputs.filter(isShown);
  const sized = shown.map((output) => {
    const turned = output.transform % 2 === 1;
    const { width, height } = turned ? { width: output.mode.height, height: output.mode.width } : output.mode;
    const scale = output.logical && output.logical.width > 0 ? width / output.logical.width : output.scale;
    const { x, y } = output.place;
    return {
      output,
      width,
      height,
      scale: Math.round(scale * 1000) / 1000,
      x: Math.round(x * scale),
      y: Math.round(y * scale),
    };
  });
  // No display is called the primary one on Wayland; the first is where the desktop begins.
  const first = sized.findIndex(({ output }) => output.place.x === 0 && output.place.y === 0);
  return sized.map(({ output, ...rest }, i) => ({
    id: i + 1,
    name: output.label,
    ...rest,
    primary: i === Math.max(0, first),
  }));
}

/** How far displays reach together, px of the virtual desktop: absolute devices (tablets, touch screens) cover it. */
export type Area = Rect;
export function areaOf(displays: readonly Rect[]): Area {
  const right = Math.max(0, ...displays.map(({ x, width }) => x + width));
  const bottom = Math.max(0, ...displays.map(({ y, height }) => y + height));
  const left = Math.min(right, ...displays.map(({ x }) => x));
  const top = Math.min(bottom, ...displays.map(({ y }) => y));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
