import type { ReactNode } from 'react';
import classes from './side-scroll.module.css';

type Name = { label: string; labelledBy?: undefined } | { label?: undefined; labelledBy: string };

/** The frame of a table that may be wider than its page. It scrolls sideways, with the pointer and by key, and has a name. */
export function SideScroll({ label, labelledBy, lang, children }: Name & { lang?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by key
    <section className={classes.frame} tabIndex={0} aria-label={label} aria-labelledby={labelledBy} lang={lang}>
      {children}
    </section>
  );
}
