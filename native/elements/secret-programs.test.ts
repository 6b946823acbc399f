import { describe, expect, test } from 'vitest';
import { asksForSecret, isPrompt } from './secret-programs.ts';

const silent = (app: string, title = ''): boolean => asksForSecret({ app, title }, false);

describe('programs that ask for secrets', () => {
  test.each([
    ...['Pinentry', 'pinentry-gtk-2', 'Pinentry-gtk-2', 'pinentry-qt', 'Pinentry-gnome3', 'pinentry-fltk'],
    ...['ssh-askpass', 'Ssh-askpass', 'lxqt-openssh-askpass', 'gnome-ssh-askpass', 'gnome-ssh-askpass3', 'ksshaskpass'],
    ...['gcr-prompter', 'Gcr-prompter', 'polkit-gnome-authentication-agent-1', 'polkit-kde-authentication-agent-1'],
    ...[
      'polkit-mate-authentication-agent-1',
      'lxpolkit',
      'xfce-polkit',
      'lxqt-policykit-agent',
      'lxqt-sudo',
      'kwalletd5',
    ],
  ])('%s is a prompt', (app) => {
    expect(isPrompt({ app, title: '' })).toBe(true);
    expect(asksForSecret({ app, title: '' }, true)).toBe(true);
  });

  test.each(['KeePassXC', 'keepassxc', '1Password', 'Bitwarden', 'Seahorse', 'kwalletmanager5', 'i3lock'])(
    'all that is typed into %s counts',
    (app) => {
      expect(asksForSecret({ app, title: 'x' }, true)).toBe(true);
      expect(isPrompt({ app, title: '' })).toBe(false);
    },
  );

  test('a prompt whose class is that of its toolkit is known by its title, which is its name and nothing else', () => {
    expect(isPrompt({ app: 'FLTK', title: 'pinentry-fltk' })).toBe(true);
    expect(isPrompt({ app: 'Chromium', title: 'pinentry-fltk manual page' })).toBe(false);
  });

  test('a silent program whose title asks for one is known, one that speaks says itself what its fields are', () => {
    expect(silent('Tk', 'Enter password')).toBe(true);
    expect(silent('Toplevel', 'Passphrase for key')).toBe(true);
    expect(silent('Dialog', '请输入密码')).toBe(true);
    expect(asksForSecret({ app: 'Zenity', title: 'Enter password' }, true)).toBe(false);
  });

  test('a page, a text or a terminal that is titled so is none', () => {
    expect(silent('Chromium', 'How to choose a password - Chromium')).toBe(false);
    expect(silent('firefox-esr', 'Password managers compared — Mozilla Firefox')).toBe(false);
    expect(silent('XTerm', 'vi passwords.txt')).toBe(false);
    expect(silent('Mousepad', 'password notes')).toBe(false);
    expect(silent('Gimp', 'compass words')).toBe(false);
    expect(silent('Tk', 'Supply')).toBe(false);
  });

  test("browsers' own prompts are known by their titles", () => {
    expect(silent('firefox-esr', 'Password Required - Mozilla Firefox')).toBe(true);
    expect(asksForSecret({ app: 'Navigator', title: 'Authentication Required' }, true)).toBe(true);
  });

  /** Written down before the pattern: 47 of them were taken for prompts when any title with such a word was. */
  const ORDINARY: readonly (readonly [string, string])[] = [
    ['Chromium', 'Reset your password - wiki'],
    ['Steam', 'Unlock achievements'],
    ['supertuxkart', 'Unlock achievements'],
    ['Mousepad', 'passwords.txt - Mousepad'],
    ['Tk', 'passwords.txt'],
    ['Gvim', 'passwords.txt (~/notes) - GVIM'],
    ['Gimp', 'login.png-1.0 (RGB color 8-bit gamma integer, GIMP built-in sRGB, 1 layer) 800x600 – GIMP'],
    ['Inkscape', 'pin.svg - Inkscape'],
    ['feh', 'feh [1 of 3] - /home/a/login.jpg'],
    ['Xpdf', 'Xpdf: password-policy.pdf'],
    ['MuPDF', 'password policy.pdf - 1/3'],
    ['Zathura', 'sudo.pdf [1/20]'],
    ['mpv', 'How to sudo - mpv'],
    ['vlc', 'Login screen tutorial.mp4 - VLC media player'],
    ['xcalc', 'Calculator'],
    ['Nautilus', 'su'],
    ['Pcmanfm', 'login'],
    ['Pcmanfm', 'su'],
    ['Thunar', 'Pin Board - Thunar'],
    ['Thunderbird', 'Reset your password - Inbox - Thunderbird'],
    ['Mail', 'Re: your password'],
    ['Claws-mail', 'Your password has been changed - Claws Mail'],
    ['discord', '#login-help | Discord'],
    ['Slack', 'Password rotation (channel) - Acme - Slack'],
    ['krita', 'pin up.kra - Krita'],
    ['Audacity', 'Unlock'],
    ['Blender', 'Blender [/home/a/unlock.blend]'],
    ['kicad', 'Pin Table'],
    ['kicad', 'Pin Properties'],
    ['Eeschema', 'Edit Pin'],
    ['Arduino', 'Login_sketch | Arduino 1.8'],
    ['jetbrains-idea', 'app – login.ts'],
    ['jetbrains-idea', 'auth – PasswordField.kt'],
    ['Sublime_text', '~/su/login.py - Sublime Text'],
    ['xmessage', 'Su Wong'],
    ['Zim', 'Passwords - Notes - Zim'],
    ['Xournalpp', 'su.xopp - Xournal++'],
    ['Tk', 'Password generator'],
    ['Tk', 'Password strength test'],
    ['Tk', 'Pin the tail on the donkey'],
    ['Tk', 'Unlock the next level'],
    ['Tk', 'Authenticate this painting'],
    ['calibre', 'calibre - || Calibre Library ||'],
    ['Okular', 'The password game — Okular'],
    ['Wine', 'Pin Ball'],
    ['winecfg.exe', 'Wine configuration'],
    ['Dwarf_Fortress', 'Su the goblin'],
    ['Tk', 'Login statistics'],
    ['Tk', 'Hotel login records'],
    ['Anki', 'User 1 - Anki'],
    ['Anki', 'Spanish: la contraseña - Anki'],
    ['Gnumeric', 'password list.gnumeric - Gnumeric'],
    ['Xfig', 'Xfig - login.fig'],
    ['Tk', 'Sudoku'],
    ['Gtkterm', 'login'],
    ['Filezilla', 'sftp://login@host - FileZilla'],
    ['Wireshark', 'tcp.port == 22 password'],
    ['Dia', 'Unlock diagram.dia'],
    ['xboard', 'Pin and win - chess'],
    ['Scid', 'Scid: pin study'],
  ];
  test.each(ORDINARY)('a silent %s is not asking with the title "%s"', (app, title) => {
    expect(silent(app, title)).toBe(false);
  });

  const ASKING: readonly (readonly [string, string])[] = [
    ['Tk', 'Enter password'],
    ['Toplevel', 'Passphrase for key'],
    ['Dialog', '请输入密码'],
    ['Tk', 'Password'],
    ['Tk', 'Login'],
    ['MyApp', 'Login - MyApp'],
    ['MyApp', 'MyApp: Login'],
    ['MyApp', 'MyApp - Password'],
    ['veracrypt', 'Enter password for "/home/a/vol.hc"'],
    ['veracrypt', 'Enter password for /dev/sda1'],
    ['Tk', 'Unlock keyring'],
    ['Tk', 'Unlock Login Keyring'],
    ['Tk', 'Authentication Required'],
    ['Tk', 'Authentication'],
    ['Tk', 'sudo'],
    ['Tk', 'Set password'],
    ['Tk', 'Change password'],
    ['Tk', 'New password'],
    ['Tk', 'Reset your password'],
    ['Tk', 'Sign in to Acme'],
    ['Tk', 'Passwort eingeben'],
    ['Tk', 'Kennwort erforderlich'],
    ['Tk', 'Mot de passe'],
    ['Tk', 'PIN'],
    ['Tk', 'Enter your PIN'],
    ['Tk', '输入密码'],
    ['Tk', '需要密码'],
    ['Tk', 'パスワードを入力'],
    ['Tk', 'Введите пароль'],
    ['Tk', "alice@host's password:"],
    ['Tk', 'OpenSSH Authentication Passphrase request'],
    ['FileZilla', 'Enter password'],
    ['Tk', 'VPN password'],
    ['Tk', 'Wi-Fi password: Cafe'],
    ['Xdialog', 'Password required'],
    ['PuTTY Configuration', 'Password for key'],
    ['Tk', 'Master Password'],
    ['Tk', 'Log in'],
    ['Tk', 'Password for alice@example.org'],
    ['Tk', 'Secret key'],
    ['Tk', 'Contraseña'],
  ];
  test.each(ASKING)('a silent %s asks with the title "%s"', (app, title) => {
    expect(silent(app, title)).toBe(true);
  });
});
