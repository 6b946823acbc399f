import { Button, Loader, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { ExportFormat, ExportPreview } from '../../schemas/api/datasets.ts';
import { tr, trParts } from '../language/tr.ts';
import { someOf } from '../ui/format.ts';
import { ErrorPanel, TableHead } from '../ui/parts.tsx';
import { countsInWords } from './counts.ts';
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
  if (error) return <ErrorPanel error={error} what={tr('The contents could not be determined.')} onRetry={onRetry} />;
  if (!preview) {
    return (
      <Text size="sm" c="dimmed" role="status">
        <Loader size={13} mr={8} /> {tr('Counting what would go out …')}
      </Text>
    );
  }
  const { tasks, subtasks, actions, proof, leftOut } = preview;
  const titleOf = (name: string): string => formats.find((format) => format.name === name)?.title ?? name;
  return (
    <div aria-busy={loading}>
      <Text size="sm" fw={500} role="status">
        {tasks === 0
          ? tr('Nothing would be exported.')
          : `${tr('{tasks, plural, one {# task} other {# tasks}}', { tasks })}, ${tr('{subtasks, plural, one {# subtask} other {# subtasks}}', { subtasks })}, ${tr('{actions, plural, one {# action} other {# actions}}', { actions })}`}
      </Text>
      {proof.proven + proof.failed > 0 && (
        <Text size="sm">
          {proof.failed > 0
            ? tr(
                '{proven, number} of {tasks, plural, one {# task} other {# tasks}} proven by playing, {failed, number} tried and not proven',
                { proven: proof.proven, tasks, failed: proof.failed },
              )
            : tr('{proven, number} of {tasks, plural, one {# task} other {# tasks}} proven by playing', {
                proven: proof.proven,
                tasks,
              })}
        </Text>
      )}
      {proof.said > 0 && (
        <Text size="sm">
          {tr(
            '{said, number} of {tasks, plural, one {# task} other {# tasks}} said to be proven elsewhere, which was not shown here',
            { said: proof.said, tasks },
          )}
        </Text>
      )}
      {tasks === 0 && onAll && leftOut.length > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={onAll}>
          {tr('Include unapproved')}
        </Button>
      )}
      {tasks > 0 && (
        <table className={classes.plain}>
          <TableHead columns={[tr('Format'), tr('Rows'), tr('Skipped')]} />
          <tbody>
            {preview.formats.map(({ format, counts, leftOut: own }) => (
              <tr key={format}>
                <td>{titleOf(format)}</td>
                <td>{countsInWords(counts) || '–'}</td>
                <td className={classes.word}>
                  {own.length > 0
                    ? tr('{own, plural, one {# item} other {# items}}', { own: own.length })
                    : tr('nothing')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {leftOut.length > 0 && <Reasons heading={tr('Skipped in every format')} leftOut={leftOut} />}
      {preview.formats.map(
        ({ format, leftOut: own }) =>
          own.length > 0 && (
            <Reasons key={format} heading={tr('Skipped in {format} only', { format: titleOf(format) })} leftOut={own} />
          ),
      )}
      {leftOut.length === 0 && preview.formats.every((format) => format.leftOut.length === 0) && tasks > 0 && (
        <Text size="sm" c="dimmed" mt={6}>
          {tr('Nothing is skipped.')}
        </Text>
      )}
    </div>
  );
}

/** How many recordings, whole tasks, or pieces of them (`PPT_1/2/3`). */
function countOf(from: string, items: readonly string[]): ReactNode {
  const values = { items: items.length, b: (inside: ReactNode) => <span className={classes.count}>{inside}</span> };
  if (from === 'recordings')
    return trParts('{items, plural, one {<b>#</b> recording} other {<b>#</b> recordings}}', values);
  if (items.some((item) => item.includes('/')))
    return trParts('{items, plural, one {<b>#</b> item} other {<b>#</b> items}}', values);
  return trParts('{items, plural, one {<b>#</b> task} other {<b>#</b> tasks}}', values);
}

/** Each list is called as its heading: there may be one a format. */
function Reasons({ heading, leftOut }: { heading: string; leftOut: ExportPreview['leftOut'] }): ReactNode {
  const id = useId();
  const groups = byReason(leftOut).map(({ reason, from, items }) => (
    <details key={`${from} ${reason}`} className={classes.reason}>
      <summary>
        {countOf(from, items)}: {reason}
        {from !== '*' && from !== 'recordings' && <span className={classes.quiet}> ({from})</span>}
      </summary>
      <p className={classes.items}>{someOf(items, MOST_ITEMS)}</p>
    </details>
  ));
  return (
    <>
      <h3 id={id} className={classes.small}>
        {heading}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key */}
      <section className={classes.reasons} tabIndex={0} aria-labelledby={id}>
        {groups}
      </section>
    </>
  );
}
