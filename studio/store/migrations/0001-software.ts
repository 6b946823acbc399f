/** The software a new workspace knows: VideoGUI's eleven (table 9 of the paper), then common free ones. Never edited. */
type SeedSoftware = {
  id: string;
  name: string;
  prefix: string;
  platforms: string;
  aliases: string[];
  executables: string[];
};

const BROWSER = ['chrome', 'chromium', 'firefox', 'msedge', 'safari'];

function seed(
  id: string,
  name: string,
  prefix: string,
  platforms: string,
  aliases: string[],
  executables: string[],
): SeedSoftware {
  return { id, name, prefix, platforms, aliases, executables };
}

export const FIRST_SOFTWARE: readonly SeedSoftware[] = [
  seed(
    'powerpoint',
    'PowerPoint',
    'PPT',
    'Windows, macOS',
    ['ms powerpoint', 'microsoft powerpoint'],
    ['powerpnt.exe'],
  ),
  seed('stable-diffusion-webui', 'Stable Diffusion WebUI', 'SD', 'Web', ['stable diffusion', 'sd webui'], BROWSER),
  seed('runway', 'Runway', 'RW', 'Web', ['runwayml'], BROWSER),
  seed('photoshop', 'Photoshop', 'PS', 'Windows, macOS', ['adobe photoshop'], ['photoshop.exe']),
  seed('after-effects', 'After Effects', 'AE', 'Windows, macOS', ['adobe after effects', 'afx'], ['afterfx.exe']),
  seed(
    'premiere-pro',
    'Premiere Pro',
    'PR',
    'Windows, macOS',
    ['adobe premiere pro', 'premiere'],
    ['adobe premiere pro.exe'],
  ),
  seed('capcut', 'CapCut', 'CC', 'Windows, macOS', ['jianying'], ['capcut.exe']),
  seed(
    'davinci-resolve',
    'DaVinci Resolve',
    'DV',
    'Windows, macOS, Linux',
    ['davinci', 'resolve'],
    ['resolve.exe', 'resolve'],
  ),
  seed('youtube', 'YouTube', 'YT', 'Web', [], BROWSER),
  seed('web-stock', 'Web Stock', 'WS', 'Web', ['stock website'], BROWSER),
  seed('vlc', 'VLC player', 'VLC', 'Windows, macOS, Linux', ['vlc media player', 'videolan'], ['vlc.exe', 'vlc']),
  seed(
    'gimp',
    'GIMP',
    'GIMP',
    'Windows, macOS, Linux',
    ['gnu image manipulation program'],
    ['gimp', 'gimp-2.10', 'gimp-3.0'],
  ),
  seed('inkscape', 'Inkscape', 'INK', 'Windows, macOS, Linux', [], ['inkscape']),
  seed(
    'libreoffice-writer',
    'LibreOffice Writer',
    'LOW',
    'Windows, macOS, Linux',
    ['writer', 'lowriter'],
    ['soffice.bin'],
  ),
  seed('libreoffice-calc', 'LibreOffice Calc', 'LOC', 'Windows, macOS, Linux', ['calc', 'localc'], ['soffice.bin']),
  seed(
    'libreoffice-impress',
    'LibreOffice Impress',
    'LOI',
    'Windows, macOS, Linux',
    ['impress', 'loimpress'],
    ['soffice.bin'],
  ),
  seed('mousepad', 'Mousepad', 'MP', 'Linux', ['xfce text editor'], ['mousepad']),
  seed('chromium', 'Chromium', 'CHR', 'Windows, macOS, Linux', ['chrome', 'google chrome'], ['chromium', 'chrome']),
  seed('firefox', 'Firefox', 'FF', 'Windows, macOS, Linux', ['mozilla firefox'], ['firefox', 'firefox-esr']),
  seed('xterm', 'XTerm', 'XT', 'Linux', ['terminal'], ['xterm']),
  seed('vscode', 'Visual Studio Code', 'VSC', 'Windows, macOS, Linux', ['vs code', 'code'], ['code', 'code.exe']),
  seed('blender', 'Blender', 'BL', 'Windows, macOS, Linux', [], ['blender', 'blender.exe']),
  seed('kdenlive', 'Kdenlive', 'KD', 'Windows, macOS, Linux', [], ['kdenlive']),
];
