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
});
