/**
 * Programs that ask for secrets, known by their names (I6): what they ask for is known although they do not tell of their fields.
 * What a person adds stands in `--exclude`, which leaves the whole window out.
 */

/** Ask for one secret and hold the keyboard meanwhile: while one is on the screen keys are theirs, whatever has the focus. */
const PROMPTS =
  /^pinentry(?:$|-)|ssh-askpass|^polkit-.{0,60}agent|-polkit(?:-agent)?$|^(?:ksshaskpass|gcr-prompter|lxpolkit|lxqt-policykit-agent|lxqt-sudo|kdesu(?:do)?|gksu(?:do)?|gnome-keyring-prompt|kwalletd[56]?)$/i;
/** Keep secrets: all that is typed into their windows counts as one. */
const KEEPERS =
  /^(?:keepassxc?|keepass2|org\.keepassxc\.keepassxc|kwalletmanager[56]?|org\.kde\.kwalletmanager[56]?|1password|bitwarden|seahorse|org\.gnome\.seahorse\.application|xlock|i3lock|slock|xsecurelock|xscreensaver|light-locker|xfce4-screensaver|mate-screensaver)$/i;
/** Prompts of browsers in a window of their own: Firefox asks so for its main password, and for that of a server. */
const BROWSER = /^(?:firefox|navigator|chromium|google-chrome|brave-browser|microsoft-edge|librewolf|vivaldi|opera)/i;
const BROWSER_PROMPT =
  /^(?:password required|authentication required|sign in|anmeldung erforderlich|passwort erforderlich|需要密码|需要验证)(?:$|[\s:–—-])/i;
/** Titles of small programs that ask for a secret in some language. */
const ASKING =
  /\b(?:pass(?:word|phrase|code|wort)|kennwort|mot de passe|contraseña|wachtwoord|hasło|pin(?: code)?|secret key|authenticat(?:e|ion)|unlock|log ?in|sudo|su)\b|密码|口令|パスワード|пароль/i;
/** Show titles of whatever is in them, and are judged in another way. */
const TITLES_OF_OTHERS =
  /term|konsole|kitty|alacritty|foot|tilix|emacs|code|mousepad|gedit|geany|pluma|kate|libreoffice|soffice/i;

type Named = { app: string; title: string };

/** Whether this window is a prompt that holds the keyboard. */
export const isPrompt = ({ app }: Named): boolean => PROMPTS.test(app);

/** Whether what is typed into this window counts as a secret by its name. `speaks`: its program tells of its fields itself. */
export function asksForSecret({ app, title }: Named, speaks: boolean): boolean {
  if (PROMPTS.test(app) || KEEPERS.test(app)) return true;
  if (BROWSER.test(app)) return BROWSER_PROMPT.test(title);
  return !speaks && !TITLES_OF_OTHERS.test(app) && ASKING.test(title);
}
