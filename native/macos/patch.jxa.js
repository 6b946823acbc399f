// A small topmost window whose colour changes at known times (C4). Protocol: native/macos/patch-process.ts.
// Arguments: left, top and size in points, origin top left of the main display.
// Times are NSProcessInfo.systemUptime in ns: the clock of mach_absolute_time.
ObjC.import('Cocoa');
ObjC.import('QuartzCore');

// osascript calls it with the arguments after the script's name.
// biome-ignore lint/correctness/noUnusedVariables: the entry point of a JXA script.
function run(argv) {
  const [left, top, size] = argv.map(Number);
  const app = $.NSApplication.sharedApplication;
  // Accessory: no Dock icon, no change of the active application.
  app.setActivationPolicy(1);
  // Cocoa counts from the bottom of the main display.
  const height = $.NSScreen.screens.objectAtIndex(0).frame.size.height;
  const rect = $.NSMakeRect(left, height - top - size, size, size);
  const window = $.NSWindow.alloc.initWithContentRectStyleMaskBackingDefer(rect, 0, 2, false);
  // Above everything that captures show: NSScreenSaverWindowLevel.
  window.level = 1000;
  window.opaque = true;
  window.hasShadow = false;
  window.ignoresMouseEvents = true;
  // Device colours: the display's profile must not change what was asked for.
  const colour = (rgb) =>
    $.NSColor.colorWithDeviceRedGreenBlueAlpha(
      ((rgb >> 16) & 255) / 255,
      ((rgb >> 8) & 255) / 255,
      (rgb & 255) / 255,
      1,
    );
  const turn = (seconds) => $.NSRunLoop.currentRunLoop.runUntilDate($.NSDate.dateWithTimeIntervalSinceNow(seconds));
  window.backgroundColor = colour(0);
  window.orderFrontRegardless;
  window.display;
  turn(0.05);

  const input = $.NSFileHandle.fileHandleWithStandardInput;
  const output = $.NSFileHandle.fileHandleWithStandardOutput;
  const say = (line) => output.writeData($(`${line}\n`).dataUsingEncoding($.NSUTF8StringEncoding));
  const now = () => Math.round($.NSProcessInfo.processInfo.systemUptime * 1e9);
  say('ready');
  let pending = '';
  for (;;) {
    const data = input.availableData;
    if (data.length === 0) return;
    pending += $.NSString.alloc.initWithDataEncoding(data, $.NSUTF8StringEncoding).js;
    const lines = pending.split('\n');
    pending = lines.pop();
    for (const line of lines) {
      const before = now();
      window.backgroundColor = colour(Number.parseInt(line, 16));
      window.display;
      $.CATransaction.flush;
      // One turn of the run loop hands the picture to the window server; it is shown with the next refresh.
      turn(0.02);
      say(`painted ${line} ${before} ${now()}`);
    }
  }
}
