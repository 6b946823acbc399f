import { Anchor, SegmentedControl } from '@mantine/core';
import { IconHandClick, IconRobot } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askerOf, queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { AgreeDialog } from '../play/agree.tsx';
import { toError } from '../ui/errors.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { Clamp, ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import { keepModel } from './kept-model.ts';
import { begunModel, freshModel, ModelFields, type ModelGiven } from './model-fields.tsx';
import classes from './page.module.css';

type Who = 'person' | 'model';

/** A person or a model is about to do a task on a stage: what will happen, and the way to begin. */
export function BeginPage({ ws, task }: { ws: string; task: string }): ReactNode {
  const [, go] = useLocation();
  const [who, setWho] = useState<Who>('person');
  const [given, setGiven] = useState<ModelGiven>(freshModel);
  const model = begunModel(given);
  const found = useQuery(queries.task(ws, task));
  const begin = useMutation({
    mutationFn: async () => {
      if (who === 'person' || model === null) return client.runs.human({ ws, task, ...askerOf(ws) });
      keepModel(given);
      return client.runs.model({ ws, task, ...askerOf(ws), with: model });
    },
    onSuccess: ({ run }) => go(paths.liveRun(ws, run), { replace: true }),
  });
  const asks = begin.error !== null && toError(begin.error).code === 'NOT_AGREED';
  const isReady = who === 'person' || model !== null;
  useHandlers('live', {
    'live.begin': { run: () => begin.mutate(), enabled: isReady && !begin.isPending },
    'live.task': () => go(paths.task(ws, task)),
  });
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Do it on a stage')}
        windowTitle={tr('{task} · On a stage', { task })}
        above={
          <Anchor component={Link} href={paths.task(ws, task)} size="xs">
            {task}
          </Anchor>
        }
        about={found.data && <Clamp>{found.data.goal || tr('No goal yet')}</Clamp>}
        actions={
          <CommandButton
            icon={who === 'person' ? IconHandClick : IconRobot}
            command="live.begin"
            loading={begin.isPending}
            disabled={!isReady}
            onClick={() => begin.mutate()}
          >
            {who === 'person' ? tr('Begin') : tr('Send it and begin')}
          </CommandButton>
        }
      />
      <div className={classes.body}>
        <QueryError of={found} compact />
        {begin.error && !asks && <ErrorPanel error={begin.error} what={tr('The stage could not be begun.')} />}
        <SegmentedControl
          aria-label={tr('Who does it')}
          className={classes.help}
          value={who}
          onChange={(value) => setWho(value === 'model' ? 'model' : 'person')}
          data={[
            { value: 'person', label: tr('I do it') },
            { value: 'model', label: tr('A model does it') },
          ]}
        />
        {who === 'model' && <ModelFields ws={ws} given={given} onChange={setGiven} />}
        <ul className={classes.told}>
          <li>{tr('A display of its own is set up as the task’s recipe says, with a home of its own.')}</li>
          {who === 'person' ? (
            <>
              <li>
                {tr('It is shown in this page; your mouse and keyboard over it act on it, whatever your layout is.')}
              </li>
              <li>{tr('It is recorded as your demonstration of the task from the moment that you see it.')}</li>
            </>
          ) : (
            <>
              <li>
                {tr(
                  'To the endpoint go pictures of the stage’s whole screen, the task’s goal, the software’s name, titles of windows, and what it answered before; nothing goes anywhere else.',
                )}
              </li>
              {given.coordinates === 'measure' && (
                <li>
                  {tr(
                    'Before the first run of this model six pictures of a red square go there, to find out what its places count: six requests more.',
                  )}
                </li>
              )}
              {given.agent === 'video-guided' && (
                <li>
                  {tr('Keyframes of the demonstration go there, too: pictures of the screen that it was recorded on.')}
                </li>
              )}
              {given.agent !== 'video-guided' && given.shots > 0 && (
                <li>
                  {tr(
                    'With each request the demonstrations go there, too: their goals, their steps with what was typed, and pictures of the screens that they were recorded on.',
                  )}
                </li>
              )}
              {given.agent === 'minimal' && given.inject !== 'none' && (
                <li>{tr('The demonstration’s plan goes there, too, as it is written in its annotation.')}</li>
              )}
              <li>
                {tr('It is long work: it goes on when this page is closed, and one model’s run goes on at a time.')}
              </li>
              <li>{tr('A key is kept nowhere. Money is counted from the tokens that the endpoint says it used.')}</li>
              <li>{tr('You watch the run here, and can stop it or take it over at any time.')}</li>
            </>
          )}
          <li>{tr('At the end the task’s checks are evaluated, and the stage is thrown away.')}</li>
        </ul>
      </div>
      {asks && <AgreeDialog ws={ws} task={task} onAgreed={() => begin.mutate()} onClose={() => begin.reset()} />}
    </div>
  );
}
