import { Loader } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { tr } from '../language/tr.ts';

/** A page whose code is loaded when it is first shown. */
export type LazyPage<Props> = { load: () => Promise<void>; loaded: () => ComponentType<Props> | null };

/** A page that could not be loaded is asked for anew the next time. */
export function lazyPage<Props>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  let page: ComponentType<Props> | null = null;
  let loading: Promise<void> | null = null;
  return {
    loaded: () => page,
    load() {
      loading ??= load()
        .then((loaded) => {
          page = loaded;
        })
        .finally(() => {
          loading = null;
        });
      return loading;
    },
  };
}

/**
 * Shows it, and `meanwhile` until it is there. Not React's `lazy`: what that has loaded it holds back until 300 ms after the
 * fallback was drawn, so that fallbacks do not flicker, and every first visit of a page would wait as long.
 */
export function Lazy<Props extends object>(shown: {
  of: LazyPage<Props>;
  props: Props;
  meanwhile?: ReactNode;
}): ReactNode {
  const { of, props, meanwhile = <Loading /> } = shown;
  // Asked for while the frame around the page is drawn.
  const [asked] = useState(() => (of.loaded() ? null : of.load()));
  const [outcome, setOutcome] = useState<{ error: unknown } | 'loaded' | null>(null);
  useEffect(() => {
    let live = true;
    asked?.then(
      () => live && setOutcome('loaded'),
      (error: unknown) => live && setOutcome({ error }),
    );
    return () => {
      live = false;
    };
  }, [asked]);
  // The boundary around the page says so.
  if (outcome !== null && outcome !== 'loaded') throw outcome.error;
  const Page = of.loaded();
  return Page ? <Page {...props} /> : meanwhile;
}

function Loading(): ReactNode {
  return (
    <div style={{ display: 'grid', placeItems: 'center', height: '100%' }}>
      <Loader size="sm" aria-label={tr('Loading')} role="status" />
    </div>
  );
}
