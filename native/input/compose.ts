import koffi from 'koffi';

/**
 * Follows sequences of dead keys and of Compose by the table of the person's locale, which programs go by (libX11, GTK, Qt), as
 * libxkbcommon reads it, with their own ~/.XCompose.
 */
export type Composer = {
  /** The next keysym. Null: it belongs to no sequence. */
  feed(keysym: number): { goesOn: boolean; text: string | null } | null;
  /** What was begun is given up: another window has the keyboard. */
  reset(): void;
};

type Fn<A extends unknown[], R> = (...args: A) => R;
type At = bigint;
const COMPOSING = 1;
const COMPOSED = 2;
const CANCELLED = 3;
/** ISO_Level5_Shift to ISO_Level5_Lock. */
const [LEVEL5_FIRST, LEVEL5_LAST] = [0xfe11, 0xfe13];
const FALLBACK = 'en_US.UTF-8';
/** Longest text that a sequence makes, bytes. */
const TEXT_BYTES = 256;

/** Null where libxkbcommon is not installed. */
export function openComposer(env: NodeJS.ProcessEnv = process.env): Composer | null {
  try {
    return bind(env.LC_ALL || env.LC_CTYPE || env.LANG || FALLBACK);
  } catch {
    return null;
  }
}

function bind(locale: string): Composer | null {
  const x = koffi.load('libxkbcommon.so.0');
  // Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
  const newContext = x.func('void *xkb_context_new(int flags)') as Fn<[number], At>;
  const newTable = x.func(
    'void *xkb_compose_table_new_from_locale(void *context, const char *locale, int flags)',
  ) as Fn<[At, string, number], At | null>;
  const newState = x.func('void *xkb_compose_state_new(void *table, int flags)') as Fn<[At, number], At>;
  const feed = x.func('int xkb_compose_state_feed(void *state, uint32 keysym)') as Fn<[At, number], number>;
  const status = x.func('int xkb_compose_state_get_status(void *state)') as Fn<[At], number>;
  const utf8 = x.func('int xkb_compose_state_get_utf8(void *state, _Out_ uint8 *text, size_t n)') as Fn<
    [At, Uint8Array, number],
    number
  >;
  const clear = x.func('void xkb_compose_state_reset(void *state)') as Fn<[At], void>;
  const context = newContext(0);
  const table = newTable(context, locale, 0) ?? newTable(context, FALLBACK, 0);
  if (!table) return null;
  const state = newState(table, 0);
  const text = Buffer.alloc(TEXT_BYTES);
  return {
    feed(keysym) {
      // Modifiers are passed over by the library itself, but for those of level 5.
      if ((keysym >= LEVEL5_FIRST && keysym <= LEVEL5_LAST) || feed(state, keysym) === 0) return null;
      const now = status(state);
      if (now === COMPOSING) return { goesOn: true, text: null };
      if (now === CANCELLED) return { goesOn: false, text: null };
      if (now !== COMPOSED) return null;
      const length = utf8(state, text, TEXT_BYTES);
      return { goesOn: false, text: length > 0 && length < TEXT_BYTES ? text.toString('utf8', 0, length) : null };
    },
    reset: () => clear(state),
  };
}
