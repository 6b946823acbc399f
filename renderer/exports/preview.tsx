import { Button, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ExportFormat, ExportPreview } from '../../schemas/api/datasets.ts';
import { plural } from '../ui/format.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import { byReason } from './left-out.ts';
import classes from './page.module.css';

const MOST_ITEMS = 300;

type Props = {
  formats: readonly ExportFormat[];
  preview: ExportPreview | undefined;
  error: unknown;
  loading: boolean;
  onRetry: () => void;
  /** Takes every state; absent when that is so already. */
  onAll?: () => void;
};

/** Before anything is written: how much goes out, and what does not, by reason. */
export function PreviewPanel({ formats, preview, error, loading, onRetry, onAll }: Props): ReactNode {
  if (error) return <ErrorPanel error={error} what="What would go out could not be told." onRetry={onRetry} />;
  if (!preview) {
    return (
      <Text size="sm" c="dimmed" role="status">
        <Loader size={13} mr={8} /> Counting what would go out …
      </Text>
    );
  }
  const { tasks, subtasks, actions, leftOut } = preview;
  const titleOf = (name: string): string => formats.find((format) => format.name === name)?.title ?? name;
  return (
    <div aria-busy={loading}>
      <Text size="sm" fw={500} role="status">
        {tasks === 0
          ? 'Nothing would go out.'
          : `${plural(tasks, 'task')}, ${plural(subtasks, 'subtask')}, ${plural(actions, 'action')}`}
      </Text>
      {tasks === 0 && onAll && leftOut.length > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={onAll}>
          Include unapproved
        </Button>
      )}
      {tasks > 0 && (
        <table className={classes.plain}>
          <thead>
            <tr>
              <th scope="col">Format</th>
              <th scope="col">Rows</th>
              <th scope="col">Left out</th>
            </tr>
          </thead>
          <tbody>
            {preview.formats.map(({ format, counts, leftOut: own }) => (
              <tr key={format}>
                <td>{titleOf(format)}</td>
                <td>
                  {Object.entries(counts)
                    .map(([name, n]) => `${n.toLocaleString('en')} ${name}`)
                    .join(', ') || '–'}
                </td>
                <td>{own.length > 0 ? plural(own.length, 'item') : 'nothing'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {leftOut.length > 0 && (
        <>
          <h3 className={classes.small}>Left out of every format</h3>
          <Reasons leftOut={leftOut} />
        </>
      )}
      {preview.formats.map(
        ({ format, leftOut: own }) =>
          own.length > 0 && (
            <div key={format}>
              <h3 className={classes.small}>Left out of {titleOf(format)} alone</h3>
              <Reasons leftOut={own} />
            </div>
          ),
      )}
      {leftOut.length === 0 && preview.formats.every((format) => format.leftOut.length === 0) && tasks > 0 && (
        <Text size="sm" c="dimmed" mt={6}>
          Nothing is left out.
        </Text>
      )}
    </div>
  );
}

/** The unit of a count: recordings, whole tasks, or pieces of them (`PPT_1/2/3`). */
function wordFor(from: string, items: readonly string[]): string {
  const word = from === 'recordings' ? 'recording' : items.some((item) => item.includes('/')) ? 'item' : 'task';
  return items.length === 1 ? word : `${word}s`;
}

function Reasons({ leftOut }: { leftOut: ExportPreview['leftOut'] }): ReactNode {
  const groups = byReason(leftOut).map(({ reason, from, items }) => (
    <details key={`${from} ${reason}`} className={classes.reason}>
      <summary>
        <span className={classes.count}>{items.length.toLocaleString('en')}</span> {wordFor(from, items)}: {reason}
        {from !== '*' && from !== 'recordings' && <span className={classes.quiet}> ({from})</span>}
      </summary>
      <p className={classes.items}>
        {items.slice(0, MOST_ITEMS).join(', ')}
        {items.length > MOST_ITEMS && ` and ${(items.length - MOST_ITEMS).toLocaleString('en')} more`}
      </p>
    </details>
  ));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key
    <section className={classes.reasons} tabIndex={0} aria-label="Reasons">
      {groups}
    </section>
  );
}
