import { Button, CloseButton } from '@mantine/core';
import { IconSnowflake } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '../client/paths.ts';
import { tr, trParts } from '../language/tr.ts';
import classes from './page.module.css';

/** After a version was frozen: that it is there, and where to go on with it. */
export function Frozen({ ws, name, onClose }: { ws: string; name: string; onClose: () => void }): ReactNode {
  const version = encodeURIComponent(name);
  return (
    <div role="status" className={classes.after}>
      <IconSnowflake size={16} aria-hidden />
      <span>{trParts('Version {name} is frozen.', { name: <strong>{name}</strong> })}</span>
      <Button
        component={Link}
        href={`${paths.dataset(ws, 'versions')}?version=${version}`}
        size="compact-xs"
        variant="default"
        onClick={onClose}
      >
        {tr('View')}
      </Button>
      <Button component={Link} href={`${paths.exports(ws)}?version=${version}`} size="compact-xs" variant="default">
        {tr('Export it')}
      </Button>
      <Button component={Link} href={`${paths.exports(ws)}?share=${version}`} size="compact-xs" variant="default">
        {tr('Share …')}
      </Button>
      <CloseButton size="sm" aria-label={tr('Close the message')} onClick={onClose} />
    </div>
  );
}
