import type { ReactNode } from 'react';
import { toError } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { ErrorPanel, TableHead } from '../ui/parts.tsx';
import classes from './evaluate.module.css';
import { problemsOf } from './send.ts';

/** An error with every line that is wrong; the page shows the whole message of the studio. */
export function ScoringError({ error, what }: { error: unknown; what: string }): ReactNode {
  const { problems, count } = problemsOf(error);
  if (problems.length === 0) return <ErrorPanel error={error} what={what} compact />;
  const { code } = toError(error);
  const text = tr(
    '{count, plural, one {# line cannot be taken. Fix it and load the file again.} other {# lines cannot be taken. Fix them and load the file again.}}',
    { count },
  );
  return (
    <div>
      <ErrorPanel error={{ code, message: text }} what={what} compact />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by key */}
      <section className={classes.problems} tabIndex={0} aria-label={tr('Lines that cannot be taken')}>
        <table>
          <TableHead columns={[tr('File'), tr('Line'), tr('What is wrong')]} />
          <tbody>
            {problems.map(({ file, line, message }) => (
              <tr key={`${file} ${line} ${message}`}>
                <td>{file}</td>
                <td className={classes.number}>{line}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {count > problems.length && <p>{tr('… and {count, number} more', { count: count - problems.length })}</p>}
      </section>
    </div>
  );
}
