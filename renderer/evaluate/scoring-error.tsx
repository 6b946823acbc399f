import type { ReactNode } from 'react';
import { toError } from '../client/api.ts';
import { plural } from '../ui/format.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import classes from './evaluate.module.css';
import { problemsOf } from './send.ts';

/** An error with every line that is wrong; the page shows the whole message of the studio. */
export function ScoringError({ error, what }: { error: unknown; what: string }): ReactNode {
  const { problems, count } = problemsOf(error);
  if (problems.length === 0) return <ErrorPanel error={error} what={what} compact />;
  const { code } = toError(error);
  const text = `${plural(count, 'line')} cannot be taken. Mend ${count === 1 ? 'it' : 'them'} and load the file again.`;
  return (
    <div>
      <ErrorPanel error={{ code, message: text }} what={what} compact />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by key */}
      <section className={classes.problems} tabIndex={0} aria-label="Lines that cannot be taken">
        <table>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Line</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
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
        {count > problems.length && <p>… and {(count - problems.length).toLocaleString('en')} more</p>}
      </section>
    </div>
  );
}
