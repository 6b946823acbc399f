export const say = (text = ''): void => console.log(text);

export const indent = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `   ${line}`)
    .join('\n');
