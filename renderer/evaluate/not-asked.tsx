import type { ReactNode } from 'react';
import type { QuestionSet } from '../../schemas/api/evaluate.ts';
import { tr } from '../language/tr.ts';
import classes from './evaluate.module.css';

/** The steps that no question could be made of, each with the reason; nothing when there are none. */
export function NotAsked({ set }: { set: QuestionSet }): ReactNode {
  if (set.leftOutCount === 0) return null;
  return (
    <details className={classes.options}>
      <summary>
        {tr('{leftOutCount, plural, one {# item} other {# items}} could not be asked', {
          leftOutCount: set.leftOutCount,
        })}
      </summary>
      <ul className={classes.plainList}>
        {set.leftOut.map(({ item, reason }) => (
          <li key={`${item} ${reason}`}>
            <code>{item}</code>: {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
