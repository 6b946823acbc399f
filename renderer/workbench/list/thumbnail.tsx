import { memo, type ReactNode, useMemo } from 'react';
import type { StepView } from '../../../core/annotate/view.ts';
import { useTools } from '../context.ts';
import { pictureRect } from '../geometry.ts';
import { KIND_COLORS, KindIcon } from '../kind.tsx';
import { placeOfStep } from '../stage/target.ts';
import { useWork } from '../store.ts';
import { useCrop, WithCrops } from './crop-images.tsx';
import { cropAround } from './crops.ts';
import classes from './list.module.css';

const SIZE = { width: 38, height: 26 };

/** The thumbnails of a list, cut while it is shown. */
export function WithThumbnails({ children }: { children: ReactNode }): ReactNode {
  return <WithCrops size={SIZE}>{children}</WithCrops>;
}

/** The element of a step as it was before it, edged in the colour of its kind; keys have no place, and show their kind. */
export const Thumbnail = memo(function Thumbnail({ step }: { step: StepView }): ReactNode {
  const { frames } = useTools();
  const opened = useWork((state) => state.opened);
  const rect = useMemo(() => {
    const picture = pictureRect(opened, step.before);
    const around = placeOfStep(opened, step);
    return picture && around ? cropAround(around, picture, SIZE) : null;
  }, [opened, step]);
  const address = useCrop(frames[step.before]?.[0], rect);
  return (
    <span className={classes.thumbnail} style={{ ...SIZE, borderColor: KIND_COLORS[step.step.kind] }}>
      {rect === null && <KindIcon kind={step.step.kind} />}
      {address && <img src={address} alt="" data-testid="thumbnail" />}
    </span>
  );
});
