/** How many times as long as on an idle machine a program took to start when these tests began; at least 1. */
export const slowness = Number(process.env['SLOWNESS'] ?? 1);

/** How long a test waits for what it expects, before it fails; milliseconds. A net for what never happens, not a measure. */
export const patience = 60_000 * slowness;
