import type { KeyChar } from '../../schemas/layout.ts';

/**
 * X keysyms to Unicode. libxkbcommon's xkb_keysym_to_utf32 is the kept way (xkb-layout.ts uses it where it is
 * installed); `keysymToChar` is the same in pure code for where it is not. Source: X11 protocol, appendix A.
 */
// A space stands for a keysym without a character.
const BLOCKS: readonly (readonly [first: number, chars: string])[] = [
  // Latin-2
  [0x1a1, 'Ą˘Ł ĽŚ  ŠŞŤŹ ŽŻ ą˛ł ľśˇ šşťź˝žżŔ  Ă ĹĆ Č Ę Ě  ĎĐŃŇ  Ő  ŘŮ Ű  Ţ ŕ  ă ĺć č ę ě  ďđńň  ő  řů ű  ţ˙'],
  // Latin-3
  [0x2a1, 'Ħ    Ĥ  İ ĞĴ    ħ    ĥ  ı ğĵ        ĊĈ              Ġ  Ĝ    ŬŜ      ċĉ              ġ  ĝ    ŭŝ'],
  // Latin-4
  [0x3a2, 'ĸŖ ĨĻ   ĒĢŦ      ŗ ĩļ   ēģŧŊ ŋĀ      Į    Ė  Ī ŅŌĶ     Ų   ŨŪ ā      į    ė  ī ņōķ     ų   ũū'],
  // Kana
  [
    0x47e,
    '‾                                  。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜',
  ],
  // Arabic
  [
    0x5ac,
    '،              ؛   ؟ ءآأؤإئابةتثجحخدذرزسشصضطظعغ     ـفقكلمنهوىي\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652',
  ],
  // Cyrillic
  [0x6a1, 'ђѓёєѕіїјљњћќґўџ№ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏюабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ'],
  // Greek
  [0x7a1, 'ΆΈΉΊΪ ΌΎΫ Ώ  ΅― άέήίϊΐόύϋΰώ     ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣ ΤΥΦΧΨΩ       αβγδεζηθικλμνξοπρσςτυφχψω'],
  // Technical
  [0x8a1, '⎷┌─⌠⌡│⎡⎣⎤⎦⎛⎝⎞⎠⎨⎬           ≤≠≥∫∴∝∞  ∇  ∼≃   ⇔⇒≡      √   ⊂⊃∩∪∧∨               ∂      ƒ    ←↑→↓'],
  // Special
  [0x9e0, '◆▒␉␌␍␊  ␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│'],
  // Publishing
  [
    0xaa1,
    '\u2003\u2002\u2004\u2005\u2007\u2008\u2009\u200a—– ␣ …‥⅓⅔⅕⅖⅗⅘⅙⅚℅  ‒⟨.⟩    ⅛⅜⅝⅞  ™☓ ◁▷○▯‘’“”℞‰′″ ✝ ▬◀▶●▮◦▫▭△▽☆•▪▲▼☜☞♣♦♥ ✠†‡✓✗♯♭♂♀☎⌕℗‸‚„',
  ],
  // APL
  [0xba3, '<  > ∨∧                      ¯ ⊤∩⌊ _   ∘ ⎕ ⊥○   ⌈  ∪ ⊃ ⊂ ⊣                               ⊢'],
  // Hebrew
  [0xcdf, '‗אבגדהוזחטיךכלםמןנסעףפץצקרשת'],
  // Thai
  [
    0xda1,
    'กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะ\u0e31\u0e32\u0e33\u0e34\u0e35\u0e36\u0e37\u0e38\u0e39\u0e3a   ฾฿เแโใไๅๆ\u0e47\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e4d  ๐๑๒๓๔๕๖๗๘๙',
  ],
  // Hangul
  [
    0xea1,
    'ㄱㄲㄳㄴㄵㄶㄷㄸㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅃㅄㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣᆨᆩᆪᆫᆬᆭᆮᆯᆰᆱᆲᆳᆴᆵᆶᆷᆸᆹᆺᆻᆼᆽᆾᆿᇀᇁᇂㅭㅱㅸㅿㆁㆄㆆㆍㆎᇫᇰᇹ    ₩',
  ],
  // Latin-9
  [0x13bc, 'ŒœŸ'],
  // Currency
  [0x20ac, '€'],
];

const legacy = new Map<number, string>();
for (const [first, chars] of BLOCKS) {
  [...chars].forEach((char, offset) => {
    if (char !== ' ') legacy.set(first + offset, char);
  });
}

/** The character a keysym stands for; null for keys without one (arrows, Return, dead keys). */
export function keysymToChar(keysym: number): string | null {
  if ((keysym >= 0x20 && keysym <= 0x7e) || (keysym >= 0xa0 && keysym <= 0xff)) return String.fromCodePoint(keysym);
  // Unicode keysyms: 0x01000000 + code point.
  if (keysym >= 0x01000000 && keysym <= 0x0110ffff) return codePointChar(keysym - 0x01000000);
  // Keypad: KP_Space, KP_Equal, KP_Multiply (0xffaa) to KP_9 (0xffb9) are ASCII + 0xff80.
  if (keysym === 0xff80) return ' ';
  if (keysym === 0xffbd || (keysym >= 0xffaa && keysym <= 0xffb9)) return String.fromCodePoint(keysym - 0xff80);
  return legacy.get(keysym) ?? null;
}

/** A code point as a character; null for none (0), controls and surrogates. */
export function codePointChar(codePoint: number): string | null {
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) return null;
  if ((codePoint >= 0xd800 && codePoint <= 0xdfff) || codePoint > 0x10ffff) return null;
  return String.fromCodePoint(codePoint);
}

/** The capital of a character where it is one character (CapsLock on a key whose type does not take it); else itself. */
export function upperChar(char: string): string {
  const upper = char.toUpperCase();
  return [...upper].length === 1 ? upper : char;
}

/**
 * Dead keys: [keysym, combining mark, dead key twice, dead key + Space where that differs].
 * The last two columns as libX11's en_US.UTF-8 Compose table has them.
 */
const DEAD: readonly (readonly [number, string, string, string?])[] = [
  [0xfe50, '\u0300', '`'],
  [0xfe51, '\u0301', '\u00b4', "'"],
  [0xfe52, '\u0302', '^'],
  [0xfe53, '\u0303', '~'],
  [0xfe54, '\u0304', '\u00af'],
  [0xfe55, '\u0306', '\u02d8'],
  [0xfe56, '\u0307', '\u02d9'],
  [0xfe57, '\u0308', '\u00a8', '"'],
  [0xfe58, '\u030a', '\u00b0'],
  [0xfe59, '\u030b', '\u02dd'],
  [0xfe5a, '\u030c', '\u02c7'],
  [0xfe5b, '\u0327', '\u00b8'],
  [0xfe5c, '\u0328', '\u02db'],
  [0xfe5d, '\u0345', '\u037a'],
  [0xfe5e, '\u3099', '\u309b'],
  [0xfe5f, '\u309a', '\u309c'],
  [0xfe60, '\u0323', '\u0323'],
  [0xfe61, '\u0309', '\u0309'],
  [0xfe62, '\u031b', '\u031b'],
  // Stroke: o-stroke, d-stroke, l-stroke have no canonical decomposition; the mark tells which dead key it was.
  [0xfe63, '\u0335', '/'],
  [0xfe64, '\u0313', '\u1fbf'],
  [0xfe65, '\u0314', '\u1ffe'],
  [0xfe66, '\u030f', '\u030f'],
  [0xfe67, '\u0325', '\u0325'],
  [0xfe68, '\u0331', '\u0331'],
  [0xfe69, '\u032d', '\u032d'],
  [0xfe6a, '\u0330', '\u0330'],
  [0xfe6b, '\u032e', '\u032e'],
  [0xfe6c, '\u0324', '\u0324'],
  [0xfe6d, '\u0311', '\u0311'],
  [0xfe6e, '\u0326', ','],
  // No combining marks: the sign itself names the dead key.
  [0xfe6f, '\u00a4', '\u00a4'],
  [0xfe8c, '\u00b5', '\u00b5'],
  [0xfe90, '\u0332', '_'],
  [0xfe91, '\u030d', '\u02c8'],
  [0xfe92, '\u0329', '\u02cc'],
  [0xfe93, '\u0338', '/'],
];
const dead = new Map<number, KeyChar>(
  DEAD.map(([keysym, mark, alone, space]) => [
    keysym,
    space === undefined ? { dead: mark, alone } : { dead: mark, alone, space },
  ]),
);

/** A dead keysym as a layout's entry; null when the keysym is not a dead key. */
export function deadKey(keysym: number): KeyChar {
  return dead.get(keysym) ?? null;
}
