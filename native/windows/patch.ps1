# A small topmost window whose colour changes at known times (C4). Protocol: native/patch-process.ts.
# Times are QueryPerformanceCounter in ns, the clock behind process.hrtime.
param([int]$X, [int]$Y, [int]$Size)
$ErrorActionPreference = 'Stop'
Add-Type -AssemblyName System.Windows.Forms, System.Drawing
Add-Type -Namespace Studio -Name Native -MemberDefinition @'
[DllImport("user32.dll")] public static extern bool SetProcessDpiAwarenessContext(IntPtr context);
[DllImport("user32.dll")] public static extern void DisableProcessWindowsGhosting();
[DllImport("user32.dll")] public static extern bool SetWindowPos(IntPtr w, IntPtr after, int x, int y, int cx, int cy, uint flags);
[DllImport("dwmapi.dll")] public static extern int DwmFlush();
'@
# Physical pixels: per-monitor aware (version 2). This thread reads its input between paints, so no ghost window.
[void][Studio.Native]::SetProcessDpiAwarenessContext([IntPtr](-4))
[Studio.Native]::DisableProcessWindowsGhosting()

$form = New-Object System.Windows.Forms.Form
$form.FormBorderStyle = 'None'
$form.StartPosition = 'Manual'
$form.ShowInTaskbar = $false
$form.TopMost = $true
$form.BackColor = [System.Drawing.Color]::Black
$form.Show()
# HWND_TOPMOST, SWP_NOACTIVATE: exact pixels, whatever the form thinks of scaling, and no change of focus.
[void][Studio.Native]::SetWindowPos($form.Handle, [IntPtr](-1), $X, $Y, $Size, $Size, 0x10)
[System.Windows.Forms.Application]::DoEvents()

function Get-Nanoseconds {
  # Decimal: ticks times 10^9 do not fit 64 bits.
  [long][decimal]::Truncate([decimal][System.Diagnostics.Stopwatch]::GetTimestamp() * 1000000000 / [System.Diagnostics.Stopwatch]::Frequency)
}

$out = [Console]::Out
$out.WriteLine('ready')
$out.Flush()
while ($null -ne ($line = [Console]::In.ReadLine())) {
  $rgb = [Convert]::ToInt32($line.Trim(), 16)
  $colour = [System.Drawing.Color]::FromArgb(255, ($rgb -shr 16) -band 255, ($rgb -shr 8) -band 255, $rgb -band 255)
  $before = Get-Nanoseconds
  $form.BackColor = $colour
  $form.Refresh()
  [System.Windows.Forms.Application]::DoEvents()
  # Returns after the compositor has shown it.
  [void][Studio.Native]::DwmFlush()
  $after = Get-Nanoseconds
  $out.WriteLine("painted $($line.Trim()) $before $after")
  $out.Flush()
}
$form.Close()
