/**
 * Programs that ask for secrets, known by their names (I6): what they ask for is known although they do not tell of their fields.
 * What a person adds stands in `--exclude`, which leaves the whole window out.
 */

/** Ask for one secret and hold the keyboard meanwhile: while one is on the screen keys are theirs, whatever has the focus. */
const PROMPTS =
  /^pinentry(?:$|-)|ssh-askpass|^polkit-.{0,60}agent|-polkit(?:-agent)?$|^(?:ksshaskpass|gcr-prompter|lxpolkit|lxqt-policykit-agent|lxqt-sudo|kdesu(?:do)?|gksu(?:do)?|gnome-keyring-prompt|kwalletd[56]?)$/i;
/** Is all that a prompt says of itself where its class is its toolkit's (`FLTK`). */
const PROMPT_BY_TITLE = /^pinentry(?:-[a-z0-9]{1,12}){0,2}$/i;
/** Keep secrets: all that is typed into their windows counts as one. */
const KEEPERS =
  /^(?:keepassxc?|keepass2|org\.keepassxc\.keepassxc|kwalletmanager[56]?|org\.kde\.kwalletmanager[56]?|1password|bitwarden|seahorse|org\.gnome\.seahorse\.application|xlock|i3lock|slock|xsecurelock|xscreensaver|light-locker|xfce4-screensaver|mate-screensaver)$/i;
/** Prompts of browsers in a window of their own: Firefox asks so for its main password, and for that of a server. */
const BROWSER = /^(?:firefox|navigator|chromium|google-chrome|brave-browser|microsoft-edge|librewolf|vivaldi|opera)/i;
const BROWSER_PROMPT =
  /^(?:password required|authentication required|sign in|anmeldung erforderlich|passwort erforderlich|需要密码|需要验证)(?:$|[\s:–—-])/i;
/** Show titles of whatever is in them, and are judged in another way. */
const TITLES_OF_OTHERS =
  /term|konsole|kitty|alacritty|foot|tilix|emacs|code|mousepad|gedit|geany|pluma|kate|libreoffice|soffice|epiphany|falkon|qutebrowser|konqueror|midori|thunderbird|evolution|claws|slack|discord|nautilus|thunar|pcmanfm|nemo|dolphin|caja/i;
/** Between what is shown and the program's name. */
const BETWEEN = /\s[-–—|]\s|:\s/;
/** The name of a file, of a page or of a machine. */
const A_NAME = /[\p{L}\d]\.\p{L}{1,5}(?:$|[^\p{L}])|\//u;
const SECRET_WORD =
  /(?:^|[^\p{L}\d])(?:pass(?:word|phrase|code|wort)|kennwort|mot de passe|contraseña|wachtwoord|hasło|secret key|pin code)(?:$|[^\p{L}\d])|密码|口令|パスワード|пароль/iu;
/** With a secret word they ask for it, whatever follows: a file's name, a machine's. */
const ASKS_FOR =
  /^(?:please,? )?(?:enter|type|input|provide|confirm|repeat|verify|bitte|gib|entrez|saisissez|introduzca)\b|^(?:请|输入)|^(?:your |the )?(?:pass(?:word|phrase|code|wort)|kennwort|contraseña|mot de passe) (?:for|für|pour|para) /i;
/** With a secret word they are about it: a page, a game, a tool. */
const ABOUT =
  /^(?:how|why|what|when|where|the|wie|warum|re|fwd?|about|comment)\b|has been|(?:manager|generator|vault|list|notes?|polic(?:y|ies)|strength|guide|tips?|test|history|cracker|recovery|meter|管理|生成)s?\b|管理|生成|指南/i;
/** Whole titles of prompts that name no secret. */
const PROMPT_TITLE =
  /^(?:(?:log|sign) ?in(?: to .{1,60}| as .{1,60})?|logon|anmelden|anmeldung|login (?:form|window|dialog|prompt|required)|authenticat(?:e|ion)(?: (?:required|needed|dialog|request|prompt))?|(?:enter )?(?:your )?(?:new |old )?pin(?: required| for .{1,60})?|pin eingeben|(?:gk)?sudo|su|run as root|unlock (?:the )?(?:.{1,30} )?(?:key(?:ring|chain)?|disk|device|volume|drive|partition|database|wallet|vault|screen|card|token|session))[\s:.…!?]{0,3}$/i;
/** A title with more words tells of something. */
const MOST_WORDS = 9;

type Named = { app: string; title: string };

/** Whether this window is a prompt that holds the keyboard. */
export const isPrompt = ({ app, title }: Named): boolean => PROMPTS.test(app) || PROMPT_BY_TITLE.test(title);

/** Whether what is typed into this window counts as a secret by its name. `speaks`: its program tells of its fields itself. */
export function asksForSecret({ app, title }: Named, speaks: boolean): boolean {
  if (isPrompt({ app, title }) || KEEPERS.test(app)) return true;
  if (BROWSER.test(app)) return BROWSER_PROMPT.test(title);
  return !speaks && !TITLES_OF_OTHERS.test(app) && isAsking({ app, title });
}

/**
 * Whether the title of a small program asks for a secret, in some language. What is shown beside the program's own name (`X - App`)
 * has to be a prompt as a whole: a document, a page or a level of a game may be called anything.
 */
function isAsking({ app, title }: Named): boolean {
  const shown = title.trim().slice(0, 200);
  if (ASKS_FOR.test(shown) && SECRET_WORD.test(shown)) return true;
  const own = wordsOf(app).join('');
  const isOwn = (part: string): boolean => wordsOf(part).includes(own) || wordsOf(part).join('') === own;
  const parts = shown.split(BETWEEN).map((part) => part.trim());
  const others = parts.filter((part) => part !== '' && !isOwn(part));
  const asking = others.filter((part) => {
    if (PROMPT_TITLE.test(part)) return true;
    return SECRET_WORD.test(part) && !ABOUT.test(part) && !A_NAME.test(part) && part.split(/\s+/).length <= MOST_WORDS;
  });
  // A prompt names what it is for; a document stands beside nothing but its program's name.
  return asking.length > 0 && (asking.length === others.length || asking[0] === others[0]) && !A_NAME.test(shown);
}
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);
