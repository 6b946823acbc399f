import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  type MantineTheme,
  type MantineThemeOverride,
  mergeMantineTheme,
} from '@mantine/core';

/** Secondary text keeps 4.5:1 on every surface of ours, which Mantine's own grey does not. */
const OURS = {
  variables: { '--studio-record': '#d93a30', '--mantine-font-weight-medium': '500' },
  light: {
    '--mantine-color-text': '#1c2029',
    '--mantine-color-dimmed': '#596270',
    '--mantine-color-placeholder': '#677080',
    '--mantine-color-error': '#b42318',
    '--mantine-color-default-border': '#d3d8df',
    '--studio-surface': '#ffffff',
    '--studio-sunken': '#f6f7f9',
    '--studio-raised': '#ffffff',
    '--studio-line': '#e3e6eb',
    '--studio-hover': '#eff2f6',
    '--studio-chosen': '#e6eefa',
    '--studio-good': '#18794e',
    // For light badges: Mantine's own green has 3.8:1 on its tint.
    '--mantine-color-green-light-color': '#18794e',
    '--studio-warn': '#8f5a00',
    '--studio-bad': '#b42318',
    '--studio-info': '#2c66b3',
  },
  dark: {
    '--mantine-color-text': '#dfe2e8',
    '--mantine-color-dimmed': '#a0a8b5',
    '--mantine-color-placeholder': '#8b93a1',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-default-border': '#3a414d',
    '--studio-surface': '#191c23',
    '--studio-sunken': '#13151b',
    '--studio-raised': '#20242c',
    '--studio-line': '#2b303a',
    '--studio-hover': '#22262f',
    '--studio-chosen': '#213150',
    '--studio-good': '#5cc992',
    '--studio-warn': '#e6b450',
    '--studio-bad': '#ff8a80',
    '--studio-info': '#8db6f0',
  },
} as const;

/**
 * Light and subtle controls on dark. Mantine writes them in each colour's palest shade, which is white to the eye: a red
 * *Remove* looked like the button beside it. Grey stays as it is: it is to look like text.
 */
const tintedOnDark = ({ colors }: MantineTheme): Record<string, string> =>
  Object.fromEntries(
    Object.keys(colors)
      .filter((name) => name !== 'gray' && name !== 'dark')
      .map((name) => [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-4)`]),
  );

/** The variables of a theme as a stylesheet, for light and for dark. */
export function themeCss(theme: MantineThemeOverride): string {
  const whole = mergeMantineTheme(DEFAULT_THEME, theme);
  const made = defaultCssVariablesResolver(whole);
  return convertCssVariables({
    variables: { ...made.variables, ...OURS.variables },
    light: { ...made.light, ...OURS.light, '--mantine-color-scheme': 'light' },
    dark: { ...made.dark, ...tintedOnDark(whole), ...OURS.dark, '--mantine-color-scheme': 'dark' },
  });
}
