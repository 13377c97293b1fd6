import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before a program with `--import`: at the rename whose number is `FAULT_AT_RENAME`, the process is killed, as by a
 * power failure, or with `FAULT=error` the rename fails once.
 */
const wanted = Number(process.env['FAULT_AT_RENAME']);
const { renameSync } = fs;
const { rename } = fs.promises;
let count = 0;
function fail(place: unknown): void {
  count += 1;
  if (count === wanted) {
    if (process.env['FAULT'] !== 'error') process.kill(process.pid, 'SIGKILL');
    throw Object.assign(new Error(`EBUSY: resource busy or locked, rename '${String(place)}'`), {
      code: 'EBUSY',
    });
  }
}
fs.renameSync = (...places) => {
  fail(places[0]);
  renameSync(...places);
};
fs.promises.rename = async (...places) => {
  fail(places[0]);
  await rename(...places);
};
syncBuiltinESMExports();
