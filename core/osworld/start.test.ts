import { describe, expect, test } from 'vitest';
import { osworldTaskSchema } from '../../schemas/osworld.ts';
import { mapOsworldTask } from './task.ts';

/** How OSWorld's tasks are set up, and what it does before it looks. */

const taskOf = (evaluator: object, config: object[] = []) =>
  osworldTaskSchema.parse({ id: 'a', instruction: 'Do it.', evaluator, config });
const checksOf = (evaluator: object) => mapOsworldTask(taskOf(evaluator));

test('a start becomes a recipe: files by name and address, programs, tabs, settings; commands are listed', () => {
  const step = (type: string, parameters: object) => ({ type, parameters });
  const { recipe, needed, missingStart } = mapOsworldTask(
    taskOf({ func: 'infeasible' }, [
      step('download', { files: [{ url: 'https://example.org/a', path: '/home/user/Desktop/a.xlsx' }] }),
      step('open', { path: '/home/user/Desktop/a.xlsx' }),
      step('launch', { command: ['google-chrome', '--remote-debugging-port=1337'] }),
      step('launch', { command: ['socat', 'tcp-listen:9222,fork', 'tcp:localhost:1337'] }),
      step('chrome_open_tabs', { urls_to_open: ['https://example.org'] }),
      step('activate_window', { window_name: 'Google Chrome' }),
      step('sleep', { seconds: 2 }),
      step('execute', { command: 'gsettings set org.gnome.desktop.interface clock-format 12h', shell: true }),
      step('execute', { command: 'cd x && ./setup.sh', shell: true }),
      step('download', { files: [{ url: 'https://example.org/b', path: '/etc/passwd' }] }),
    ]),
  );
  expect(needed).toEqual([{ name: 'a.xlsx', url: 'https://example.org/a', to: 'Desktop/a.xlsx' }]);
  expect(recipe?.programs).toMatchObject([
    { command: 'libreoffice', args: ['~/Desktop/a.xlsx'], window: 'a.xlsx' },
    { command: 'chromium', args: ['https://example.org'], window: 'Google Chrome' },
  ]);
  expect(recipe?.files).toEqual([
    { attachment: 'a.xlsx', to: 'Desktop/a.xlsx' },
    { text: '[org/gnome/desktop/interface]\nclock-format=12h\n', to: '.config/glib-2.0/settings/keyfile' },
  ]);
  expect(recipe?.network).toBe(true);
  expect(missingStart).toEqual([
    'execute: it runs a command, which is not done here: "cd x && ./setup.sh"',
    'download: it puts a file at /etc/passwd, which is outside of the home',
  ]);
});

describe('commands and keys of a start', () => {
  const startOf = (...commands: unknown[]) =>
    mapOsworldTask(
      taskOf({ func: 'infeasible' }, [
        {
          type: 'download',
          parameters: { files: [{ url: 'https://example.org/a', path: '/home/user/Desktop/a.tar.gz' }] },
        },
        ...commands.map((command) => ({ type: 'execute', parameters: { command } })),
      ]),
    );
  const there = { attachment: 'a.tar.gz', to: 'Desktop/a.tar.gz' };
  test.each<[string, unknown, object[]]>([
    [
      'an archive as words',
      ['tar', '-xzv', '--recursive-unlink', '-f', '/home/user/Desktop/a.tar.gz', '-C', '/home/user/'],
      [there, { attachment: 'a.tar.gz', to: '.', unpack: true }],
    ],
    [
      'an archive that goes when it is unpacked, for a shell',
      ['/bin/bash', '-c', 'cd /home/user/Desktop && tar -zxf a.tar.gz && rm -rf a.tar.gz'],
      [{ attachment: 'a.tar.gz', to: 'Desktop', unpack: true }],
    ],
    [
      'folders and an empty file',
      'mkdir -p "/home/user/my work/" ~/b; touch $HOME/b/c.txt',
      [there, { folder: true, to: 'my work' }, { folder: true, to: 'b' }, { text: '', to: 'b/c.txt' }],
    ],
    [
      'folders by a variable of its own',
      'sourceDir="/home/user/Desktop/"\nmkdir -p "$sourceDir"/dir1/dir2\nmkdir -p "$sourceDir"/dir3',
      [there, { folder: true, to: 'Desktop/dir1/dir2' }, { folder: true, to: 'Desktop/dir3' }],
    ],
    [
      'what root makes in the home',
      "echo 'password' | sudo -S touch ~/Desktop/b.txt && sudo mkdir ~/Desktop/done",
      [there, { text: '', to: 'Desktop/b.txt' }, { folder: true, to: 'Desktop/done' }],
    ],
  ])('%s is done by the recipe', (_name, command, files) => {
    const { recipe, missingStart } = startOf(command);
    expect(missingStart).toEqual([]);
    expect(recipe?.files).toEqual(files);
  });

  test.each<[string, unknown]>([
    ['a pipe', 'cat a | sh'],
    ['a variable', 'rm -rf $DIR/a'],
    ['a variable that is another', 'a="x"\nmkdir -p "$b"/c'],
    ['a variable of a command', 'a="$(id)"\nmkdir -p "$a"/c'],
    ['a variable without quotes', 'a="x y"\nmkdir -p $a'],
    ['a variable in single quotes, which is none', 'a="x"\nmkdir -p \'"$a"\''],
    ['what root makes elsewhere', "echo 'password' | sudo -S mkdir /home/test1"],
    ['another act of root', "echo 'password' | sudo -S touch ~/a && sudo rm -rf ~/b"],
    ['rights of what the recipe did not make', "echo 'password' | sudo -S chmod 777 ~/other"],
    ['other rights', "echo 'password' | sudo -S touch ~/a && sudo chmod 600 ~/a"],
    ['a pattern', 'rm /home/user/*'],
    ['a file that is not the recipe’s', 'rm -rf /home/user/other'],
    ['an archive that nobody put there', 'unzip /home/user/b.zip -d /home/user'],
    ['a place outside of the home', 'mkdir -p /etc/a'],
    ['a way out of the home', ['mkdir', '/home/user/../x']],
    ['a quote without an end', "mkdir '/home/user/a"],
    ['a program of its own', ['python', '-c', 'import os; os.remove("a")']],
    ['keys that type', ['python', '-c', "import pyautogui; pyautogui.write('x')"]],
  ])('%s is listed', (_name, command) => {
    const { missingStart } = startOf(command);
    expect(missingStart).toEqual([expect.stringContaining('it runs a command, which is not done here')]);
  });

  test('rights that open to all what root made are those of a stage, which is said', () => {
    const { recipe, missingStart, notes } = startOf(
      "echo 'password' | sudo -S touch ~/b.txt && sudo mkdir ~/done",
      "echo 'password' | sudo -S chmod 777 ~/b.txt && sudo chmod 777 ~/done",
    );
    expect(missingStart).toEqual([]);
    expect(recipe?.files).toEqual([there, { text: '', to: 'b.txt' }, { folder: true, to: 'done' }]);
    expect(notes).toEqual(['files that belong to root in OSWorld are the person’s here']);
  });

  test('an archive of another kind is named', () => {
    const { missingStart } = mapOsworldTask(
      taskOf({ func: 'infeasible' }, [
        { type: 'download', parameters: { files: [{ url: 'https://example.org/a', path: '/home/user/a.tar.bz2' }] } },
        { type: 'execute', parameters: { command: ['tar', '-xjf', '/home/user/a.tar.bz2', '-C', '/home/user/'] } },
      ]),
    );
    expect(missingStart).toEqual([expect.stringContaining('it unpacks an archive of a kind that recipes do not')]);
  });

  test('keys that only move windows are told, and a terminal is a program', () => {
    const hands = (code: string) => ['python', '-c', `import pyautogui; import time; ${code}`];
    const { recipe, missingStart, notes } = startOf(
      hands('time.sleep(0.5); pyautogui.click(960, 540); time.sleep(0.5);'),
      hands("pyautogui.hotkey('alt', 'f10'); time.sleep(0.5);"),
      hands('pyautogui.press("down", presses=40, interval=0.01); time.sleep(1); pyautogui.scroll(-2)'),
      hands("pyautogui.hotkey('ctrl', 'alt', 't')"),
    );
    expect(missingStart).toEqual([]);
    expect(notes).toEqual([expect.stringContaining('as large as the screen'), expect.stringContaining('scrolls')]);
    expect(recipe?.programs).toEqual([{ command: 'gnome-terminal', args: [], env: {} }]);
  });
});

test('keys before the checks that only save, export or close are told', () => {
  const step = (code: string) => ({
    type: 'execute',
    parameters: { command: ['python3', '-c', `import pyautogui; ${code};`] },
  });
  const { checks, notes } = checksOf({
    func: 'infeasible',
    postconfig: [
      step('pyautogui.hotkey(["shift", "ctrl", "e"])'),
      { type: 'sleep', parameters: { seconds: 0.5 } },
      step('pyautogui.write("mirror");pyautogui.press(["enter"])'),
      step('pyautogui.press(["enter"])'),
      step("pyautogui.hotkey('ctrl', 's'); time.sleep(0.5); pyautogui.press('down'); pyautogui.press('enter')"),
      step('pyautogui.press(["esc"]);pyautogui.hotkey(["ctrl", "q"])'),
      { type: 'launch', parameters: { command: ['pkill', 'chrome'] } },
      { type: 'launch', parameters: { command: ['google-chrome', '--remote-debugging-port=1337'] } },
    ],
  });
  expect(checks?.checks).toHaveLength(1);
  expect(notes).toEqual([
    'OSWorld exports the picture as “mirror” before it looks; here it must be exported so',
    expect.stringContaining('presses Ctrl+S'),
    expect.stringContaining('must be closed'),
  ]);
});
