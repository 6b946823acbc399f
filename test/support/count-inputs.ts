/** In the page: every key but modifiers, every press of the pointer. */
export function countInPage(): void {
  const store = globalThis as { inputs?: number };
  store.inputs = 0;
  const count = () => {
    store.inputs = (store.inputs ?? 0) + 1;
  };
  addEventListener('pointerdown', count, true);
  addEventListener('keydown', ({ key }) => !['Shift', 'Control', 'Alt', 'Meta'].includes(key) && count(), true);
}

/** In the page: how many there were. */
export function readCount(): number {
  return (globalThis as { inputs?: number }).inputs ?? 0;
}
