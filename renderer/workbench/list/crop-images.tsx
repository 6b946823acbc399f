import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { Rect } from '../../../schemas/events.ts';
import { useTools } from '../context.ts';
import type { Size } from '../geometry.ts';
import { loadFrame } from '../load.ts';
import { useWork } from '../store.ts';
import { type Crops, makeCrops } from './crops.ts';

const CropsContext = createContext<Crops | null>(null);

/** What is in it may show parts of frames as images of this size, cut while they are in sight. `size` must stay the same. */
export function WithCrops({ size, children }: { size: Size; children: ReactNode }): ReactNode {
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const { pictures } = useTools();
  const crops = useMemo(() => {
    const decoded = (i: number) => pictures.get(i).bitmap;
    return makeCrops({ decoded, load: (i, signal) => loadFrame(ws, recording, i, signal) }, size);
  }, [ws, recording, pictures, size]);
  useEffect(() => () => crops.close(), [crops]);
  return <CropsContext value={crops}>{children}</CropsContext>;
}

/** The address of the part `rect` of a frame (frames.jsonl `i`), once it is cut; undefined until then, or when there is none. */
export function useCrop(frame: number | undefined, rect: Rect | null): string | undefined {
  const crops = useContext(CropsContext);
  const [cut, setCut] = useState<{ key: string; address: string } | null>(null);
  const key = rect && `${frame}:${rect.x},${rect.y},${rect.width}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the rect only its numbers count.
  useEffect(() => {
    if (!crops || !rect || !key || frame === undefined) return;
    return crops.want(frame, rect, (address) => setCut({ key, address }));
  }, [crops, frame, key]);
  return cut?.key === key ? cut?.address : undefined;
}
