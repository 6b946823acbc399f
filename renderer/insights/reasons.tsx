import type { ReactNode } from 'react';
import type { Dashboard } from '../../schemas/api/review-models.ts';
import { tr } from '../language/tr.ts';
import { TableHead } from '../ui/parts.tsx';
import { reasonLabel } from '../ui/reasons.ts';
import classes from './insights.module.css';
import { NumberCell, Section } from './parts.tsx';

/** Why work was sent back, the most frequent reason first. */
export function Reasons({ reasons, reviewed }: { reasons: Dashboard['reasons']; reviewed: number }): ReactNode {
  const counted = reasons.filter(({ count }) => count > 0);
  const most = Math.max(...counted.map(({ count }) => count), 1);
  const all = counted.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section
      id="reasons"
      heading={
        <>
          {tr('Reasons for rejections')}
          {all > 0 && (
            <span className={classes.note}>{tr('{all, plural, one {# rejection} other {# rejections}}', { all })}</span>
          )}
        </>
      }
    >
      {counted.length === 0 ? (
        <p className={classes.nothing}>
          {reviewed === 0
            ? tr('Nothing was reviewed yet. Reasons appear when a reviewer rejects an item.')
            : tr('Nothing was rejected.')}
        </p>
      ) : (
        <table className={classes.table} data-narrow>
          <TableHead hidden columns={[tr('Reason'), tr('Share'), tr('Count')]} />
          <tbody>
            {counted.map(({ reason, count }) => (
              <tr key={reason}>
                <th scope="row">{reasonLabel(reason)}</th>
                <td className={classes.reasonBar}>
                  <span className={classes.reason} style={{ width: `${(count / most) * 100}%` }} aria-hidden="true" />
                </td>
                <NumberCell n={count} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
