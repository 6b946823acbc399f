import { Anchor, CloseButton, Loader } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { writtenText } from '../../../core/import/transcript.ts';
import type { Attachment } from '../../../schemas/api/models.ts';
import { fileUrl, studioFetch } from '../../client/api.ts';
import { paths } from '../../client/paths.ts';
import { queries } from '../../client/queries.ts';
import { tr, trParts } from '../../language/tr.ts';
import { bytes } from '../../ui/format.ts';
import { ErrorPanel, QueryError } from '../../ui/parts.tsx';
import { clock } from '../frames/times.ts';
import { useWork, useWorkStore } from '../store.ts';
import classes from './source.module.css';
import { type Cue, cueAt, linkAt, parseTranscript } from './transcript.ts';

/** A transcript of two hours has some 200 kB; more than this is no transcript. */
const MOST_BYTES = 5_000_000;
/** A broken stream has thousands; the first ones tell what is wrong. */
const MOST_NOTES = 50;

/** The video that the task was made after, with its transcript beside it (pattern 12). Open while one works. */
export function SourcePanel(): ReactNode {
  const store = useWorkStore();
  const ws = useWork((state) => state.ws);
  const taskId = useWork((state) => state.opened.row.task);
  const task = useQuery(queries.task(ws, taskId));
  const video = task.data?.attachments.find((one) => one.role === 'source-video');
  const transcript = task.data?.attachments.find((one) => one.role === 'transcript');
  const element = useRef<HTMLVideoElement>(null);
  const [seconds, setSeconds] = useState(0);
  const url = task.data?.sourceUrl ?? '';
  return (
    <aside className={classes.panel} aria-label={tr('Source video')}>
      <header className={classes.head}>
        <h2>{tr('Source video')}</h2>
        <CloseButton
          size="sm"
          aria-label={tr('Close the source video')}
          onClick={() => store.setState({ open: null })}
        />
      </header>
      {task.isPending && <Loader size="sm" aria-label={tr('Loading')} role="status" />}
      <QueryError of={task} compact />
      {video && (
        // biome-ignore lint/a11y/useMediaCaption: its transcript stands beside it as text.
        <video
          ref={element}
          className={classes.video}
          src={fileUrl.attachment(ws, video.id)}
          controls
          preload="metadata"
          aria-label={tr('Source video {name}', { name: video.name })}
          onTimeUpdate={(event) => setSeconds(event.currentTarget.currentTime)}
        />
      )}
      {url !== '' && <SourceLink url={url} />}
      {task.data && !video && url === '' && (
        <p className={classes.quiet}>
          {trParts("The task has no source video. Give it a link or a file on <link>the task's page</link>.", {
            link: (inside) => (
              <Anchor component={Link} href={paths.task(ws, taskId)} size="xs">
                {inside}
              </Anchor>
            ),
          })}
        </p>
      )}
      {transcript && (
        <Transcript
          ws={ws}
          file={transcript}
          seconds={seconds}
          url={video ? '' : url}
          onGo={(to) => {
            if (!element.current) return;
            element.current.currentTime = to;
            void element.current.play().catch(() => undefined);
          }}
        />
      )}
      {task.data && !transcript && <p className={classes.quiet}>{tr('No transcript (.srt or .vtt) is attached.')}</p>}
      <DataNotes />
    </aside>
  );
}

/**
 * Everything that is missing of the recording, that an import lost or guessed, or that was met in it: nothing of it is
 * silent.
 */
function DataNotes(): ReactNode {
  const warnings = useWork((state) => state.opened.warnings);
  const missing = useWork((state) => state.opened.verdict?.missing);
  const notes = [
    ...(missing ?? []).map((what) => tr('Missing: {what}.', { what })),
    ...warnings.map(({ message }) => message),
  ];
  if (notes.length === 0) return null;
  return (
    <details className={classes.notes} open>
      <summary>{tr('Notes on the data ({notes})', { notes: notes.length })}</summary>
      <ul>
        {[...new Set(notes)].slice(0, MOST_NOTES).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}

function SourceLink({ url }: { url: string }): ReactNode {
  const link = linkAt(url, 0);
  if (!link)
    return (
      <p className={classes.quiet}>
        {tr("The task's source, “{address}”, is not a web address.", { address: url.slice(0, 300) })}
      </p>
    );
  return (
    <Anchor href={link} target="_blank" rel="noreferrer noopener" size="sm" className={classes.link}>
      <IconExternalLink size={14} aria-hidden /> {url}
    </Anchor>
  );
}

function Transcript(props: {
  ws: string;
  file: Attachment;
  seconds: number;
  /** Cues open this link at their time when the video is not a file of ours. */
  url: string;
  onGo: (seconds: number) => void;
}): ReactNode {
  const { ws, file } = props;
  const cues = useQuery({
    queryKey: ['of', ws, 'transcript', file.id],
    queryFn: ({ signal }) => readTranscript(ws, file, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const now = cues.data ? cueAt(cues.data, props.seconds) : -1;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.children[now]?.scrollIntoView({ block: 'nearest' });
  }, [now]);
  if (cues.isPending) return <Loader size="sm" aria-label={tr('Loading the transcript')} role="status" />;
  if (cues.error) return <ErrorPanel error={cues.error} what={tr('The transcript cannot be read.')} compact />;
  if (cues.data.length === 0)
    return <p className={classes.quiet}>{tr('The transcript {name} is empty.', { name: file.name })}</p>;
  return (
    <ol ref={list} className={classes.cues} aria-label={tr('Transcript {name}', { name: file.name })}>
      {cues.data.map((cue, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cues never change their order, and may be equal.
        <li key={index} className={classes.cue} data-now={index === now}>
          <CueText cue={cue} url={props.url} onGo={props.onGo} />
        </li>
      ))}
    </ol>
  );
}

function CueText({ cue, url, onGo }: { cue: Cue; url: string; onGo: (seconds: number) => void }): ReactNode {
  const time = clock(cue.start * 1e6).replace(/\.\d+$/, '');
  const link = url === '' ? null : linkAt(url, cue.start);
  if (link) {
    return (
      <a href={link} target="_blank" rel="noreferrer noopener" className={classes.cueText}>
        <span className={classes.time}>{time}</span> {cue.text}
      </a>
    );
  }
  return (
    <button type="button" className={classes.cueText} onClick={() => onGo(cue.start)}>
      <span className={classes.time}>{time}</span> {cue.text}
    </button>
  );
}

async function readTranscript(ws: string, file: Attachment, signal: AbortSignal): Promise<Cue[]> {
  if (file.bytes > MOST_BYTES)
    throw new Error(
      tr('{name} is too large to be a transcript ({size}).', { name: file.name, size: bytes(file.bytes) }),
    );
  const response = await studioFetch(fileUrl.attachment(ws, file.id), { signal });
  if (!response.ok) throw new Error(tr('The studio answered {status}.', { status: response.status }));
  return parseTranscript(writtenText(new Uint8Array(await response.arrayBuffer())));
}
