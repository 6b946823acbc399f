import { type ReactNode, useState } from 'react';
import { fileUrl } from '../client/api.ts';
import classes from './thumb.module.css';

/**
 * A recording's first screen, small, in a row of a list. It takes its place before it is there, and keeps it where there is
 * no picture, so that no row moves.
 */
export function Thumb({ ws, recording }: { ws: string; recording: string | null }): ReactNode {
  const [missing, setMissing] = useState<string | null>(null);
  return (
    <span className={classes.thumb} aria-hidden>
      {recording !== null && missing !== recording && (
        <img
          key={recording}
          src={fileUrl.smallPicture(ws, recording, 'small')}
          alt=""
          width={48}
          height={30}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setMissing(recording)}
        />
      )}
    </span>
  );
}
