import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { writtenText } from '../../core/import/transcript.ts';
import type { Attachment } from '../../schemas/api/models.ts';
import { fileUrl, studioFetch } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { duration } from '../ui/format.ts';
import { ErrorPanel, QueryError } from '../ui/parts.tsx';
import classes from './page.module.css';
import { transcriptLines } from './transcript.ts';

/** A transcript of hours is some 300 kB; what is larger is no transcript. */
const MOST_BYTES = 2_000_000;

/** The source video's transcript as text, with its times when it has some. */
export function TranscriptView({ ws, attachment }: { ws: string; attachment: Attachment }): ReactNode {
  const text = useQuery({
    queryKey: ['transcript', ws, attachment.id],
    queryFn: async () => {
      const bytes = new Uint8Array(await (await studioFetch(fileUrl.attachment(ws, attachment.id))).arrayBuffer());
      return transcriptLines(writtenText(bytes));
    },
    enabled: attachment.bytes <= MOST_BYTES,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const id = `transcript-${attachment.id}`;
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} className={classes.sectionTitle}>
        {tr('Transcript')} <span className={classes.count}>{attachment.name}</span>
      </h2>
      {attachment.bytes > MOST_BYTES && (
        <ErrorPanel
          error={{ code: 'BAD_FILE', message: tr('{name} is too large for a transcript.', { name: attachment.name }) }}
          compact
        />
      )}
      <QueryError of={text} compact />
      {text.data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ol className={classes.transcript} tabIndex={0} aria-label={tr('Transcript')}>
          {text.data.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name and never move
            <li key={i} className={classes.said}>
              <time className="tabular">{line.start === null ? '' : duration(line.start * 1e6)}</time>
              <span>{line.text}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
