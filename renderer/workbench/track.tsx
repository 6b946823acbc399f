import type { ReactNode } from 'react';
import classes from './workbench.module.css';

/** How much of the work is done, as a bar and in words. */
export function Track(props: {
  label: string;
  value: number;
  total: number;
  words: string;
  testId?: string;
  /** Beside the words. */
  children?: ReactNode;
}): ReactNode {
  const { label, value, total, words } = props;
  return (
    <div className={classes.progress}>
      <div
        className={classes.track}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(total, 1)}
        aria-valuenow={value}
        aria-valuetext={words}
      >
        <div className={classes.fill} style={{ transform: `scaleX(${total === 0 ? 0 : value / total})` }} />
      </div>
      <span className="tabular" title={words} data-testid={props.testId ?? 'left'}>
        {words}
      </span>
      {props.children}
    </div>
  );
}
