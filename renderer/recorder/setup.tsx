import { Checkbox, SegmentedControl } from '@mantine/core';
import { IconPlayerRecordFilled } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Preflight, RecorderState } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { useChangeSettings, useSettings } from '../client/settings.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import { likelyWindow } from './likely-window.ts';
import { OptionFields } from './option-fields.tsx';
import { optionsOf, type RecordOptions } from './options.ts';
import classes from './page.module.css';
import { useScreenPictures } from './pictures.ts';
import { PreflightList } from './preflight.tsx';
import { TargetChoice } from './target.tsx';
import { useTarget } from './use-target.ts';
import { VoiceFields } from './voice-fields.tsx';

const TARGETS = { display: tr('Display'), region: tr('Region'), window: tr('Window') } as const;

type Props = {
  ws: string;
  task: string;
  /** The room for the button in the page's head: in sight whatever else there is to read. */
  actions: HTMLElement | null;
  onStarted: (state: RecorderState) => void;
};

/** The choice of a screen and options before recording, with what the machine lacks. */
export function Setup(props: Props): ReactNode {
  const { ws } = props;
  const preflight = useQuery({
    queryKey: ['preflight', ws],
    queryFn: ({ signal }) => client.recorder.preflight({ ws }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const { data, refetch } = preflight;
  const lacks = data !== undefined && data.status !== 'ok';
  useEffect(() => {
    if (!lacks) return;
    // Back from the system's settings, or from starting a program: the window may have been seen all the while, so that
    // its being visible again, which the query itself looks at, tells nothing.
    const again = (): void => void refetch({ cancelRefetch: false });
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [lacks, refetch]);
  return (
    <>
      <PreflightList
        preflight={preflight.data}
        error={preflight.error}
        checking={preflight.isFetching}
        onCheck={() => void preflight.refetch()}
      />
      {preflight.data && <Choices {...props} preflight={preflight.data} onCheck={() => void preflight.refetch()} />}
    </>
  );
}

function Choices(props: Props & { preflight: Preflight; onCheck: () => void }): ReactNode {
  const { ws, task, actions, preflight, onStarted, onCheck } = props;
  const { displays, windows } = preflight;
  const settings = useSettings();
  const change = useChangeSettings();
  const people = useQuery(queries.people(ws)).data ?? [];
  const [given, setGiven] = useState<Partial<RecordOptions>>({});
  const giveMore = (part: Partial<RecordOptions>): void => setGiven((now) => ({ ...now, ...part }));
  const options = { ...optionsOf(settings), ...given };
  const person = people.some((one) => one.id === options.person) ? options.person : null;

  const of = useQuery(queries.task(ws, task)).data?.software;
  const software = useQuery(queries.software(ws)).data?.find(({ id }) => id === of);
  const chosen = useTarget(preflight, likelyWindow(windows, software));
  const shared = preflight.shared === true;
  // Where programs are asked at all, it is among the checks.
  const asking = preflight.checks.find(({ id }) => id === 'elements');
  const asks = asking?.status === 'ok' && (options.elements ?? asking.byDefault ?? false);
  const [partialInput, setPartialInput] = useState(false);
  // Never remembered: who records says so each time.
  const [voice, setVoice] = useState(false);
  const [microphone, setMicrophone] = useState('');
  const pictures = useScreenPictures(options, displays.length > 0 && !shared);

  const problem = problemOf();
  function problemOf(): string | null {
    if (preflight.status === 'fail') return tr('Something that recording needs is missing: see the red lines.');
    if (shared && !partialInput) return tr('Confirm that you know what is not recorded here.');
    return chosen.problem;
  }
  const start = useMutation({
    mutationFn: async () => {
      const { fps, countdown, exclude, only, secretPrograms, elements, elementNames } = options;
      const state = await client.recorder.start({
        ws,
        task,
        target: chosen.target,
        fps,
        countdown,
        exclude,
        only,
        ...(elements !== null && { elements: asks }),
        ...(elements !== false && { secretPrograms }),
        elementNames,
        person,
        partialInput,
        ...(voice && { voice: microphone }),
      });
      // Remembered for the next time; not being able to is no reason to stop a recording.
      const last: RecordOptions = { fps, countdown, exclude, only, secretPrograms, elements, elementNames, person };
      change({ recorder: last }).catch(() => undefined);
      return state;
    },
    onSuccess: onStarted,
  });
  const go = (): void => {
    if (problem === null && !start.isPending) start.mutate();
  };
  useHandlers('record', {
    'record.start': { run: go, enabled: problem === null },
    'record.check': onCheck,
    'record.display': () => chosen.setKind('display'),
    'record.region': () => chosen.setKind('region'),
    'record.window': () => chosen.setKind('window'),
    'record.elements': {
      run: () => giveMore({ elements: !asks }),
      enabled: asking?.status === 'ok',
    },
    'record.element-names': {
      run: () => giveMore({ elementNames: !options.elementNames }),
      enabled: asks,
    },
    'record.accept': { run: () => setPartialInput(!partialInput), enabled: shared },
  });
  const begin = (
    <>
      {problem !== null && (
        <span className={classes.problem} role="status">
          {problem}
        </span>
      )}
      <CommandButton
        size="sm"
        color="red.8"
        icon={IconPlayerRecordFilled}
        command="record.start"
        onClick={go}
        disabled={problem !== null}
        loading={start.isPending}
      >
        {tr('Start recording')}
      </CommandButton>
    </>
  );
  return (
    <div className={classes.setup}>
      {actions && createPortal(begin, actions)}
      {start.error && (
        <div className={classes.failed}>
          <ErrorPanel error={start.error} what={tr('The recording did not start.')} compact />
        </div>
      )}
      <section className={classes.card} aria-labelledby="what-title">
        <h2 id="what-title" className={classes.cardTitle}>
          {tr('What to record')}
        </h2>
        <SegmentedControl
          aria-label={tr('What to record')}
          value={chosen.kind}
          onChange={(value) => chosen.setKind(value === 'region' || value === 'window' ? value : 'display')}
          data={(['display', 'region', 'window'] as const).map((value) => ({
            value,
            label: (
              <span className={classes.kind}>
                {TARGETS[value]} <Kbd command={`record.${value}`} />
              </span>
            ),
          }))}
        />
        <TargetChoice
          kind={chosen.kind}
          displays={displays}
          windows={windows}
          pictures={pictures}
          display={chosen.display}
          region={chosen.region}
          window={chosen.window}
          onDisplay={chosen.setDisplay}
          onRegion={chosen.setRegion}
          onWindow={chosen.setWindow}
        />
      </section>
      <section className={classes.card} aria-labelledby="how-title">
        <h2 id="how-title" className={classes.cardTitle}>
          {tr('Options')}
        </h2>
        <OptionFields
          options={options}
          people={people}
          person={person}
          asking={asking}
          asks={asks}
          onChange={giveMore}
        />
        <Checkbox
          size="sm"
          checked={voice}
          onChange={(event) => setVoice(event.currentTarget.checked)}
          label={tr('Record what I say')}
          description={tr(
            'The microphone is recorded beside the screen, this once; the page shows it while it is. Pauses, windows that are left out and passwords are silent in it. It can be deleted alone, and goes into no export or archive unless you ask.',
          )}
        />
        {voice && <VoiceFields device={microphone} onDevice={setMicrophone} />}
        {shared && (
          <Checkbox
            size="sm"
            checked={partialInput}
            onChange={(event) => setPartialInput(event.currentTarget.checked)}
            label={
              <>
                {tr('Record only the keys and clicks of X11 programs')} <Kbd command="record.accept" />
              </>
            }
            description={tr(
              'A Wayland session tells no program what is typed and clicked elsewhere: such steps will be in the pictures but not among the actions, and such windows cannot be left out by their words: use the privacy pause. After Start the system asks which screen to share: choose the display that is chosen here.',
            )}
          />
        )}
      </section>
    </div>
  );
}
