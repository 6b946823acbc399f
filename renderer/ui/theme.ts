import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { themeCss } from './theme-css.ts';

/** The one accent: a calm blue that is none of the states' colours (green done, amber flagged, red recording). */
const lake: MantineColorsTuple = [
  '#eef4fc',
  '#dce8f8',
  '#b8cff0',
  '#90b3e6',
  '#6d9adc',
  '#5088d3',
  '#3b75c6',
  '#2c66b3',
  '#245592',
  '#1b4270',
];
const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f4',
  '#e4e7ec',
  '#d6dae1',
  '#c2c8d1',
  '#9aa2ae',
  '#6b7482',
  '#4c5462',
  '#343a46',
  '#1e222b',
];
const dark: MantineColorsTuple = [
  '#d9dce3',
  '#b4bac5',
  '#939ba9',
  '#5d6573',
  '#3a414d',
  '#2d333d',
  '#242932',
  '#191c23',
  '#13151b',
  '#0d0f13',
];

/**
 * Inter comes with the pages (start.tsx), so that they look and fit alike on every system; Debian's own is a third wider. For
 * what it does not have, Chinese above all, the system's: the page's language chooses among them.
 */
const SANS =
  '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Ubuntu", "Cantarell", "Helvetica Neue", Arial, sans-serif';
const MONO = 'ui-monospace, SFMono-Regular, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Layers that are over the page. */
const RAISED = { background: 'var(--studio-raised)', border: '1px solid var(--mantine-color-default-border)' };

export const theme = createTheme({
  colors: { lake, gray, dark },
  primaryColor: 'lake',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontFamily: SANS,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.35' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  radius: { sm: '5px', md: '8px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    TextInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs' } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    // A menu holds nothing but its items: the element that would take the focus first is none. It comes and goes at once: a
    // key that is pressed while it still comes would be the page's, and one while it fades would be the menu's. Keys close it
    // from inside alone: the one that opens it comes from outside.
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 0 },
        clickOutsideEvents: ['mousedown', 'touchstart'],
      },
    },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true, multiline: true, maw: 420 } },
    // The page itself never scrolls, so nothing needs locking; the lock would add a style element that the policy refuses.
    Modal: {
      defaultProps: { lockScroll: false, centered: true, overlayProps: { backgroundOpacity: 0.45 }, radius: 'md' },
      styles: {
        title: { fontSize: 'var(--mantine-font-size-md)', fontWeight: 600 },
        header: { background: 'var(--studio-raised)' },
        content: RAISED,
      },
    },
    ModalRoot: { defaultProps: { lockScroll: false }, styles: { content: RAISED } },
    Drawer: { defaultProps: { lockScroll: false } },
    // Nothing is written smaller than 11 px: Mantine's small descriptions and badges are.
    InputWrapper: {
      vars: () => ({
        label: {},
        description: { '--input-description-size': 'var(--mantine-font-size-xs)' },
        error: { '--input-error-size': 'var(--mantine-font-size-xs)' },
      }),
    },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 },
      vars: () => ({ root: { '--badge-fz': 'var(--badge-fz-md)' } }),
    },
  },
});

/**
 * Mantine would write its variables into a style element; a strict policy (style-src 'self') refuses that, but not a
 * stylesheet that a script builds. Called once, before the first paint.
 */
export function adoptThemeVariables(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(themeCss(theme));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
