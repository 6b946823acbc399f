import { NumberInput, Radio, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Preflight, ScreenPictures } from '../../schemas/api/models.ts';
import type { CaptureSource } from '../../schemas/desktop.ts';
import type { Display, Rect } from '../../schemas/events.ts';
import { desktop } from '../desktop/bridge.ts';
import { tr } from '../language/tr.ts';
import { Clamp } from '../ui/parts.tsx';
import { DisplayMap } from './display-map.tsx';
import classes from './page.module.css';

/** Small pictures of displays and windows, where the desktop app gives them. */
function useSources(): CaptureSource[] {
  const query = useQuery({
    queryKey: ['capture-sources'],
    queryFn: () => desktop?.sources() ?? [],
    enabled: desktop !== null,
    staleTime: 10_000,
  });
  return query.data ?? [];
}

export type Kind = 'display' | 'region' | 'window';
type Windows = Preflight['windows'];

/** Which display, region or window: the displays on a small map, with the region to be dragged, the windows as a list. */
export function TargetChoice(props: {
  kind: Kind;
  displays: readonly Display[];
  windows: Windows;
  /** Pictures of this moment; the desktop app has some of its own where these are missing. */
  pictures: ScreenPictures;
  display: number | null;
  region: Rect;
  window: string | null;
  onDisplay: (id: number) => void;
  onRegion: (region: Rect) => void;
  onWindow: (title: string) => void;
}): ReactNode {
  const { kind, displays, windows, pictures, region } = props;
  const sources = useSources();
  const outlined = kind === 'window' ? (windows.find((one) => one.title === props.window)?.bounds ?? null) : null;
  return (
    <>
      {displays.length > 0 && (
        <DisplayMap
          displays={displays}
          // Windows have pictures of their own below.
          mostHeight={kind === 'window' ? 120 : 300}
          pictureOf={(display) =>
            pictures.displays.find(({ id }) => id === display.id)?.picture ??
            sources.find(({ rect }) => rect?.x === display.x && rect.y === display.y)?.thumbnail ??
            null
          }
          chosen={kind === 'display' ? props.display : null}
          region={kind === 'region' ? region : outlined}
          onChoose={kind === 'display' ? props.onDisplay : null}
          onRegion={kind === 'region' ? props.onRegion : null}
        />
      )}
      {kind === 'region' && (
        <fieldset className={classes.numbers}>
          <legend className="visually-hidden">{tr('Region in pixels of the desktop')}</legend>
          {(
            [
              ['x', tr('Left')],
              ['y', tr('Top')],
              ['width', tr('Width')],
              ['height', tr('Height')],
            ] as const
          ).map(([key, label]) => (
            <NumberInput
              key={key}
              label={tr('{label}, px', { label })}
              allowDecimal={false}
              value={region[key]}
              onChange={(value) => typeof value === 'number' && props.onRegion({ ...region, [key]: value })}
            />
          ))}
        </fieldset>
      )}
      {kind === 'window' && (
        <WindowList
          windows={windows}
          pictures={pictures}
          sources={sources}
          chosen={props.window}
          onChoose={props.onWindow}
        />
      )}
    </>
  );
}

function WindowList(props: {
  windows: Windows;
  pictures: ScreenPictures;
  sources: readonly CaptureSource[];
  chosen: string | null;
  onChoose: (title: string) => void;
}): ReactNode {
  const { pictures, sources } = props;
  const [text, setText] = useState('');
  const found = props.windows.filter(({ title, app }) => `${title} ${app}`.toLowerCase().includes(text.toLowerCase()));
  if (props.windows.length === 0) {
    return (
      <p className={classes.none}>
        {tr(
          'No open window is seen. Open the application and check again; on some desktops windows cannot be listed: record the display.',
        )}
      </p>
    );
  }
  return (
    <div>
      {props.windows.length > 6 && (
        <TextInput
          label={tr('Find a window')}
          mb={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <Radio.Group aria-label={tr('Window')} value={props.chosen} onChange={props.onChoose}>
        <div className={classes.windows}>
          {found.map(({ id, title, app }) => {
            const taken = pictures.windows.find((one) => one.id === id);
            const source = sources.find(({ kind, name }) => kind === 'window' && name === title);
            return (
              <Radio.Card key={id} value={title} className={classes.window}>
                <WindowPicture
                  picture={taken?.picture ?? (taken?.leftOut ? null : (source?.thumbnail ?? null))}
                  why={taken?.leftOut ? tr('Left out') : taken ? tr('Behind other windows') : tr('No picture')}
                />
                <span className={classes.windowName}>
                  <Radio.Indicator size="xs" />
                  <Clamp>{title || tr('Without a title')}</Clamp>
                </span>
                <span className={classes.app}>{app}</span>
              </Radio.Card>
            );
          })}
          {found.length === 0 && <p className={classes.none}>{tr('No matching windows.')}</p>}
        </div>
      </Radio.Group>
    </div>
  );
}

function WindowPicture({ picture, why }: { picture: string | null; why: string }): ReactNode {
  return (
    <span className={classes.windowPicture}>
      {picture ? <img src={picture} alt="" draggable={false} /> : <span className={classes.app}>{why}</span>}
    </span>
  );
}
