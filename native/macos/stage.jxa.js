// The window that takes the known inputs of `doctor --prove` (native/macos/stage.ts): a text view in a window above others.
// Arguments: left, top, width and height in points, origin top left of the main display. It writes a line of JSON whenever
// its text or its being in front changes, and ends with its input.
ObjC.import('Cocoa');

// osascript calls it with the arguments after the script's name.
// biome-ignore lint/correctness/noUnusedVariables: the entry point of a JXA script.
function run(argv) {
  const [left, top, width, height] = argv.map(Number);
  const app = $.NSApplication.sharedApplication;
  app.setActivationPolicy(0);
  // Cocoa counts from the bottom of the main display.
  const whole = $.NSScreen.screens.objectAtIndex(0).frame.size.height;
  const rect = $.NSMakeRect(left, whole - top - height, width, height);
  // A title bar, without which a window takes no keys.
  const window = $.NSWindow.alloc.initWithContentRectStyleMaskBackingDefer(rect, 1, 2, false);
  window.title = 'Trajectory Studio: please touch nothing';
  window.level = 3;
  const view = $.NSTextView.alloc.initWithFrame($.NSMakeRect(0, 0, width, height));
  view.richText = false;
  view.automaticQuoteSubstitutionEnabled = false;
  view.automaticDashSubstitutionEnabled = false;
  view.automaticTextReplacementEnabled = false;
  view.automaticSpellingCorrectionEnabled = false;
  window.contentView = view;
  window.makeKeyAndOrderFront($());
  window.makeFirstResponder(view);
  app.finishLaunching;
  app.activateIgnoringOtherApps(true);
  const output = $.NSFileHandle.fileHandleWithStandardOutput;
  const say = (what) => output.writeData($(`${JSON.stringify(what)}\n`).dataUsingEncoding($.NSUTF8StringEncoding));
  const parent = $.getppid ? $.getppid() : 0;
  let told = '';
  for (;;) {
    const until = $.NSDate.dateWithTimeIntervalSinceNow(0.02);
    const event = app.nextEventMatchingMaskUntilDateInModeDequeue(
      $.NSEventMaskAny,
      until,
      $.NSDefaultRunLoopMode,
      true,
    );
    if (!event.isNil()) app.sendEvent(event);
    // Whoever opened it is gone.
    if (parent !== 0 && $.getppid() !== parent) return;
    const now = { front: Boolean(window.isKeyWindow && app.isActive), text: view.string.js };
    if (JSON.stringify(now) === told) continue;
    told = JSON.stringify(now);
    say(now);
  }
}
