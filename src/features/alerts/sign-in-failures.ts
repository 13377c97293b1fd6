import type { Timers } from '../../clock.ts';

/** Below this it's probably typos. */
const least = 10;

// Milliseconds. During a long attack, one alert an hour is enough.
const firstWindow = 60_000;
const nextWindow = 3_600_000;

/** Counts refused sign-ins, and reports a burst once, when its window is over. */
export function createSignInFailures(
  timers: Timers,
  /** The address is undefined if there were several. */
  onBurst: (count: number, address: string | undefined) => void,
) {
  let count = 0;
  let address: string | undefined;
  let isOneAddress = true;
  let window = firstWindow;
  let cancel: (() => void) | undefined;

  const report = () => {
    cancel = undefined;
    if (count >= least) onBurst(count, isOneAddress ? address : undefined);
    window = count >= least ? nextWindow : firstWindow;
    const goesOn = window === nextWindow;
    count = 0;
    // Counts on at once, so that an hour without a burst ends the long windows.
    if (goesOn) cancel = timers.after(window, report);
  };

  return {
    note: (from: string | undefined) => {
      isOneAddress = count === 0 || (isOneAddress && from === address);
      address = from;
      count += 1;
      cancel ??= timers.after(window, report);
    },
    close: () => cancel?.(),
  };
}
