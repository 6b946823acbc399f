import { Button, ColorInput, Group, NumberInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import type { TaskSetup } from '../../../schemas/api/setup.ts';
import type { Check } from '../../../schemas/checks.ts';
import { fileUrl } from '../../client/api.ts';
import { tr } from '../../language/tr.ts';
import { ErrorPanel } from '../../ui/parts.tsx';
import { upload } from '../upload.ts';
import { Like } from './like.tsx';
import classes from './setup.module.css';

type Region = Check & { kind: 'region' };

/** A region, drawn on the last screen or written in numbers, that is of one colour or like a picture that is kept of it. */
export function RegionFields(props: {
  ws: string;
  task: TaskInfo;
  setup: TaskSetup;
  check: Region;
  onChange: (check: Check) => void;
}): ReactNode {
  const { ws, task, setup, check, onChange } = props;
  const cache = useQueryClient();
  const { source } = setup;
  const screen =
    source !== null && source.frame !== null && source.size !== null
      ? { src: fileUrl.frame(ws, source.id, source.frame), size: source.size }
      : null;
  const keep = useMutation({
    mutationFn: async () => {
      if (!screen) return null;
      const name = `region-${check.x}-${check.y}-${check.width}x${check.height}.png`;
      const file = new File([await cutRegion(screen.src, check)], name, { type: 'image/png' });
      await upload(ws, task.id, 'material', file, () => undefined).done;
      await cache.invalidateQueries({ queryKey: ['of', ws, 'tasks', task.id], exact: true });
      return name;
    },
    onSuccess: (name) => {
      const { colour: _colour, ...rest } = check;
      if (name !== null) onChange({ ...rest, like: name });
    },
  });
  const number = (label: string, key: 'x' | 'y' | 'width' | 'height', min: number): ReactNode => (
    <NumberInput
      label={label}
      min={min}
      hideControls
      value={check[key]}
      onChange={(value) => onChange({ ...check, [key]: Math.max(min, Math.round(Number(value) || min)) })}
    />
  );
  return (
    <>
      {screen && <RegionPicture {...screen} check={check} onChange={onChange} />}
      <Group gap={8} grow>
        {number(tr('Left'), 'x', 0)}
        {number(tr('Top'), 'y', 0)}
        {number(tr('Width'), 'width', 1)}
        {number(tr('Height'), 'height', 1)}
      </Group>
      <Group gap={8} grow align="flex-end">
        <ColorInput
          label={tr('Is all of one colour')}
          placeholder={tr('none')}
          eyeDropperButtonProps={{ 'aria-label': tr('Pick a colour from the screen') }}
          value={check.colour ?? ''}
          onChange={(text) => {
            const { like: _like, colour: _colour, ...rest } = check;
            onChange(/^#[0-9a-f]{6}$/i.test(text) ? { ...rest, colour: text } : rest);
          }}
        />
        <Like
          task={task}
          value={check.like}
          onChange={(like) => {
            const { colour: _colour, like: _like, ...rest } = check;
            onChange(like === undefined ? rest : { ...rest, like });
          }}
        />
      </Group>
      <Group gap={8}>
        <Button
          variant="default"
          size="compact-xs"
          disabled={screen === null}
          loading={keep.isPending}
          onClick={() => keep.mutate()}
        >
          {tr('Keep the region as a picture of the task')}
        </Button>
      </Group>
      {keep.error && <ErrorPanel error={keep.error} compact />}
    </>
  );
}

function RegionPicture(props: {
  src: string;
  size: { width: number; height: number };
  check: Region;
  onChange: (check: Check) => void;
}): ReactNode {
  const { src, size, check, onChange } = props;
  const svg = useRef<SVGSVGElement>(null);
  const [from, setFrom] = useState<{ x: number; y: number } | null>(null);
  const placeOf = ({ clientX, clientY }: PointerEvent): { x: number; y: number } => {
    const at = new DOMPoint(clientX, clientY).matrixTransform(svg.current?.getScreenCTM()?.inverse());
    const within = (value: number, most: number): number => Math.round(Math.max(0, Math.min(most, value)));
    return { x: within(at.x, size.width), y: within(at.y, size.height) };
  };
  const draw = (event: PointerEvent): void => {
    if (!from) return;
    const to = placeOf(event);
    onChange({
      ...check,
      x: Math.min(from.x, to.x, size.width - 1),
      y: Math.min(from.y, to.y, size.height - 1),
      width: Math.max(1, Math.abs(to.x - from.x)),
      height: Math.max(1, Math.abs(to.y - from.y)),
    });
  };
  return (
    <svg
      ref={svg}
      viewBox={`0 0 ${size.width} ${size.height}`}
      className={classes.screen}
      role="img"
      aria-label={tr('The last screen, with the region; the numbers below say the same')}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom(placeOf(event));
      }}
      onPointerMove={draw}
      onPointerUp={() => setFrom(null)}
    >
      <image href={src} width={size.width} height={size.height} />
      <rect x={check.x} y={check.y} width={check.width} height={check.height} className={classes.halo} />
      <rect x={check.x} y={check.y} width={check.width} height={check.height} className={classes.region} />
    </svg>
  );
}

/** A part of a picture as a PNG, pixel by pixel. */
async function cutRegion(src: string, { x, y, width, height }: Region): Promise<Blob> {
  const image = new Image();
  image.src = src;
  await image.decode();
  if (x + width > image.naturalWidth || y + height > image.naturalHeight)
    throw new Error(tr('The region is not all on the screen.'));
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(image, x, y, width, height, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error(tr('The region could not be cut out of the picture.'));
  return blob;
}
