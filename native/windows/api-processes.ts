import koffi from 'koffi';
import { wideText } from './wide-text.ts';

/** Longest path of a program, UTF-16 units. */
const PATH_UNITS = 32768;
const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;

/** Programs, and this process: kernel32, version, shell32. */
export type ProcessCalls = {
  /** kernel32, QueryFullProcessImageNameW: the program's file; '' when Windows does not say. */
  processPath(pid: number): string;
  /** version.dll: a program's FileDescription ("Notepad", "Google Chrome"); '' when the file has none. */
  fileDescription(path: string): string;
  /** kernel32: this process ends now. */
  TerminateProcess(status: number): void;
  /** shell32: this process runs elevated. */
  IsUserAnAdmin(): boolean;
};

export function processCalls(): ProcessCalls {
  const kernel32 = koffi.load('kernel32.dll');
  const shell32 = koffi.load('shell32.dll');
  const version = koffi.load('version.dll');
  const handle = 'intptr';

  const OpenProcess = kernel32.func('__stdcall', 'OpenProcess', handle, ['uint32', 'int', 'uint32']);
  const CloseHandle = kernel32.func('__stdcall', 'CloseHandle', 'int', [handle]);
  const QueryFullProcessImageNameW = kernel32.func('__stdcall', 'QueryFullProcessImageNameW', 'int', [
    handle,
    'uint32',
    'void *',
    koffi.inout(koffi.pointer('uint32')),
  ]);
  const GetFileVersionInfoSizeW = version.func('__stdcall', 'GetFileVersionInfoSizeW', 'uint32', ['str16', 'void *']);
  const GetFileVersionInfoW = version.func('__stdcall', 'GetFileVersionInfoW', 'int', [
    'str16',
    'uint32',
    'uint32',
    'void *',
  ]);
  const VerQueryValueW = version.func('__stdcall', 'VerQueryValueW', 'int', [
    'void *',
    'str16',
    koffi.out(koffi.pointer('void *')),
    koffi.out(koffi.pointer('uint32')),
  ]);
  const GetCurrentProcess = kernel32.func('__stdcall', 'GetCurrentProcess', handle, []);
  const TerminateProcess = kernel32.func('__stdcall', 'TerminateProcess', 'int', [handle, 'uint32']);
  const IsUserAnAdmin = shell32.func('__stdcall', 'IsUserAnAdmin', 'int', []);

  return {
    processPath: (pid) => {
      const opened = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid);
      if (BigInt(opened) === 0n) return '';
      try {
        return wideText(PATH_UNITS, (text, units) => {
          const size = [units];
          return QueryFullProcessImageNameW(opened, 0, text, size) === 0 ? 0 : size[0]!;
        });
      } finally {
        CloseHandle(opened);
      }
    },
    fileDescription: (path) => {
      const size: number = GetFileVersionInfoSizeW(path, null);
      if (size === 0) return '';
      const info = Buffer.alloc(size);
      if (GetFileVersionInfoW(path, 0, size, info) === 0) return '';
      const ask = (name: string): { at: unknown; length: number } | null => {
        const at: unknown[] = [null];
        const length = [0];
        return VerQueryValueW(info, name, at, length) === 0 ? null : { at: at[0], length: length[0]! };
      };
      const languages = ask('\\VarFileInfo\\Translation');
      if (!languages || languages.length < 4) return '';
      const [language, codePage]: number[] = koffi.decode(languages.at, koffi.array('uint16', 2));
      const hex = (value = 0): string => value.toString(16).padStart(4, '0');
      const found = ask(`\\StringFileInfo\\${hex(language)}${hex(codePage)}\\FileDescription`);
      return found && found.length > 0
        ? String(koffi.decode(found.at, 'char16', found.length)).replace(/\0.*$/s, '')
        : '';
    },
    TerminateProcess: (status) => void TerminateProcess(GetCurrentProcess(), status),
    IsUserAnAdmin: () => IsUserAnAdmin() !== 0,
  };
}
