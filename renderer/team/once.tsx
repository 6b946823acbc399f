import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { tr } from '../language/tr.ts';
import classes from './team.module.css';

/** A secret that is shown this once, with a button that copies it. */
export function ShownOnce(props: {
  label: string;
  secret: string;
  children: ReactNode;
  onClose: () => void;
}): ReactNode {
  const [copied, setCopied] = useState<boolean | null>(null);
  return (
    <Stack gap="sm">
      <Text size="sm">{props.children}</Text>
      <output aria-label={props.label} className={classes.secret}>
        {props.secret}
      </output>
      <Text size="xs" c="dimmed" role="status">
        {copied === false && tr('The browser did not copy it: select it and copy it yourself.')}
        {copied === true && tr('Copied.')}
      </Text>
      <Group justify="flex-end" gap={8}>
        <Button
          data-autofocus
          leftSection={copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
          onClick={() =>
            navigator.clipboard.writeText(props.secret).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }
        >
          {tr('Copy')}
        </Button>
        <Button variant="default" onClick={props.onClose}>
          {tr('Close')}
        </Button>
      </Group>
    </Stack>
  );
}
