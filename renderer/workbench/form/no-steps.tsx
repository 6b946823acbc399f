import { Button } from '@mantine/core';
import { IconPlus, IconScissors } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useWorkspace } from '../../client/queries.ts';
import { ImportDialog } from '../../imports/import-dialog.tsx';
import { tr } from '../../language/tr.ts';
import { CommandButton } from '../../ui/keys/command-button.tsx';
import { addsSteps } from '../add-step.ts';
import { useTools } from '../context.ts';
import { readOnlyNow, useWork } from '../store.ts';
import classes from './form.module.css';

/** Instead of a step: why there is none, and for a video the way to other steps. */
export function NoSteps(): ReactNode {
  const video = useWork(({ opened }) => opened.capture.grabber === 'video');
  return (
    <div className={classes.form}>
      <section className={classes.section} aria-label={tr('No steps')}>
        <h2 className={classes.stepTitle}>{tr('No steps')}</h2>
        {video ? (
          <CutAgain />
        ) : (
          <p className={classes.empty}>
            {tr('Nothing was clicked or typed while this was recorded, so it has no steps.')}
          </p>
        )}
      </section>
    </div>
  );
}

function CutAgain(): ReactNode {
  const ws = useWork((state) => state.ws);
  const row = useWork(({ opened }) => opened.row);
  const workspace = useWorkspace(ws);
  const adds = useWork((state) => addsSteps(state) && readOnlyNow(state) === null);
  const { run } = useTools();
  const [cutting, setCutting] = useState(false);
  return (
    <>
      <p className={classes.empty}>
        {tr('A video has no clicks and keys of its own. Go to a picture on the timeline, and say what was done there.')}
      </p>
      {adds && (
        <CommandButton icon={IconPlus} command="annotate.addStep" onClick={() => run('annotate.addStep')}>
          {tr('Add a step at this picture')}
        </CommandButton>
      )}
      <p className={classes.empty}>
        {tr(
          'Or cut it again with a smaller share, more often, or by the rule for desktops (K10). That makes another recording of the same task; this one stays until you remove it.',
        )}
      </p>
      <Button
        variant="default"
        leftSection={<IconScissors size={15} aria-hidden />}
        disabled={workspace === undefined}
        onClick={() => setCutting(true)}
      >
        {tr('Cut again with other values')}
      </Button>
      {workspace && (
        <ImportDialog
          ws={ws}
          opened={cutting}
          path={`${workspace.dir}/recordings/${row.id}/screen.mkv`}
          again={{ app: row.software, goal: row.goal, task: row.task }}
          onClose={() => setCutting(false)}
        />
      )}
    </>
  );
}
