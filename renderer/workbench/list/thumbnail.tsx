import { createContext, memo, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { StepView } from '../../../core/annotate/view.ts';
import { useTools } from '../context.ts';
import { pictureRect } from '../geometry.ts';
import { KIND_COLORS, KindIcon } from '../kind.tsx';
import { loadFrame } from '../load.ts';
import { actsAtPlace, targetIn } from '../stage/target.ts';
import { useWork } from '../store.ts';
import { type Crops, cropAround, makeCrops } from './crops.ts';
import classes from './list.module.css';

const SIZE = { width: 38, height: 26 };

const CropsContext = createContext<Crops | null>(null);

/** The thumbnails of a list, cut while it is shown. */
export function WithThumbnails({ children }: { children: ReactNode }): ReactNode {
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const { pictures } = useTools();
  const crops = useMemo(() => {
    const decoded = (i: number) => pictures.get(i).bitmap;
    return makeCrops({ decoded, load: (i, signal) => loadFrame(ws, recording, i, signal) }, SIZE);
  }, [ws, recording, pictures]);
  useEffect(() => () => crops.close(), [crops]);
  return <CropsContext value={crops}>{children}</CropsContext>;
}

/** The element of a step as it was before it, edged in the colour of its kind; keys have no place, and show their kind. */
export const Thumbnail = memo(function Thumbnail({ step }: { step: StepView }): ReactNode {
  const crops = useContext(CropsContext);
  const { frames } = useTools();
  const opened = useWork((state) => state.opened);
  const [cut, setCut] = useState<{ key: string; address: string } | null>(null);
  const frame = frames[step.before]?.[0];
  const rect = useMemo(() => {
    const picture = pictureRect(opened, step.before);
    const target = targetIn(opened, step, step.before);
    const point = target?.startInside && actsAtPlace(step.step.kind) ? { ...target.start, width: 0, height: 0 } : null;
    const around = step.target?.box ?? point;
    return picture && around ? cropAround(around, picture, SIZE) : null;
  }, [opened, step]);
  const key = rect && `${frame}:${rect.x},${rect.y},${rect.width}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the rect only its numbers count.
  useEffect(() => {
    if (!crops || !rect || !key || frame === undefined) return;
    return crops.want(frame, rect, (address) => setCut({ key, address }));
  }, [crops, frame, key]);
  const address = cut?.key === key ? cut?.address : undefined;
  return (
    <span className={classes.thumbnail} style={{ ...SIZE, borderColor: KIND_COLORS[step.step.kind] }}>
      {rect === null && <KindIcon kind={step.step.kind} />}
      {address && <img src={address} alt="" data-testid="thumbnail" />}
    </span>
  );
});
